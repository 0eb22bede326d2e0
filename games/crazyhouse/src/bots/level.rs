//! The levels 1 to 8: the bot `search` with a number of positions for each move, so that a level plays the same on every machine.

use super::{Bot, Budget, Entry, search::Search};

/// How many positions each level searches for a move, from level 1 to level 8.
pub(super) const NODES: [u64; 8] = [10, 40, 150, 500, 1_500, 5_000, 15_000, 50_000];

/// The bots of the levels, the weakest first.
pub(super) const LEVELS: [Entry; 8] = [
    level::<0>("level-1", "level 1 of 8: looks at 10 positions for a move"),
    level::<1>("level-2", "level 2 of 8: looks at 40 positions for a move"),
    level::<2>("level-3", "level 3 of 8: looks at 150 positions for a move"),
    level::<3>("level-4", "level 4 of 8: looks at 500 positions for a move"),
    level::<4>("level-5", "level 5 of 8: looks at 1,500 positions for a move"),
    level::<5>("level-6", "level 6 of 8: looks at 5,000 positions for a move"),
    level::<6>("level-7", "level 7 of 8: looks at 15,000 positions for a move"),
    level::<7>("level-8", "level 8 of 8: looks at 50,000 positions for a move"),
];

const fn level<const AT: usize>(name: &'static str, about: &'static str) -> Entry {
    Entry { name, about, uses_budget: false, make: make::<AT> }
}

/// Creates the bot of a level. Only the time limit of the budget counts.
fn make<const AT: usize>(budget: Budget, seed: i64) -> Box<dyn Bot> {
    Box::new(Search::new(Budget { nodes: Some(NODES[AT]), ..budget }, seed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_descriptions_say_what_the_levels_do() {
        for (at, (entry, nodes)) in LEVELS.iter().zip(NODES).enumerate() {
            assert_eq!(entry.name, format!("level-{}", at + 1));
            let digits: String =
                entry.about.split(':').nth(1).expect("two parts").chars().filter(char::is_ascii_digit).collect();
            assert_eq!(digits, nodes.to_string(), "{}", entry.about);
        }
        assert!(NODES.is_sorted(), "a higher level looks at more");
    }
}
