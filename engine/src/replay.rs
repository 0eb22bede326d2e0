//! Folding a log again.

use core::fmt;

use crate::{Emission, Entry, Header, Outbox, Rulebook};

/// The entry type of a rulebook's logs.
pub type EntryOf<R> = Entry<<R as Rulebook>::Command, <R as Rulebook>::Timer, <R as Rulebook>::Event>;

/// A game that is being rebuilt from its log.
#[derive(Clone, Debug)]
pub struct Replay<R: Rulebook> {
    game: R,
    outbox: Outbox<R::Event, R::Timer>,
    elapsed: u64,
    sequence: u64,
}

impl<R: Rulebook> Replay<R> {
    pub fn new(header: &Header<R::Setup>) -> Result<Self, Difference> {
        let rules = Difference::Rules { rulebook: R::NAME, version: R::RULES_VERSION };
        if header.rulebook != R::NAME || header.rules_version != R::RULES_VERSION {
            return Err(rules);
        }
        let mut outbox = Outbox::new();
        let game = R::start(&header.setup, header.seed, &mut outbox);
        Ok(Self { game, outbox, elapsed: 0, sequence: 0 })
    }

    /// Folds the next entry and compares what it causes now with what it caused then.
    pub fn step(&mut self, entry: &EntryOf<R>) -> Result<(), Difference> {
        let sequence = self.sequence + 1;
        if entry.sequence != sequence {
            return Err(Difference::Sequence { expected: sequence, found: entry.sequence });
        }
        if entry.input.elapsed < self.elapsed {
            return Err(Difference::TimeGoesBack { sequence });
        }
        if self.game.outcome().is_some() {
            return Err(Difference::AfterTheEnd { sequence });
        }
        self.outbox.clear();
        self.game.fold(&entry.input, &mut self.outbox);
        if let Some(at) = first_difference(self.outbox.emissions(), &entry.emissions) {
            return Err(Difference::Emission { sequence, at });
        }
        self.elapsed = entry.input.elapsed;
        self.sequence = sequence;
        Ok(())
    }

    pub fn game(&self) -> &R {
        &self.game
    }

    pub fn into_game(self) -> R {
        self.game
    }

    /// What the last entry causes now, also when that differs from the log.
    pub fn outbox(&self) -> &Outbox<R::Event, R::Timer> {
        &self.outbox
    }
}

fn first_difference<E: PartialEq>(now: &[Emission<E>], then: &[Emission<E>]) -> Option<usize> {
    let shared = now.len().min(then.len());
    (0..shared).find(|&at| now[at] != then[at]).or((now.len() != then.len()).then_some(shared))
}

/// How a replay differs from its log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    /// The log is of other rules than these.
    Rules {
        rulebook: &'static str,
        version: u32,
    },
    Sequence {
        expected: u64,
        found: u64,
    },
    TimeGoesBack {
        sequence: u64,
    },
    AfterTheEnd {
        sequence: u64,
    },
    /// What the input of this entry causes differs from the emission at this place (from 0) of the entry.
    Emission {
        sequence: u64,
        at: usize,
    },
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rules { rulebook, version } => {
                write!(f, "the log is not of the rulebook {rulebook}, rules version {version}")
            }
            Self::Sequence { expected, found } => write!(f, "entry {expected} is missing; entry {found} stands there"),
            Self::TimeGoesBack { sequence } => write!(f, "the game's clock goes back at entry {sequence}"),
            Self::AfterTheEnd { sequence } => write!(f, "entry {sequence} follows after the end of the game"),
            Self::Emission { sequence, at } => {
                write!(f, "entry {sequence} has another outcome when folded again, from its emission {at} on")
            }
        }
    }
}

impl core::error::Error for Difference {}
