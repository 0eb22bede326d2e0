//! The games of the program that have scripts.

use script::Games;

/// All games of the program that have scripts.
pub fn games() -> Games {
    Games::new(holdfast::GAMES.iter().filter_map(|game| game.scripted()))
}
