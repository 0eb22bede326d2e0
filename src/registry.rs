//! The registry: the one place that lists the games.

use cli::Game;
use server::GameTable;

/// Every game of this package; the first is the default.
pub const GAMES: &[&dyn Game] = &[
    #[cfg(feature = "colony")]
    &colony::Colony,
    #[cfg(feature = "crazyhouse")]
    &crazyhouse::Crazyhouse,
    #[cfg(feature = "treasure")]
    &treasure::Treasure,
    #[cfg(feature = "project")]
    &project::Project,
];

/// Every game of this package, for a host.
pub fn game_table() -> GameTable {
    GameTable::new(GAMES.iter().map(|game| game.hosted()).collect())
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::GAMES;

    #[test]
    fn every_rulebook_is_described() {
        let description: Value = serde_json::from_str(include_str!("../docs/protocol.json")).expect("valid JSON");
        let described: Vec<&String> = description["rulebooks"].as_object().expect("by name").keys().collect();
        let mut offered: Vec<&str> = GAMES.iter().map(|game| game.hosted().name()).collect();
        offered.sort_unstable();
        assert_eq!(described, offered, "docs/protocol.json has the messages of every game");
    }
}
