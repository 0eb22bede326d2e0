//! The crazyhouse rulebook: chess for two in which captured pieces change sides.
#![no_std]
#![warn(clippy::too_many_lines, clippy::cognitive_complexity, clippy::excessive_nesting, clippy::too_many_arguments)]

extern crate alloc;

pub mod attacks;
mod generate;
mod moves;
mod notation;
mod perft;
mod piece;
mod position;
mod square;

pub use moves::{Move, MoveList, Origin};
pub use notation::{PositionError, Problem};
pub use perft::{divide, perft};
pub use piece::{Kind, Piece, Side};
pub use position::Position;
pub use square::{Square, Squares};
