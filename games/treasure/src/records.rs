//! The database records of the protocol of 2017: four tables, written together with the entries of the log.

use engine::{Cause, Emission, Input};
use server::log::{Cell, Column, Record, Table};
use treasure_rules::{Chart, Coding, Command, Direction, Event, Game, Member, Player, Position, Terrain, Timer, Year};

use crate::documents::y2017::map_text;

pub(crate) const TABLES: &[&Table] = &[GAME, PLAYER, ACTIONS, PLAY];

const GAME: &Table = &Table {
    name: "Game",
    key: &["GameID"],
    columns: &[
        Column::game("GameID"),
        Column::time("Beginning").optional(),
        Column::time("Ending").optional(),
        Column::integer("RoundNumber").between(0, 200),
        Column::text("Map").optional().length(128, 128),
    ],
};

/// Every player who ever registered.
pub(crate) const PLAYER: &Table = &Table {
    name: "Player",
    key: &[PLAYER_ID],
    columns: &[
        Column::integer(PLAYER_ID),
        Column::text("Surname").length(0, 30),
        Column::text("FirstName").length(0, 30),
        Column::text("MatriculationNumber").length(0, 9),
        Column::text("StartingCoordinates").optional(),
    ],
};

/// The key of [`PLAYER`].
pub(crate) const PLAYER_ID: &str = "PlayerID";

/// The columns of [`PLAY`] with the players.
pub(crate) const PLAYER_IDS: [&str; 2] = ["PlayerID1", "PlayerID2"];

const ACTIONS: &Table = &Table {
    name: "ActionList",
    key: &["GameID", "ActionID"],
    columns: &[
        Column::game("GameID").references("Game"),
        Column::integer("ActionID"),
        Column::text("Action").one_of(&["UP", "DOWN", "LEFT", "RIGHT", "STAY"]),
    ],
};

/// The games of two players.
pub(crate) const PLAY: &Table = &Table {
    name: "Play",
    key: &["GameID", PLAYER_IDS[0], PLAYER_IDS[1]],
    columns: &[
        Column::game("GameID").references("Game"),
        Column::integer(PLAYER_IDS[0]).references("Player"),
        Column::integer(PLAYER_IDS[1]).references("Player").differs_from(PLAYER_IDS[0]),
    ],
};

/// The changes of the tables by one log entry.
pub(super) fn records_of(game: &Game, input: &Input<Command, Timer>, said: &[Emission<Event>], at: i64) -> Vec<Record> {
    if game.public().setup().year != Year::Y2017 {
        return Vec::new();
    }
    let mut records = Vec::new();
    let mut add = |record| records.push(record);
    let player_id = |player| Cell::Integer(game.member(player).map_or(0, |member| id(&member)));
    let this_game = |column, cell| Record::update(GAME, [Cell::ThisGame], [(column, cell)]);
    for event in said.iter().filter_map(event_of) {
        match event {
            Event::Registered { player, .. } => {
                let Some(member) = game.member(*player) else { continue };
                let text = |text: &str| Cell::Text(text.to_owned());
                let values = [
                    (PLAYER_ID, Cell::Integer(id(&member))),
                    ("Surname", text(&member.last_name)),
                    ("FirstName", text(&member.first_name)),
                    ("MatriculationNumber", text(&member.account)),
                ];
                add(Record::insert(PLAYER, values));
            }
            Event::Began { .. } => {
                let values =
                    [("GameID", Cell::ThisGame), ("Beginning", Cell::Time(at)), ("RoundNumber", Cell::Integer(0))];
                add(Record::insert(GAME, values));
                let [first, second] = Player::BOTH.map(player_id);
                let values = [("GameID", Cell::ThisGame), (PLAYER_IDS[0], first), (PLAYER_IDS[1], second)];
                add(Record::insert(PLAY, values));
            }
            Event::Charted { player, .. } => {
                let start = game.member(*player).and_then(|member| member.start);
                if let Some(start) = start {
                    let start = Cell::Text(coordinates(start));
                    add(Record::update(PLAYER, [player_id(*player)], [("StartingCoordinates", start)]));
                }
            }
            Event::Acted { action, step, .. } => {
                let number = Cell::Integer((*action).into());
                let action = Cell::Text(word(*step, input).into());
                let values = [("GameID", Cell::ThisGame), ("ActionID", number.clone()), ("Action", action)];
                add(Record::insert(ACTIONS, values));
                add(this_game("RoundNumber", number));
            }
            Event::Finished { .. } if game.public().has_begun() => {
                add(this_game("Ending", Cell::Time(at)));
            }
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
        add(this_game("Map", Cell::Text(map(game, chart))));
    }
    records
}

fn event_of(emission: &Emission<Event>) -> Option<&Event> {
    match emission {
        Emission::Event { event, .. } => Some(event),
        Emission::Seated { .. } | Emission::Unseated { .. } => None,
    }
}

/// The id as a number. Ids of 2017 are numbers.
fn id(member: &Member) -> i64 {
    member.id.parse().unwrap_or_default()
}

/// Column and row, counted from 1 as in the protocol.
fn coordinates(at: Position) -> String {
    format!("{}/{}", at.x + 1, at.y + 1)
}

/// The direction of an action; STAY if the avatar did not move.
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
