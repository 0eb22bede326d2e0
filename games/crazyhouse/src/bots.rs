//! Players of crazyhouse that are programs: our own, and anybody's as an executable of their own.
//!
//! A bot is asked for a move as often as it is its turn, and answers before it returns. It belongs to one game: what it
//! remembers of earlier moves helps it with later ones.

pub mod foreign;
mod greedy;
mod random;
pub mod search;
pub mod seat;
mod worth;

use std::{fmt, time::Duration};

use crazyhouse_rules::{Move, Position};

use foreign::Failure;

/// Somebody who moves.
pub trait Bot: Send {
    /// A legal move, or none, which resigns. Our own bots never fail, and have a move wherever there is one.
    fn choose(&mut self, position: &Position) -> Result<Option<Move>, Failure>;

    /// The next move may take no longer than this, whatever the budget says; where nothing is said, the budget counts alone.
    fn hurry(&mut self, most: Option<Duration>) {
        let _it_is_fast_anyway = most;
    }
}

/// How much a bot may think about a move. Whatever is reached first ends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    pub time: Option<Duration>,
    /// Positions looked at. With this alone, the same seed gives the same moves on any machine.
    pub nodes: Option<u64>,
}

impl Budget {
    /// For somebody who does not say: an answer that feels immediate.
    pub const USUAL: Self = Self::time(Duration::from_millis(500));

    pub const fn time(time: Duration) -> Self {
        Self { time: Some(time), nodes: None }
    }

    pub const fn nodes(nodes: u64) -> Self {
        Self { time: None, nodes: Some(nodes) }
    }
}

/// A bot that people can name.
#[derive(Clone, Copy)]
pub struct Entry {
    pub name: &'static str,
    pub about: &'static str,
    /// Whether more of it makes its moves better.
    pub uses_budget: bool,
    /// With a budget for each move, and the seed of its chances.
    pub make: fn(Budget, i64) -> Box<dyn Bot>,
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry").field("name", &self.name).finish_non_exhaustive()
    }
}

/// From the weakest to the strongest.
pub const BOTS: &[Entry] = &[
    Entry {
        name: "random",
        about: "any legal move, each with the same chance",
        uses_budget: false,
        make: |_, seed| Box::new(random::Random::new(seed)),
    },
    Entry {
        name: "greedy",
        about: "mates if it can, else takes what is worth most, likes checks, and does not see the answer",
        uses_budget: false,
        make: |_, seed| Box::new(greedy::Greedy::new(seed)),
    },
    Entry {
        name: "search",
        about: "looks many moves ahead until its budget is used up",
        uses_budget: true,
        make: |budget, seed| Box::new(search::Search::new(budget, seed)),
    },
];

/// The bot of this name.
pub fn bot(name: &str) -> Option<Entry> {
    BOTS.iter().copied().find(|entry| entry.name == name)
}
