//! The project rulebook: two teams of agents race to finish the same project on a board that nobody sees whole.
#![no_std]

extern crate alloc;

mod words;

pub use words::{Direction, EndReason, Placed, Position, Team, Tested, Tile, TileObject};
