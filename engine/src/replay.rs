//! Folding a log again.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};
use core::fmt;

use crate::{Cause, Emission, Entry, Header, Outbox, Rulebook, TimerChange};

/// The entry type of a rulebook's logs.
pub type EntryOf<R> = Entry<<R as Rulebook>::Command, <R as Rulebook>::Timer, <R as Rulebook>::Event>;

/// A game that is being rebuilt from its log.
#[derive(Clone, Debug)]
pub struct Replay<R: Rulebook> {
    game: R,
    outbox: Outbox<R::Event, R::Timer>,
    /// The timers that are set, and when each is due at the earliest: after a restart it is later.
    timers: Vec<(R::Timer, u64)>,
    elapsed: u64,
    sequence: u64,
}

impl<R: Rulebook> Replay<R> {
    pub fn new(header: &Header<R::Setup>) -> Result<Self, Difference> {
        const { assert!(newest_is_last::<R>(), "the newest of `VERSIONS` is the last of them, and is `RULES_VERSION`") };
        if header.rulebook != R::NAME || !R::VERSIONS.contains(&header.rules_version) {
            return Err(Difference::Rules { rulebook: R::NAME, ours: R::VERSIONS, theirs: header.rules_version });
        }
        if header.edition != R::edition(&header.setup) {
            return Err(Difference::Edition { setup: R::edition(&header.setup) });
        }
        let mut outbox = Outbox::new();
        let game = R::start_version(header.rules_version, &header.setup, header.seed, &mut outbox);
        let mut replay = Self { game, outbox, timers: Vec::new(), elapsed: 0, sequence: 0 };
        replay.change_timers();
        Ok(replay)
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
        if let Cause::Timer { timer } = &entry.input.cause {
            let due = self.timers.iter().position(|(set, due)| set == timer && *due <= entry.input.elapsed);
            self.timers.swap_remove(due.ok_or(Difference::TimerNotDue { sequence })?);
        }
        self.outbox.clear();
        self.game.fold(&entry.input, &mut self.outbox);
        if let Some(at) = first_difference(self.outbox.emissions(), &entry.emissions) {
            return Err(Difference::Emission { sequence, at });
        }
        self.elapsed = entry.input.elapsed;
        self.sequence = sequence;
        self.change_timers();
        Ok(())
    }

    fn change_timers(&mut self) {
        for change in self.outbox.timers() {
            self.timers.retain(|(set, _)| set != change.timer());
            if let TimerChange::Set { timer, after } = change {
                self.timers.push((timer.clone(), self.elapsed.saturating_add(*after)));
            }
        }
    }

    /// How long the game has been running, on its own clock.
    pub fn elapsed(&self) -> u64 {
        self.elapsed
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

const fn newest_is_last<R: Rulebook>() -> bool {
    let mut at = 1;
    while at < R::VERSIONS.len() {
        if R::VERSIONS[at - 1] >= R::VERSIONS[at] {
            return false;
        }
        at += 1;
    }
    matches!(R::VERSIONS.last(), Some(newest) if *newest == R::RULES_VERSION)
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
        ours: &'static [u32],
        theirs: u32,
    },
    /// The header names another edition than its setup is for.
    Edition {
        setup: &'static str,
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
    /// A timer that was not set, or comes too early.
    TimerNotDue {
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
            Self::Rules { rulebook, ours, theirs } => {
                let ours: Vec<String> = ours.iter().map(u32::to_string).collect();
                let ours = ours.join(" or ");
                write!(f, "the log is not of {rulebook} with rules version {ours}; its version is {theirs}")
            }
            Self::Edition { setup } => write!(f, "the header names another edition than its setup, which is {setup}"),
            Self::Sequence { expected, found } => write!(f, "entry {expected} is missing; entry {found} stands there"),
            Self::TimeGoesBack { sequence } => write!(f, "the game's clock goes back at entry {sequence}"),
            Self::AfterTheEnd { sequence } => write!(f, "entry {sequence} follows after the end of the game"),
            Self::TimerNotDue { sequence } => write!(f, "the timer of entry {sequence} was not due"),
            Self::Emission { sequence, at } => {
                write!(f, "entry {sequence} has another outcome when folded again, from its emission {at} on")
            }
        }
    }
}

impl core::error::Error for Difference {}
