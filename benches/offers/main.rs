//! Measures what offers cost: how long the rules need to say what a player can do now, at every moment of random games. A host does it
//! for each request for offers; a bot and a page ask before each move.
//!
//! `cargo xtask bench offers` also measures the games of `examples/`, by their own programs: `tictactoe simulate --offers`.
#![allow(clippy::print_stdout, reason = "a benchmark is its output")]

use cli::any_game::{OfferCosts, create};

/// The players that look for a seat, and the moments of a row.
const PLAYERS: u32 = 5;
const MOMENTS: usize = 20_000;

fn main() {
    for game in holdfast::GAMES.iter().map(|game| game.hosted()).filter(|game| game.is_on_common_wire()) {
        for scenario in game.scenarios() {
            let costs = OfferCosts::measure(game, &create(game, Some(scenario), None), PLAYERS, 1, MOMENTS);
            match costs {
                Ok(Some(costs)) => println!("{}, {scenario}: {costs}", game.name()),
                Ok(None) => println!("{}, {scenario}: there is nothing to do", game.name()),
                Err(refused) => println!("{}, {scenario}: {}", game.name(), refused.message),
            }
        }
    }
}
