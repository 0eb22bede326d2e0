//! The records of 2017: four tables for people who ask in SQL. Each entry of the log brings its rows with it.

use engine::{Cause, Emission, Input};
use server::log::{Cell, Record};
use treasure_rules::{Chart, Coding, Command, Direction, Event, Game, Member, Player, Position, Terrain, Timer, Year};

use crate::documents::y2017::map_text;

pub(crate) const TABLES: &str = "
    CREATE TABLE IF NOT EXISTS Game (
        GameID      INTEGER PRIMARY KEY REFERENCES games (id),
        Beginning   TEXT,
        Ending      TEXT,
        RoundNumber INTEGER NOT NULL CHECK (RoundNumber BETWEEN 0 AND 200),
        Map         TEXT CHECK (length(Map) = 128)
    ) STRICT;
    CREATE TABLE IF NOT EXISTS Player (
        PlayerID            INTEGER PRIMARY KEY,
        Surname             TEXT NOT NULL CHECK (length(Surname) <= 30),
        FirstName           TEXT NOT NULL CHECK (length(FirstName) <= 30),
        MatriculationNumber TEXT NOT NULL CHECK (length(MatriculationNumber) <= 9),
        StartingCoordinates TEXT
    ) STRICT;
    CREATE TABLE IF NOT EXISTS ActionList (
        GameID   INTEGER NOT NULL REFERENCES Game,
        ActionID INTEGER NOT NULL,
        Action   TEXT    NOT NULL CHECK (Action IN ('UP', 'DOWN', 'LEFT', 'RIGHT', 'STAY')),
        PRIMARY KEY (GameID, ActionID)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS Play (
        GameID    INTEGER NOT NULL REFERENCES Game,
        PlayerID1 INTEGER NOT NULL REFERENCES Player,
        PlayerID2 INTEGER NOT NULL REFERENCES Player CHECK (PlayerID1 != PlayerID2),
        PRIMARY KEY (GameID, PlayerID1, PlayerID2)
    ) STRICT, WITHOUT ROWID;";

/// Whether there was ever a player with an id.
pub(super) const KNOWN_PLAYER: &str = "SELECT EXISTS (SELECT 1 FROM Player WHERE PlayerID = ?1)";

const NEW_PLAYER: &str =
    "INSERT INTO Player (PlayerID, Surname, FirstName, MatriculationNumber) VALUES (?2, ?3, ?4, ?5)";
const NEW_GAME: &str = "INSERT INTO Game (GameID, Beginning, RoundNumber)
     VALUES (?1, strftime('%Y-%m-%d %H:%M:%f', ?2 / 1000.0, 'unixepoch'), 0)";
const NEW_PLAY: &str = "INSERT INTO Play (GameID, PlayerID1, PlayerID2) VALUES (?1, ?2, ?3)";
const MAP: &str = "UPDATE Game SET Map = ?2 WHERE GameID = ?1";
const START: &str = "UPDATE Player SET StartingCoordinates = ?3 WHERE PlayerID = ?2";
const ACTION: &str = "INSERT INTO ActionList (GameID, ActionID, Action) VALUES (?1, ?2, ?3)";
const ROUNDS: &str = "UPDATE Game SET RoundNumber = ?2 WHERE GameID = ?1";
const ENDING: &str =
    "UPDATE Game SET Ending = strftime('%Y-%m-%d %H:%M:%f', ?2 / 1000.0, 'unixepoch') WHERE GameID = ?1";

/// What an entry changes in the tables.
pub(super) fn of(game: &Game, input: &Input<Command, Timer>, said: &[Emission<Event>], at: i64) -> Vec<Record> {
    if game.public().setup().year != Year::Y2017 {
        return Vec::new();
    }
    let mut records = Vec::new();
    let mut add = |statement, values: Vec<Cell>| records.push(Record { statement, values });
    let player_id = |player| game.member(player).map_or(0, |member| id(&member));
    for event in said.iter().filter_map(event_of) {
        match event {
            Event::Registered { player, .. } => {
                let Some(member) = game.member(*player) else { continue };
                let texts =
                    [&member.last_name, &member.first_name, &member.account].map(|text| Cell::Text(text.to_string()));
                add(NEW_PLAYER, [Cell::Integer(id(&member))].into_iter().chain(texts).collect());
            }
            Event::Began { .. } => {
                add(NEW_GAME, vec![Cell::Integer(at)]);
                let players = Player::BOTH.map(|player| Cell::Integer(player_id(player)));
                add(NEW_PLAY, players.into());
            }
            Event::Charted { player, .. } => {
                let start = game.member(*player).and_then(|member| member.start);
                if let Some(start) = start {
                    add(START, vec![Cell::Integer(player_id(*player)), Cell::Text(coordinates(start))]);
                }
            }
            Event::Acted { action, step, .. } => {
                let number = Cell::Integer((*action).into());
                add(ACTION, vec![number.clone(), Cell::Text(word(*step, input).into())]);
                add(ROUNDS, vec![number]);
            }
            Event::Finished { .. } if game.public().has_begun() => add(ENDING, vec![Cell::Integer(at)]),
            Event::Seated { .. }
            | Event::Refused { .. }
            | Event::Failed { .. }
            | Event::Noted { .. }
            | Event::HalfTaken { .. }
            | Event::HalfRejected { .. }
            | Event::HalfKept { .. }
            | Event::Appeared { .. }
            | Event::Moved { .. }
            | Event::Spent { .. }
            | Event::Waited {}
            | Event::TreasureSeen { .. }
            | Event::TreasureTaken { .. }
            | Event::FortSeen { .. }
            | Event::Collected { .. }
            | Event::Finished { .. } => {}
        }
    }
    let charted = said.iter().filter_map(event_of).any(|event| matches!(event, Event::Charted { .. }));
    if let Some(chart) = game.public().chart().filter(|_| charted) {
        add(MAP, vec![Cell::Text(map(game, chart))]);
    }
    records
}

fn event_of(emission: &Emission<Event>) -> Option<&Event> {
    match emission {
        Emission::Event { event, .. } => Some(event),
        Emission::Seated { .. } | Emission::Unseated { .. } => None,
    }
}

/// Ids of 2017 are numbers.
fn id(member: &Member) -> i64 {
    member.id.parse().unwrap_or_default()
}

/// From 1, as in the protocol.
fn coordinates(at: Position) -> String {
    format!("{}/{}", at.x + 1, at.y + 1)
}

/// Where an action went: who did not move, stayed.
fn word(step: Option<Direction>, input: &Input<Command, Timer>) -> &'static str {
    debug_assert!(
        matches!(input.cause, Cause::Command { command: Command::Update { .. }, .. }),
        "only updates are actions"
    );
    match step {
        Some(Direction::Up) => "UP",
        Some(Direction::Down) => "DOWN",
        Some(Direction::Left) => "LEFT",
        Some(Direction::Right) => "RIGHT",
        None => "STAY",
    }
}

/// The whole map with both forts.
fn map(game: &Game, chart: &Chart) -> String {
    let forts = Player::BOTH.map(|player| game.member(player).and_then(|member| member.start));
    let field = |(at, terrain): (Position, Terrain)| {
        if forts.contains(&Some(at)) { (Terrain::Grass, true) } else { (terrain, false) }
    };
    map_text::write(chart.fields().map(field), Coding::Digits0)
}
