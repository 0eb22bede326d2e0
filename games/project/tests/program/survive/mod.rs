//! The project game while its programs are killed.
//!
//! - `game_master`: a Game Master that is killed while its players wait for answers
//! - `programs`: the game as processes; every message matches the schemas, and all programs are killed
//! - `line`: a player on the wire

mod game_master;
#[path = "../line.rs"]
mod line;
mod programs;
