//! Holdfast as a library: [`App`] is the whole program for a list of games.

mod app;
mod completions;
mod host;
mod log;
mod registry;
mod rng;

pub use app::App;
pub use registry::{GAMES, game_table};
