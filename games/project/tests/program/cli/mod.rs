//! The programs of the project game, tested from outside.

mod commands;
#[path = "../line.rs"]
mod line;
mod live;
mod players;
