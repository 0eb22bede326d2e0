//! Sums over games that bots play on a server.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::histogram::Histogram;

/// Sums that can be read while games are played.
#[derive(Debug, Default)]
pub struct Tally(Mutex<Sums>);

/// Sums over games on a server.
#[derive(Clone, Debug, Default)]
pub struct Sums {
    /// The number of finished games.
    pub games: u64,
    /// The number of sent commands.
    pub commands: u64,
    /// The number of received events.
    pub events: u64,
    /// The times from sending a command to its first answer.
    pub latencies: Histogram,
}

impl Tally {
    /// The sums, locked.
    pub fn sums(&self) -> MutexGuard<'_, Sums> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Sums {
    /// Adds the sums of other games.
    pub fn add(&mut self, other: &Self) {
        self.games += other.games;
        self.commands += other.commands;
        self.events += other.events;
        self.latencies.merge(&other.latencies);
    }
}
