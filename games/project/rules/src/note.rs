//! What only the Game Master knows, for its log.

use core::fmt;

use serde::{Deserialize, Serialize};

use crate::words::Position;

/// Something that no player is told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Note {
    /// A sham was placed: it is gone, and nothing is answered.
    ShamPlaced { player: u32, at: Position },
    /// A player without a piece asked to test one: nothing is answered.
    NothingToTest { player: u32 },
    /// The piece of a player that has left lies here now; nowhere when every tile has one.
    PieceFell { player: u32, at: Option<Position> },
    /// A new piece.
    PieceCame { at: Position, sham: bool },
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
