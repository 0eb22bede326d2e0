//! Events and commands in words.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use engine::Emission;

use super::name;
use crate::{
    board::Board,
    command::Command,
    event::Event,
    half::Violation,
    map::Direction,
    outcome::{Outcome, Reason},
    player::Player,
};

pub(super) fn tell_event(board: &Board, event: &Event) -> String {
    let name = |player: &Player| name(board, *player);
    match event {
        Event::Seated { player, .. } => format!("You are {player}."),
        Event::Refused { refusal } => format!("Refused ({}): {refusal}", refusal.name()),
        Event::Failed { refusal } => format!("Refused, and the game is over ({}): {refusal}", refusal.name()),
        Event::Noted { number, refusal } => format!("Unreadable message {number}: {refusal}"),
        Event::Registered { first_name, last_name, .. } => format!("{first_name} {last_name} takes part."),
        Event::Began { starter } => format!("Both players are there, and {} begins.", name(starter)),
        Event::HalfTaken { player, action } => format!("{}{} sends a valid half.", number(*action), name(player)),
        Event::HalfRejected { player, action, report, violations } => {
            let rules = rules(violations);
            format!("{}{} sends a half that breaks {rules}: {report}.", number(*action), name(player))
        }
        Event::HalfKept { report, fort, .. } => format!("Your half has {report}; your fort is at {fort}."),
        Event::Charted { player, placement, report, .. } => {
            format!("The half of {} is on the map ({placement:?}): {report}.", name(player))
        }
        Event::Acted { player, action, step: Some(step) } => {
            format!("{}{} goes {}.", number(Some(*action)), name(player), step.word())
        }
        Event::Acted { player, action, step: None } => format!("{}{} acts.", number(Some(*action)), name(player)),
        Event::Moved { to } => format!("You are at {to} now."),
        Event::Spent { direction, left } => format!("You are on your way {}, {left} more to go.", direction.word()),
        Event::Waited {} => "You stay where you are.".into(),
        Event::Appeared { first, second } => {
            let [one, other] = Player::BOTH.map(|player| name(&player));
            format!("{one} is at {first}, {other} at {second}, visible to both.")
        }
        Event::TreasureSeen { at } => format!("You see your treasure at {at}."),
        Event::TreasureTaken { at } => format!("You have your treasure, which was at {at}."),
        Event::FortSeen { at } => format!("You see the opponent's fort at {at}."),
        Event::Collected { player } => format!("{} has its treasure.", name(player)),
        Event::Finished { outcome: end } => format!("The game is over: {}.", outcome(board, end)),
    }
}

/// An action with what only its player was told: where it went, and what it saw there.
pub(super) fn tell_whole_event(board: &Board, emissions: &[Emission<Event>], place: usize) -> Option<String> {
    let Some(Emission::Event { event: Event::Acted { player, action, step }, .. }) = emissions.get(place) else {
        return None;
    };
    let parts: Vec<String> = emissions.iter().filter_map(|emission| part(emission, *step)).collect();
    let (last, before) = parts.split_last()?;
    let before = if before.is_empty() { String::new() } else { format!("{} and ", before.join(", ")) };
    Some(format!("{}{} {before}{last}.", number(Some(*action)), name(board, *player)))
}

/// What a player was told about its own action, as a part of a sentence.
fn part(emission: &Emission<Event>, step: Option<Direction>) -> Option<String> {
    let Emission::Event { event, .. } = emission else { return None };
    if let Event::Moved { to } = event {
        let way = step.map_or_else(String::new, |step| format!("{} ", step.word()));
        Some(format!("goes {way}to {to}"))
    } else if let Event::Spent { direction, left } = event {
        Some(format!("is on the way {}, {left} more to go", direction.word()))
    } else if let Event::Waited {} = event {
        Some("stays".into())
    } else if let Event::TreasureSeen { at } = event {
        Some(format!("sees its treasure at {at}"))
    } else if let Event::FortSeen { at } = event {
        Some(format!("sees the other's fort at {at}"))
    } else if let Event::TreasureTaken { .. } = event {
        Some("takes its treasure".into())
    } else if let Event::Failed { refusal } = event {
        Some(format!("breaks a rule ({})", refusal.name()))
    } else {
        None
    }
}

/// An outcome with the names of the players.
pub(super) fn outcome(board: &Board, outcome: &Outcome) -> String {
    match outcome {
        Outcome::Won { winner, reason: Reason::FortEntered } => {
            format!("{} wins: it {}", name(board, *winner), Reason::FortEntered)
        }
        Outcome::Won { winner, reason } => {
            format!("{} wins: {} {reason}", name(board, *winner), name(board, winner.other()))
        }
        Outcome::NobodyWon { .. } | Outcome::Removed { .. } => outcome.to_string(),
    }
}

/// Describes a command, without the player's secret id.
pub(super) fn tell_command(command: &Command) -> String {
    match command {
        Command::Register { first_name, last_name, .. } => format!("{first_name} {last_name} registers"),
        Command::SendHalf { fields, .. } => format!("send a half of {} fields", fields.len()),
        Command::Move { direction } => format!("move {}", direction.word()),
        Command::Update { x, y, wanted_x, wanted_y, turns } if (x, y) == (wanted_x, wanted_y) => {
            format!("stay at ({x}, {y}), count {turns}")
        }
        Command::Update { x, y, wanted_x, wanted_y, turns } => {
            format!("go from ({x}, {y}) to ({wanted_x}, {wanted_y}), count {turns}")
        }
        Command::Garbled { problem } => format!("something unreadable: {problem}"),
        Command::Remove {} => "remove the game".into(),
    }
}

/// The number of an action, as the beginning of a sentence.
fn number(action: Option<u32>) -> String {
    action.map_or(String::new(), |action| format!("Action {action}: "))
}

/// The rules that are broken, each once.
fn rules(violations: &[Violation]) -> String {
    let mut names: Vec<&str> = violations.iter().map(Violation::rule).collect();
    names.dedup();
    names.join(", ")
}
