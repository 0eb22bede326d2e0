//! Measurements of a store's commits.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use crate::counters::{Counter, DURATIONS, Histogram};

/// Measurements of a store that commits.
#[derive(Debug)]
pub struct Measures {
    pub(crate) entries_per_commit: Histogram,
    pub(crate) commit_duration: Histogram,
    pub(crate) failures: Counter,
    failing: AtomicBool,
}

impl Default for Measures {
    fn default() -> Self {
        Self {
            entries_per_commit: Histogram::new(&[1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096]),
            commit_duration: Histogram::new(DURATIONS),
            failures: Counter::default(),
            failing: AtomicBool::new(false),
        }
    }
}

impl Measures {
    /// Whether the last commit failed.
    pub(crate) fn is_failing(&self) -> bool {
        self.failing.load(Ordering::Relaxed)
    }

    pub(super) fn committed(&self, entries: u64, took: Duration) {
        self.entries_per_commit.observe(entries);
        self.commit_duration.observe_duration(took);
        self.failing.store(false, Ordering::Relaxed);
    }

    pub(super) fn failed(&self) {
        self.failures.add(1);
        self.failing.store(true, Ordering::Relaxed);
    }
}
