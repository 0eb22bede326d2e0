//! Measurements of a store's commits.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use tokio::sync::Notify;

use crate::{
    counters::{Counter, DURATIONS, Histogram},
    log::StoreError,
    sync::lock,
};

/// How long a commit may take before the store counts as silent.
const SILENT: Duration = Duration::from_secs(5);

/// Measurements of a store that commits.
#[derive(Debug)]
pub struct Measures {
    pub(crate) entries_per_commit: Histogram,
    pub(crate) commit_duration: Histogram,
    pub(crate) failures: Counter,
    /// Commits whose outcome was found out by reading back.
    pub(crate) read_back: Counter,
    /// What the store had of the writes of these commits.
    pub(crate) resolved: Resolved,
    /// Commits that were not stored because another host owns the games.
    pub(crate) fenced: Counter,
    failing: AtomicBool,
    /// Why the store cannot be written; `None` if the last commit succeeded.
    problem: Mutex<Option<Arc<StoreError>>>,
    /// Notified when the store begins or ceases to fail.
    changed: Notify,
    since: Instant,
    /// When the commit under way began, in milliseconds after `since`, plus 1; 0 if there is none.
    committing: AtomicU64,
}

/// The writes whose outcome was unknown, by what the store had of them.
#[derive(Debug, Default)]
pub(crate) struct Resolved {
    /// They were stored, and are not sent again.
    pub(crate) stored: Counter,
    /// They were missing. They are sent again, and new games are refused.
    pub(crate) missing: Counter,
    /// The game has something else in their place, so it ends here.
    pub(crate) other: Counter,
}

impl Resolved {
    /// How many were stored, missing, and something else.
    pub(crate) fn values(&self) -> [u64; 3] {
        [self.stored.value(), self.missing.value(), self.other.value()]
    }
}

impl Default for Measures {
    fn default() -> Self {
        Self {
            entries_per_commit: Histogram::new(&[1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096]),
            commit_duration: Histogram::new(DURATIONS),
            failures: Counter::default(),
            read_back: Counter::default(),
            resolved: Resolved::default(),
            fenced: Counter::default(),
            failing: AtomicBool::new(false),
            problem: Mutex::default(),
            changed: Notify::new(),
            since: Instant::now(),
            committing: AtomicU64::new(0),
        }
    }
}

impl Measures {
    /// Whether the last commit failed.
    pub(crate) fn is_failing(&self) -> bool {
        self.failing.load(Ordering::Relaxed)
    }

    /// Whether the commit under way takes so long that the store must be considered unavailable.
    pub(crate) fn is_silent(&self) -> bool {
        let begun = self.committing.load(Ordering::Relaxed);
        begun > 0 && self.milliseconds().saturating_sub(begun - 1) >= SILENT.as_millis() as u64
    }

    /// Why the store cannot be written now.
    pub(crate) fn problem(&self) -> Option<Arc<StoreError>> {
        lock(&self.problem).clone()
    }

    /// Waits until the store begins or ceases to fail. A change between two calls is not missed.
    pub(crate) async fn changed(&self) {
        self.changed.notified().await;
    }

    pub(super) fn begin(&self) {
        self.committing.store(self.milliseconds() + 1, Ordering::Relaxed);
    }

    /// The commit under way has ended without a result.
    pub(super) fn end(&self) {
        self.committing.store(0, Ordering::Relaxed);
    }

    pub(super) fn committed(&self, entries: u64, took: Duration) {
        self.entries_per_commit.observe(entries);
        self.commit_duration.observe_duration(took);
        self.recovered();
    }

    /// The store can be written again.
    pub(super) fn recovered(&self) {
        self.end();
        if self.failing.swap(false, Ordering::Relaxed) {
            *lock(&self.problem) = None;
            self.changed.notify_one();
        }
    }

    pub(super) fn failed(&self, error: &Arc<StoreError>) {
        self.end();
        self.failures.add(1);
        *lock(&self.problem) = Some(error.clone());
        if !self.failing.swap(true, Ordering::Relaxed) {
            self.changed.notify_one();
        }
    }

    fn milliseconds(&self) -> u64 {
        u64::try_from(self.since.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}
