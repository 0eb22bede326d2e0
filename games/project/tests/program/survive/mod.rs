//! The project game while its programs are killed.
//!
//! - `game_master`: a Game Master that is killed while its players wait for answers
//! - `programs`: the game as processes: every message against the schemas, kills of all programs
//! - `line`: a player on the wire

mod game_master;
#[path = "../line.rs"]
mod line;
mod programs;
