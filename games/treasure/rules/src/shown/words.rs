//! Events and commands in words.

use alloc::{format, string::String, vec::Vec};

use super::name;
use crate::{board::Board, command::Command, event::Event, half::Violation, player::Player};

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
        Event::Finished { outcome } => format!("The game is over: {outcome}."),
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
