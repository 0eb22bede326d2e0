//! The two players.

use core::fmt;

use serde::{Deserialize, Serialize};

/// A player, by the order of registration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Player {
    /// The player who registered first.
    First,
    /// The player who registered second.
    Second,
}

impl Player {
    /// Both players.
    pub const BOTH: [Self; 2] = [Self::First, Self::Second];

    /// The opponent.
    pub fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::First => "the first player",
            Self::Second => "the second player",
        })
    }
}
