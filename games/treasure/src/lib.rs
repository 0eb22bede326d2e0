//! The treasure rulebook: two build half a map each, look for their own treasure and then for the other's fort.
#![no_std]

extern crate alloc;

mod map;

pub use map::{Direction, Field, Position, Terrain};
