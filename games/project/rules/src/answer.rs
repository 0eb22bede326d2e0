//! Answers of the Game Master to actions.

use alloc::sync::Arc;
use core::fmt;

use serde::{Deserialize, Serialize};

use crate::words::{Placed, Position, Tested, Tile};

/// An answer to a request. The game keeps it, so that a repeated request gets the same answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Answer {
    /// The answer to a step.
    Moved {
        /// Whether the player has moved.
        success: bool,
        /// The position of the player after the request.
        position: Position,
        /// The distance to the nearest piece, if it has moved.
        distance: Option<i32>,
    },
    /// The tiles around the player.
    Discovered {
        /// The tiles.
        tiles: Arc<[Tile]>,
    },
    /// The answer to picking up a piece.
    PickedUp {
        /// Whether the player picked up the piece.
        success: bool,
    },
    /// The answer to a test.
    Tested {
        /// The result of the test.
        result: Tested,
    },
    /// The answer to placing a piece.
    Placed {
        /// The result of placing the piece.
        result: Placed,
    },
    /// No answer is sent: the player placed a sham, or had nothing to test.
    Silence,
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Moved { success: true, position, distance: Some(-1) | None } => write!(f, "moves to {position}"),
            Self::Moved { success: true, position, distance: Some(distance) } => {
                write!(f, "moves to {position}, {distance} from a piece")
            }
            Self::Moved { success: false, position, .. } => write!(f, "cannot move and stays at {position}"),
            Self::Discovered { tiles } => write!(f, "discovers {} tiles", tiles.len()),
            Self::PickedUp { success: true } => write!(f, "picks up a piece"),
            Self::PickedUp { success: false } => write!(f, "cannot pick up a piece"),
            Self::Tested { result: Tested::Piece } => write!(f, "tests its piece: it is one"),
            Self::Tested { result: Tested::Sham } => write!(f, "tests its piece: it was a sham"),
            Self::Placed { result: Placed::Completed } => write!(f, "completes a goal"),
            Self::Placed { result: Placed::Meaningless } => write!(f, "places its piece where no goal is"),
            Self::Placed { result: Placed::Disallowed } => write!(f, "may not place anything here"),
            Self::Silence => write!(f, "is told nothing"),
        }
    }
}
