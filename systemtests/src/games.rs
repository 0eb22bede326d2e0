//! The games whose scripts the harness plays.

use script::Games;

/// Every game of the program that has scripts: the one place of the harness that knows where games come from.
pub fn games() -> Games {
    Games::new(holdfast::GAMES.iter().filter_map(|game| game.scripted()))
}
