//! The game crazyhouse: everything but its rules, which are in `rules/`.
//!
//! [`Crazyhouse`] is the game on a host, and its entry in the program's registry. [`bots`] has the bots. [`chess`] has the notations of
//! chess players, and `analysis` judges finished games. `opponents` has the
//! bots that a host offers, and `commands` has `holdfast crazyhouse`. The pages are in `web/`. `bench/` compares the speed of
//! the rules with another crate.

mod adapter;
mod analysis;
pub mod bots;
pub mod chess;
mod commands;
mod opponents;
mod program;
mod record;
mod script;

pub use adapter::Crazyhouse;
