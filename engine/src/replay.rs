//! Replays a log.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};
use core::fmt;

use crate::{Cause, Emission, Entry, Header, Outbox, Rulebook, TimerChange};

/// The entry type of a rulebook's logs.
pub type EntryOf<R> = Entry<<R as Rulebook>::Command, <R as Rulebook>::Timer, <R as Rulebook>::Event>;

/// Rebuilds a game from its log, and checks that these rules still emit the same events.
///
/// ```
/// use engine::{Difference, EntryOf, Header, Replay, Rulebook};
///
/// /// The state after all entries, or the first difference.
/// fn rebuild<R: Rulebook>(header: &Header<R::Setup>, entries: &[EntryOf<R>]) -> Result<R, Difference> {
///     let mut replay = Replay::new(header)?;
///     for entry in entries {
///         replay.step(entry)?;
///     }
///     Ok(replay.into_game())
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Replay<R: Rulebook> {
    game: R,
    outbox: Outbox<R::Event, R::Timer>,
    /// The timers that are set, each with the earliest time at which it is due. After a restart, a host may deliver a timer
    /// later.
    timers: Vec<(R::Timer, u64)>,
    elapsed_ms: u64,
    sequence: u64,
}

impl<R: Rulebook> Replay<R> {
    /// Starts the game that a header describes.
    ///
    /// # Errors
    /// If the header belongs to other rules, or to a version that these rules do not support.
    pub fn new(header: &Header<R::Setup>) -> Result<Self, Difference> {
        const { assert!(newest_is_last::<R>(), "`VERSIONS` is ascending, and its last one is `RULES_VERSION`") };
        if header.rulebook != R::NAME || !R::VERSIONS.contains(&header.rules_version) {
            return Err(Difference::Rules { rulebook: R::NAME, ours: R::VERSIONS, theirs: header.rules_version });
        }
        if header.edition != R::edition(&header.setup) {
            return Err(Difference::Edition { setup: R::edition(&header.setup) });
        }
        let mut outbox = Outbox::new();
        let game = R::start_version(header.rules_version, &header.setup, header.seed, &mut outbox);
        let mut replay = Self { game, outbox, timers: Vec::new(), elapsed_ms: 0, sequence: 0 };
        replay.change_timers();
        Ok(replay)
    }

    /// Folds the next entry and compares the emissions with the recorded ones.
    ///
    /// # Errors
    /// If the entry is not possible at this point, or these rules emit something else.
    pub fn step(&mut self, entry: &EntryOf<R>) -> Result<(), Difference> {
        let sequence = self.sequence + 1;
        if entry.sequence != sequence {
            return Err(Difference::Sequence { expected: sequence, found: entry.sequence });
        }
        if entry.input.elapsed_ms < self.elapsed_ms {
            return Err(Difference::TimeGoesBack { sequence });
        }
        if self.game.outcome().is_some() {
            return Err(Difference::AfterTheEnd { sequence });
        }
        if let Cause::Timer { timer } = &entry.input.cause {
            let due = self.timers.iter().position(|(set, due)| set == timer && *due <= entry.input.elapsed_ms);
            self.timers.swap_remove(due.ok_or(Difference::TimerNotDue { sequence })?);
        }
        self.outbox.clear();
        self.game.fold(&entry.input, &mut self.outbox);
        if let Some(at) = first_difference(self.outbox.emissions(), &entry.emissions) {
            return Err(Difference::Emission { sequence, at });
        }
        self.elapsed_ms = entry.input.elapsed_ms;
        self.sequence = sequence;
        self.change_timers();
        Ok(())
    }

    fn change_timers(&mut self) {
        for change in self.outbox.timers() {
            self.timers.retain(|(set, _)| set != change.timer());
            if let TimerChange::Set { timer, after_ms } = change {
                self.timers.push((timer.clone(), self.elapsed_ms.saturating_add(*after_ms)));
            }
        }
    }

    /// Milliseconds on the game's clock.
    pub fn elapsed_ms(&self) -> u64 {
        self.elapsed_ms
    }

    /// The state so far.
    pub fn game(&self) -> &R {
        &self.game
    }

    /// Returns the state so far, and drops the replay.
    pub fn into_game(self) -> R {
        self.game
    }

    /// The output of the last fold, even if it differs from the log.
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

/// The difference between a replay and its log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    /// The log belongs to other rules.
    Rules {
        /// The name of these rules.
        rulebook: &'static str,
        /// The versions of these rules.
        ours: &'static [u32],
        /// The version in the header.
        theirs: u32,
    },
    /// The header's edition differs from the edition of its setup.
    Edition {
        /// The edition of the setup.
        setup: &'static str,
    },
    /// An entry is missing or out of order.
    Sequence {
        /// The number of the next entry.
        expected: u64,
        /// The number of the entry.
        found: u64,
    },
    /// The game's clock goes back.
    TimeGoesBack {
        /// The number of the entry.
        sequence: u64,
    },
    /// The game was over before this entry.
    AfterTheEnd {
        /// The number of the entry.
        sequence: u64,
    },
    /// The timer was not set, or the entry comes too early.
    TimerNotDue {
        /// The number of the entry.
        sequence: u64,
    },
    /// These rules emit something else.
    Emission {
        /// The number of the entry.
        sequence: u64,
        /// The index of the first emission that differs, from 0.
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
            Self::Edition { setup } => {
                write!(f, "the header names another edition than its setup, which is for {setup}")
            }
            Self::Sequence { expected, found } => write!(f, "expected entry {expected}, found entry {found}"),
            Self::TimeGoesBack { sequence } => write!(f, "the game's clock goes back at entry {sequence}"),
            Self::AfterTheEnd { sequence } => write!(f, "entry {sequence} comes after the end of the game"),
            Self::TimerNotDue { sequence } => write!(f, "the timer of entry {sequence} was not due"),
            Self::Emission { sequence, at } => {
                write!(f, "entry {sequence} differs when replayed, from its emission {at} on")
            }
        }
    }
}

impl core::error::Error for Difference {}
