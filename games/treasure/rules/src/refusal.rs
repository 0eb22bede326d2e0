//! The refusals of commands, with the facts, and the words for them.

use alloc::{sync::Arc, vec::Vec};
use core::fmt;

use engine::{Message, messages};
use serde::{Deserialize, Serialize};

use crate::{
    half::Violation,
    map::{Direction, Position},
    profile::Year,
};

/// The names that a player registers with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Named {
    /// The first name.
    FirstName,
    /// The last name.
    LastName,
    /// The account.
    Account,
}

messages! {
    /// The reason why a command is refused, with its facts.
    #[allow(missing_docs, reason = "the fields are named after their types")]
    pub enum Refusal {
        /// The sender does not play in this game.
        NotRegistered {},
        /// The sender plays in this game already.
        AlreadyRegistered {},
        /// Two players are registered already.
        GameFull {},
        /// Another player has this id, or it is empty or too long.
        UnusableId {},
        /// A name is too short or too long.
        WrongLength { named: Named, found: u32, least: u32, most: u32 },
        /// The command belongs to another year.
        WrongYear { year: Year },
        /// It is the opponent's turn, or the game has not begun.
        NotYourTurn { begun: bool },
        /// The half breaks rules.
        InvalidHalf { violations: Vec<Violation> },
        /// The sender has sent its half before.
        SecondHalf {},
        /// Moves are allowed only after both halves.
        MoveBeforeHalves { halves: u8 },
        /// The step leads into water.
        IntoWater { from: Position, direction: Direction },
        /// The step leads off the map.
        OffTheMap { from: Position, direction: Direction, width: u8, height: u8 },
        /// The named position is not the player's.
        WrongPosition { x: i32, y: i32, at: Position },
        /// The wanted field is not the player's own and not one of its neighbours.
        NotANeighbour { x: i32, y: i32, at: Position },
        /// The count is wrong.
        WrongCount { turns: i32, expected: u8 },
        /// The game is over.
        GameOver {},
        /// The message cannot be read.
        Unreadable { problem: Arc<str> },
        /// Only the host itself can do this.
        OnlyTheHost {},
    }
}

impl Refusal {
    /// The name of the rule. Names never change, because clients depend on them.
    pub fn name(&self) -> &'static str {
        if let Self::InvalidHalf { violations } = self
            && let Some(first) = violations.first()
        {
            return first.rule();
        }
        self.kind().name
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotRegistered {} => write!(f, "You do not play in this game; register first, and use your own id."),
            Self::AlreadyRegistered {} => write!(f, "You are registered already."),
            Self::GameFull {} => write!(f, "Two players are registered already, which is the most; take another game."),
            Self::UnusableId {} => write!(f, "This id cannot be used; draw another."),
            Self::WrongLength { named, found, least, most } => {
                write!(f, "The {named} has {found} characters; it needs {least} to {most}.")
            }
            Self::WrongYear { year } => write!(f, "The protocol of {year} has no such command."),
            Self::NotYourTurn { begun: true } => write!(f, "It is the opponent's turn; act when it is yours."),
            Self::NotYourTurn { begun: false } => {
                write!(f, "The game begins when the second player registers; act when it is your turn.")
            }
            Self::InvalidHalf { violations } => {
                let between = |place: usize| if place == 0 { "" } else { " " };
                violations.iter().enumerate().try_for_each(|(place, one)| write!(f, "{}{one}", between(place)))
            }
            Self::SecondHalf {} => write!(f, "You have sent your half before; each player sends 1."),
            Self::MoveBeforeHalves { halves } => {
                write!(f, "{halves} of 2 halves are there; moves are allowed when both are.")
            }
            Self::IntoWater { from, direction } => {
                write!(f, "{direction} of {from} is water, which no player may enter; go to grass or a mountain.")
            }
            Self::OffTheMap { from, direction, width, height } => {
                write!(f, "{direction} of {from} the map ends; X is 0 to {}, Y is 0 to {}.", width - 1, height - 1)
            }
            Self::WrongPosition { x, y, at } => write!(f, "You are at {at}, not at ({x}, {y})."),
            Self::NotANeighbour { x, y, at } => {
                write!(f, "({x}, {y}) is not next to {at}; stay, or go up, down, left or right by 1.")
            }
            Self::WrongCount { turns, expected } => write!(f, "The count is {turns}; it must be {expected} here."),
            Self::GameOver {} => write!(f, "The game is over; nothing changes any more."),
            Self::Unreadable { problem } => write!(f, "{problem}"),
            Self::OnlyTheHost {} => write!(f, "Only the host itself can do this."),
        }
    }
}

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::FirstName => "first name",
            Self::LastName => "last name",
            Self::Account => "account",
        })
    }
}
