//! Notes for the Game Master's trace.

use core::fmt;

use serde::{Deserialize, Serialize};

use crate::words::Position;

/// A fact that only the Game Master receives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Note {
    /// A player placed a sham, which is gone now. The player gets no answer.
    ShamPlaced {
        /// The player.
        player: u32,
        /// The tile.
        at: Position,
    },
    /// A player without a piece asked to test one. It gets no answer.
    NothingToTest {
        /// The player.
        player: u32,
    },
    /// A player that carried a piece has left.
    PieceFell {
        /// The player.
        player: u32,
        /// The tile on which its piece lies now; `None` if every tile has a piece.
        at: Option<Position>,
    },
    /// A new piece has appeared.
    PieceCame {
        /// The tile.
        at: Position,
        /// Whether the piece is a sham.
        sham: bool,
    },
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ShamPlaced { player, at } => write!(f, "Player {player} placed a sham at {at} and is told nothing."),
            Self::NothingToTest { player } => write!(f, "Player {player} has no piece to test and is told nothing."),
            Self::PieceFell { player, at: Some(at) } => write!(f, "The piece of player {player} falls at {at}."),
            Self::PieceFell { player, at: None } => {
                write!(f, "The piece of player {player} is gone: every tile of the task area has one.")
            }
            Self::PieceCame { at, sham: false } => write!(f, "A new piece lies at {at}."),
            Self::PieceCame { at, sham: true } => write!(f, "A new sham lies at {at}."),
        }
    }
}
