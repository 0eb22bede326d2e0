//! Notes for the Game Master's trace.

use core::fmt;

use serde::{Deserialize, Serialize};

use crate::words::Position;

/// A fact that no player learns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Note {
    /// A sham was placed and is gone. It is answered with silence.
    ShamPlaced {
        /// The player.
        player: u32,
        /// Where.
        at: Position,
    },
    /// A player without a piece asked to test one. It is answered with silence.
    NothingToTest {
        /// The player.
        player: u32,
    },
    /// A player with a piece has left.
    PieceFell {
        /// The player.
        player: u32,
        /// Where its piece lies now; none if every tile has a piece.
        at: Option<Position>,
    },
    /// A new piece has appeared.
    PieceCame {
        /// Where.
        at: Position,
        /// Whether it is a sham.
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
