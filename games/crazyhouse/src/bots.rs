//! Bots for crazyhouse: the built-in ones, and foreign programs.
//!
//! A bot belongs to one game, and may remember earlier moves.

pub mod foreign;
mod greedy;
mod level;
mod random;
pub mod search;
pub mod seat;
mod worth;

use std::{fmt, time::Duration};

use crazyhouse_rules::{Move, Position};

use foreign::Failure;

/// A program that chooses moves.
pub trait Bot: Send {
    /// Chooses a legal move, or returns `None` to resign. Blocks until the bot has chosen. Built-in bots never fail, and resign
    /// only if they have no legal move.
    ///
    /// # Errors
    ///
    /// A foreign program prints no valid move.
    fn choose(&mut self, position: &Position) -> Result<Option<Move>, Failure>;

    /// Limits the time for the next move, in addition to the budget.
    fn hurry(&mut self, most: Option<Duration>) {
        let _fast_enough = most;
    }
}

/// The limits of the search for one move. The limit that is reached first ends the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The longest time.
    pub time: Option<Duration>,
    /// The most positions to search. With this limit alone, the same seed gives the same moves on every machine.
    pub nodes: Option<u64>,
}

impl Budget {
    /// The default: an answer that feels immediate.
    pub const USUAL: Self = Self::time(Duration::from_millis(500));

    /// A budget of time.
    pub const fn time(time: Duration) -> Self {
        Self { time: Some(time), nodes: None }
    }

    /// A budget of positions.
    pub const fn nodes(nodes: u64) -> Self {
        Self { time: None, nodes: Some(nodes) }
    }
}

/// A built-in bot.
#[derive(Clone, Copy)]
pub struct Entry {
    /// The name.
    pub name: &'static str,
    /// A description for people.
    pub about: &'static str,
    /// Whether a larger budget makes its moves better.
    pub uses_budget: bool,
    /// Creates the bot with a budget for each move, and a seed.
    pub make: fn(Budget, i64) -> Box<dyn Bot>,
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry").field("name", &self.name).finish_non_exhaustive()
    }
}

/// The built-in bots: the simple ones, the strongest, and the levels from 1 to 8.
pub const BOTS: &[Entry] = &[
    Entry {
        name: "random",
        about: "plays a random legal move",
        uses_budget: false,
        make: |_, seed| Box::new(random::Random::new(seed)),
    },
    Entry {
        name: "greedy",
        about: "mates if it can, else takes the most valuable piece, prefers checks, and does not look ahead",
        uses_budget: false,
        make: |_, seed| Box::new(greedy::Greedy::new(seed)),
    },
    Entry {
        name: "search",
        about: "looks many moves ahead until its budget is used up",
        uses_budget: true,
        make: |budget, seed| Box::new(search::Search::new(budget, seed)),
    },
    level::LEVELS[0],
    level::LEVELS[1],
    level::LEVELS[2],
    level::LEVELS[3],
    level::LEVELS[4],
    level::LEVELS[5],
    level::LEVELS[6],
    level::LEVELS[7],
];

/// How many positions the bot of a level searches for a move. Levels are 1 to 8; others count as the nearest.
pub fn level_nodes(level: usize) -> u64 {
    level::NODES[level.clamp(1, level::NODES.len()) - 1]
}

/// Finds the built-in bot of this name.
pub fn bot(name: &str) -> Option<Entry> {
    BOTS.iter().copied().find(|entry| entry.name == name)
}
