//! The game crazyhouse: everything but its rules, which are in `rules/`.
//!
//! [`Crazyhouse`] is the game on a host, and its entry in the program's registry. [`bots`] has the bots. `opponents` has the
//! bots that a host offers, and `commands` has `holdfast crazyhouse`. The pages are in `web/`. `bench/` compares the speed of
//! the rules with another crate.

mod adapter;
pub mod bots;
mod commands;
mod opponents;
mod program;
mod script;

pub use adapter::Crazyhouse;
