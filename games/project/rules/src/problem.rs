//! The problems that a setup can have, and the words for them.

use alloc::string::String;
use core::fmt;

use crate::words::Position;

/// The longest side of a board. A larger board would cost too much memory.
pub const LONGEST_SIDE: i32 = 1000;

/// A reason why no game can be played with a setup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetupProblem {
    /// The board is less than 2 tiles wide.
    TooNarrow {
        /// The width of the board.
        width: i32,
    },
    /// The board is less than 4 tiles high.
    TooLow {
        /// The height of the board.
        height: i32,
    },
    /// A side of the board is longer than [`LONGEST_SIDE`].
    TooLarge {
        /// The width of the board.
        width: i32,
        /// The height of the board.
        height: i32,
    },
    /// A team has no players.
    NoPlayers {
        /// The number of players in a team.
        players: i32,
    },
    /// A team has more players than its goal area has tiles.
    TooManyPlayers {
        /// The number of players in a team.
        players: i32,
        /// The number of tiles.
        tiles: i64,
    },
    /// The percentage of shams is not between 0 and 100.
    ShamsPercentage {
        /// The percentage.
        percentage: i32,
    },
    /// There are more pieces than tiles in the task area.
    TooManyPieces {
        /// The number of pieces.
        pieces: i32,
        /// The number of tiles.
        tiles: i64,
    },
    /// There are fewer valid pieces than goals.
    TooFewPieces {
        /// The number of pieces that are not shams.
        valid: i64,
        /// The number of goals of a team.
        goals: usize,
    },
    /// The setup has no goals.
    NoGoal,
    /// A goal is listed twice.
    GoalTwice {
        /// The goal.
        goal: Position,
    },
    /// A goal is not in Blue's goal area.
    GoalOutside {
        /// The goal.
        goal: Position,
    },
    /// The address of the server is not an IPv4 address.
    NotIpv4 {
        /// The address.
        address: String,
    },
}

impl fmt::Display for SetupProblem {
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
            Self::GoalTwice { goal } => write!(f, "The goal {goal} is listed twice."),
            Self::GoalOutside { goal } => write!(f, "The goal {goal} is outside Blue's goal area."),
            Self::NotIpv4 { address } => write!(f, "The address {address:?} is no IPv4 address."),
        }
    }
}
