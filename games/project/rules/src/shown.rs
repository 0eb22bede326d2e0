//! The game as people see it: pictures, words and figures.

mod known;
mod truth;

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use engine::{Audience, CommId, Emission, Moment, Shown};
use serde_json::{Value, json};

use crate::{
    board::{Board, Phase, Seat},
    command::Command,
    event::Event,
    game::{GAME_MASTER, Game},
    player::Connection,
    setup::Setup,
    team::Team,
};

/// The number of actions that count as a round, for navigation in a game.
const ROUND: u64 = 20;

impl Shown for Game {
    const FIGURES: &'static [&'static str] = &["Blue goals", "Red goals", "actions", "players"];

    /// Leaves out the goals and hashes, which are secrets of the setup.
    fn stage(setup: &Setup) -> Value {
        json!({
            "width": setup.width,
            "height": setup.height,
            "goal_rows": setup.area().goal_rows(),
            "players_per_team": setup.players_per_team,
        })
    }

    fn picture(board: &Board) -> Value {
        let player = |seat: &Seat| {
            json!({
                "id": seat.player,
                "team": seat.team,
                "leader": board.leads(seat.player),
                "connection": connection(seat.connection),
            })
        };
        json!({
            "phase": phase(board.phase()),
            "players": board.seats().iter().map(player).collect::<Vec<_>>(),
            "score": {"blue": board.goals(Team::Blue), "red": board.goals(Team::Red)},
            "actions": board.actions(),
            "outcome": board.outcome().map(|outcome| outcome.to_string()),
        })
    }

    fn hidden(&self) -> Value {
        truth::picture(self)
    }

    fn moment(board: &Board) -> Moment {
        let round = if board.has_begun() { u32::try_from(board.actions() / ROUND + 1).unwrap_or(u32::MAX) } else { 0 };
        Moment { round, turn: None }
    }

    fn figures(board: &Board) -> Vec<i64> {
        let [blue, red] = Team::BOTH.map(|team| i64::from(board.goals(team)));
        let here = board.seats().iter().filter(|seat| seat.connection == Connection::Here).count();
        Vec::from([blue, red, i64::try_from(board.actions()).unwrap_or(i64::MAX), here as i64])
    }

    fn tell_event(board: &Board, event: &Event) -> String {
        match event {
            Event::Confirmed { player } => format!("You are player {player}."),
            Event::Refused { refusal } => refusal.to_string(),
            Event::TeamGiven { team, leader: true, .. } => format!("You lead {team}."),
            Event::TeamGiven { team, leader: false, .. } => format!("You play for {team}."),
            Event::Started { position, .. } => format!("The game runs; you stand at {position}."),
            Event::Answered { answer, .. } => format!("{}.", capital(&answer.to_string())),
            Event::Repeated { answer, .. } => format!("Once more: {answer}."),
            Event::Noted { note } => note.to_string(),
            Event::Learnt { from, tiles } => format!("Learns {} from {}.", count(tiles.len()), name(board, *from)),
            Event::Ended { outcome } => format!("{outcome}."),
            Event::Began {} => "The game runs.".into(),
            Event::Joined { player } => format!("Player {player} takes part."),
            Event::TeamJoined { player, team } => {
                format!("Player {player} {} {team}.", board.leader(*team).map_or("leads", |_| "plays for"))
            }
            Event::Acted { player } => format!("{} acts.", capital(&name(board, *player))),
            Event::Scored { team } => format!("{team} completes a goal."),
            Event::Lost { player } => format!("The connection of {} is lost.", name(board, *player)),
            Event::Returned { player } => format!("{} is back.", capital(&name(board, *player))),
            Event::Left { player } => format!("{} has left.", capital(&name(board, *player))),
            Event::Told { from, to } => {
                capital(&format!("{} tells {} what it knows.", name(board, *from), name(board, *to)))
            }
        }
    }

    /// An action with its answer, which only its player gets, or with the note of the Game Master if there is no answer.
    fn tell_whole_event(
        _: Option<&Self>,
        board: &Board,
        emissions: &[Emission<Event>],
        place: usize,
    ) -> Option<String> {
        let (Emission::Event { event: Event::Acted { player }, .. }, before) = emissions.get(..=place)?.split_last()?
        else {
            return None;
        };
        let mut private = before.iter().rev().map_while(|emission| match emission {
            Emission::Event { audience: Audience::Only(_), event } => Some(event),
            Emission::Event { audience: Audience::All | Audience::Board, .. }
            | Emission::Seated { .. }
            | Emission::Unseated { .. } => None,
        });
        private.find_map(|event| {
            if let Event::Answered { answer, .. } = event {
                Some(format!("{} {answer}.", capital(&name(board, *player))))
            } else if let Event::Noted { note } = event {
                Some(note.to_string())
            } else {
                None
            }
        })
    }

    fn tell_command(board: &Board, command: &Command) -> String {
        match command {
            Command::Join { .. } => "asks to take part".into(),
            Command::ChooseTeam { team, .. } => format!("asks to play for {team}"),
            Command::Move { direction, .. } => format!("move {direction}"),
            Command::Discover { .. } => "discover".into(),
            Command::PickUp { .. } => "pick up".into(),
            Command::Test { .. } => "test".into(),
            Command::Place { .. } => "place".into(),
            Command::Lost {} => "the connection is lost".into(),
            Command::Fail { because } => format!("unexpected error: {because}"),
            Command::Exchanged { from, to, tiles } => {
                format!("{} tells {} of {}", name(board, *from), name(board, *to), count(tiles.len()))
            }
        }
    }

    fn name_of(&self, client: CommId) -> Option<String> {
        if client == GAME_MASTER {
            return Some("Game Master".into());
        }
        let player = self.players.iter().rev().find(|player| player.client == client)?;
        Some(name(&self.board, player.id))
    }

    fn players(board: &Board) -> Vec<String> {
        board.seats().iter().map(|seat| name(board, seat.player)).collect()
    }
}

/// The name of a player for people: `player 3 (Blue)`.
fn name(board: &Board, player: u32) -> String {
    let team = board.seats().iter().find(|seat| seat.player == player).and_then(|seat| seat.team);
    team.map_or_else(|| format!("player {player}"), |team| format!("player {player} ({team})"))
}

fn count(tiles: usize) -> String {
    if tiles == 1 { "1 tile".into() } else { format!("{tiles} tiles") }
}

fn capital(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn phase(phase: Phase) -> &'static str {
    match phase {
        Phase::Lobby => "lobby",
        Phase::Running => "running",
        Phase::Over => "over",
    }
}

fn connection(connection: Connection) -> &'static str {
    match connection {
        Connection::Here => "here",
        Connection::Lost => "lost",
        Connection::Gone => "gone",
    }
}
