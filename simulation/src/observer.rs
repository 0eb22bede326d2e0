//! The record of a simulation: the digest of everything that happened, the last steps, the coverage, and the first failed check.

use std::{fmt, sync::Mutex};

use server::sync::lock;
use tokio::{sync::Notify, time::Instant};

use crate::coverage::{Coverage, Covered};

/// How much of a simulation is recorded. The checks and the coverage always are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recording {
    /// Nothing more. This is the quickest.
    Checks,
    /// The digest of everything that happened.
    Digest,
    /// The digest, and all steps in words.
    Steps,
}

/// Records what happens in one simulation.
#[derive(Debug)]
pub(crate) struct Observer {
    began: Instant,
    recording: Recording,
    seen: Mutex<Seen>,
    failed: Notify,
}

#[derive(Debug, Default)]
struct Seen {
    digest: blake3::Hasher,
    steps: Vec<String>,
    coverage: Coverage,
    failure: Option<Failure>,
}

/// A promise of the host that a check found broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The check.
    pub check: Check,
    /// The facts, for people.
    pub facts: String,
    /// Milliseconds since the simulation began.
    pub at_ms: u64,
}

/// What is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// What a client hears is in the log.
    HeardIsStored,
    /// Numbers of events have no gap and no repeat.
    Numbering,
    /// An event of a number never changes.
    OneVersion,
    /// A stored game folds to the same events again.
    Replay,
    /// The store holds what it acknowledged.
    Durability,
    /// A client can resume its place.
    Resume,
    /// Each command of a client is folded at most once, in order, and never without being counted.
    Commands,
    /// A created game exists.
    Create,
    /// The end of a game is told and stored together.
    End,
    /// The game's clock stands while the store is silent.
    Clock,
    /// No timer of a game is forgotten.
    Timers,
    /// After the last fault, all games go on.
    Progress,
    /// Queues and tasks stay bounded.
    Memory,
    /// The host keeps to the protocol.
    Protocol,
    /// Only those enter a game who may.
    Access,
    /// Only the owner of a game writes, and a game has one room.
    OneOwner,
    /// A host that runs and reaches the store is not buried.
    Burial,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} at {} ms: {}", self.check, self.at_ms, self.facts)
    }
}

impl Observer {
    /// An observer of a simulation that begins now.
    pub(crate) fn new(recording: Recording) -> Self {
        Self { began: Instant::now(), recording, seen: Mutex::default(), failed: Notify::new() }
    }

    /// Milliseconds since the simulation began.
    pub(crate) fn now_ms(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// Adds bytes to the digest of the simulation, with the time.
    pub(crate) fn bytes(&self, bytes: &[u8]) {
        if self.recording == Recording::Checks {
            return;
        }
        let now = self.began.elapsed().as_nanos().to_le_bytes();
        lock(&self.seen).digest.update(&now).update(bytes);
    }

    /// Adds the words of a value to the digest of the simulation.
    pub(crate) fn debug(&self, value: &impl fmt::Debug) {
        if self.recording != Recording::Checks {
            self.bytes(format!("{value:?}").as_bytes());
        }
    }

    /// Keeps a step in words, if they are recorded.
    pub(crate) fn step(&self, words: impl FnOnce() -> String) {
        if self.recording == Recording::Steps {
            let line = format!("{:>6} ms  {}", self.now_ms(), words());
            lock(&self.seen).steps.push(line);
        }
    }

    /// Counts a fault or a state.
    pub(crate) fn cover(&self, covered: Covered) {
        lock(&self.seen).coverage.count(covered);
        self.step(|| format!("({})", covered.name()));
    }

    /// Reports a broken promise. The first one counts, and ends the simulation.
    pub(crate) fn fail(&self, check: Check, facts: impl FnOnce() -> String) {
        let at_ms = self.now_ms();
        let mut seen = lock(&self.seen);
        if seen.failure.is_none() {
            seen.failure = Some(Failure { check, facts: facts(), at_ms });
            self.failed.notify_one();
        }
    }

    /// Waits for the first failed check.
    pub(crate) async fn failed(&self) {
        self.failed.notified().await;
    }

    /// Ends the record.
    pub(crate) fn finish(&self) -> Outcome {
        let seen = lock(&self.seen);
        Outcome {
            digest: seen.digest.finalize(),
            coverage: seen.coverage.clone(),
            failure: seen.failure.clone(),
            steps: seen.steps.clone(),
        }
    }
}

/// What a simulation gave.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Two simulations of a seed have the same digest of all stored rows and all messages, if it was recorded.
    pub digest: blake3::Hash,
    /// The faults and states that occurred.
    pub coverage: Coverage,
    /// The first failed check.
    pub failure: Option<Failure>,
    /// The steps, if they were recorded.
    pub steps: Vec<String>,
}
