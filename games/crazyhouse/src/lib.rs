//! The game crazyhouse: everything but its rules, which are in `rules/`.
//!
//! [`Crazyhouse`] is the game on a host, and its entry in the program's registry. [`bots`] has the players that are programs.
//! What a host offers of them is in `opponents`, and `holdfast crazyhouse` is in `commands`. The pages are in `web/`, and
//! `bench/` measures the rules beside a crate of others.

mod adapter;
pub mod bots;
mod commands;
mod opponents;
mod program;

pub use adapter::Crazyhouse;
