//! The two teams.

use core::fmt;

use serde::{Deserialize, Serialize};

/// A team.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Team {
    /// The team at the bottom of the board.
    Blue,
    /// The team at the top of the board.
    Red,
}

impl Team {
    /// Both teams.
    pub const BOTH: [Self; 2] = [Self::Blue, Self::Red];

    /// The other team.
    pub fn other(self) -> Self {
        match self {
            Self::Blue => Self::Red,
            Self::Red => Self::Blue,
        }
    }

    /// The name for programs: `blue` or `red`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Blue => "blue",
            Self::Red => "red",
        }
    }
}

impl fmt::Display for Team {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Blue => "Blue",
            Self::Red => "Red",
        })
    }
}
