//! Why a player has won or lost, in words.

use alloc::{
    format,
    string::{String, ToString},
};

use super::name;
use crate::{
    chart::Chart,
    game::Game,
    outcome::{Outcome, Reason},
    player::Player,
    private::Private,
};

/// Why a player has won or lost, and how far it had come; `None` before the end, and for a place without a player.
pub(super) fn tell(game: &Game, player: Player) -> Option<String> {
    let board = game.public();
    let private = game.private(player)?;
    let other = || name(board, player.other());
    let cause = match board.outcome()? {
        Outcome::Won { winner, reason: Reason::FortEntered } if winner == player => {
            let fort = game.private(winner.other()).and_then(|other| other.fort);
            let place = fort.map(|at| format!(" at {at}")).unwrap_or_default();
            return Some(format!(
                "It brought its treasure to the fort of {}{place}, with action {}.",
                other(),
                board.actions()
            ));
        }
        Outcome::Won { winner, reason: Reason::FortEntered } => {
            format!("{} was faster: it brought its treasure to this player's fort.", name(board, winner))
        }
        Outcome::Won { winner, .. } if winner == player => return Some(format!("{} lost before it.", other())),
        Outcome::Won { reason, .. } | Outcome::NobodyWon { reason } => mistake(game, private, reason),
        Outcome::Removed { reason } => return Some(format!("The game was removed: {reason}.")),
    };
    Some(format!("{cause} {}", progress(game, private)))
}

/// The mistake of a player, with its facts.
fn mistake(game: &Game, private: &Private, reason: Reason) -> String {
    let board = game.public();
    match reason {
        Reason::ThinkTime => {
            let limit = board.setup().think_ms().map(|ms| format!(", longer than {} s", ms / 1000));
            format!("It thought too long{}.", limit.unwrap_or_default())
        }
        Reason::ActionLimit => format!("All {} actions were made.", board.profile().action_limit),
        Reason::GameTime => "The time of the game was over at its turn.".into(),
        Reason::FortEntered
        | Reason::InvalidHalf
        | Reason::SecondHalf
        | Reason::MoveBeforeHalves
        | Reason::OutOfTurn
        | Reason::IntoWater
        | Reason::OffTheMap
        | Reason::WrongPosition
        | Reason::NotANeighbour
        | Reason::WrongCount
        | Reason::NobodyCame
        | Reason::GaveWay => match &private.failed {
            Some(refusal) => format!("It {reason} ({}): {refusal}", refusal.name()),
            None => format!("It {reason}."),
        },
    }
}

/// How far a player had come.
fn progress(game: &Game, private: &Private) -> String {
    if private.fort.is_none() {
        return "It had no half on the map yet.".into();
    }
    let treasure = match (private.collected, private.treasure) {
        (true, _) => "had its treasure".to_string(),
        (false, Some(at)) => format!("had seen its treasure at {at} but not taken it"),
        (false, None) => "had not found its treasure".to_string(),
    };
    let fort = match private.enemy_fort {
        Some(at) => format!("had seen the other's fort at {at}"),
        None => "had not seen the other's fort".to_string(),
    };
    let fields = |chart: &Chart| u32::from(chart.width()) * u32::from(chart.height());
    let seen = private.seen.count();
    let all = game.public().chart().map_or(seen, fields);
    format!("It {treasure}, {fort}, and knew {seen} of {all} fields.")
}
