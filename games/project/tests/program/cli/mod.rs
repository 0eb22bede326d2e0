//! The project game from outside.

mod commands;
#[path = "../line.rs"]
mod line;
mod players;
