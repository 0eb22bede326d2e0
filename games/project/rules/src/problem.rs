//! What can be wrong with a setup, and the words for it.

use alloc::string::String;
use core::fmt;

use crate::words::Position;

/// The longest side of a board: whatever is larger is a slip, and costs memory.
pub const LONGEST_SIDE: i32 = 1000;

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    TooNarrow { width: i32 },
    TooLow { height: i32 },
    TooLarge { width: i32, height: i32 },
    NoPlayers { players: i32 },
    TooManyPlayers { players: i32, tiles: i64 },
    ShamsPercentage { percentage: i32 },
    TooManyPieces { pieces: i32, tiles: i64 },
    TooFewPieces { valid: i64, goals: usize },
    NoGoal,
    GoalTwice { goal: Position },
    GoalOutside { goal: Position },
    NotIpv4 { address: String },
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooNarrow { width } => write!(f, "The board is {width} wide; it must be at least 2."),
            Self::TooLow { height } => write!(f, "The board is {height} high; it must be at least 4."),
            Self::TooLarge { width, height } => {
                write!(f, "The board is {width} x {height}; each side must be at most {LONGEST_SIDE}.")
            }
            Self::NoPlayers { players } => write!(f, "A team has {players} players; it must have at least 1."),
            Self::TooManyPlayers { players, tiles } => {
                write!(f, "A team has {players} players, and its goal area only {tiles} tiles.")
            }
            Self::ShamsPercentage { percentage } => {
                write!(f, "The percentage of shams is {percentage}; it must be 0 to 100.")
            }
            Self::TooManyPieces { pieces, tiles } => {
                write!(f, "There are {pieces} pieces, and the task area has only {tiles} tiles.")
            }
            Self::TooFewPieces { valid, goals } => {
                write!(f, "There are {valid} pieces that are no shams, and a team has {goals} goals.")
            }
            Self::NoGoal => write!(f, "There is no goal."),
            Self::GoalTwice { goal } => write!(f, "The goal {goal} is there twice."),
            Self::GoalOutside { goal } => write!(f, "The goal {goal} is outside Blue's goal area."),
            Self::NotIpv4 { address } => write!(f, "The address {address:?} is no IPv4 address."),
        }
    }
}
