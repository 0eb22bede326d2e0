//! Numbers with nouns: one game, two games.

use std::fmt::Display;

/// `1 game`, `0 games` or `2 games` for `["game", "games"]`.
pub fn counted<N: Display + PartialEq + From<u8>>(number: N, [one, many]: [&str; 2]) -> String {
    let noun = if number == N::from(1) { one } else { many };
    format!("{number} {noun}")
}

/// Games.
pub const GAMES: [&str; 2] = ["game", "games"];
/// Entries of a log.
pub const ENTRIES: [&str; 2] = ["entry", "entries"];
/// Players.
pub const PLAYERS: [&str; 2] = ["player", "players"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_and_all_others() {
        let said = [0_u64, 1, 2, 11, 21].map(|number| counted(number, ENTRIES));
        assert_eq!(said, ["0 entries", "1 entry", "2 entries", "11 entries", "21 entries"]);
    }
}
