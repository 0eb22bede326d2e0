//! The documents of the treasure rulebook, by protocol year.

pub mod y2017;
pub mod y2022;
