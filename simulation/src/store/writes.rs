//! The writes that wait for a commit, and the answers to them.

use std::{
    collections::{BTreeMap, VecDeque},
    fmt,
    sync::{Arc, Mutex},
};

use server::{
    cluster::Incarnation,
    log::{Acknowledge, Ending, GameKey, NewGame, Record, Row, StoreError, Stored, StoredClient},
    sync::lock,
};
use tokio::time::Instant;

/// The writes of one host.
#[derive(Default)]
pub(super) struct Queue {
    pub(super) writes: VecDeque<Write>,
    /// The rooms of the games that are open for writing.
    pub(super) open: BTreeMap<GameKey, Arc<dyn Acknowledge>>,
    /// The host crashed or has closed the store.
    pub(super) is_gone: bool,
    /// The registration of the host, if it is one of several.
    pub(super) incarnation: Option<Incarnation>,
}

impl Queue {
    /// A planted fault: acknowledges the first writes.
    pub(super) fn acknowledge_early(&self, count: usize) {
        for write in self.writes.iter().take(count) {
            if let Write::Append { game, row, .. } = write
                && let Some(room) = self.open.get(game)
            {
                room.durable(row.sequence);
            }
        }
    }

    /// Takes the new games out of the first writes, with everything else that was written for them.
    pub(super) fn take_creates(&mut self, count: usize) -> Vec<Write> {
        let first = self.writes.iter().take(count);
        let created: Vec<GameKey> = first.filter_map(Write::created).collect();
        let (refused, kept) = self.writes.drain(..).partition(|write| created.contains(&write.game()));
        self.writes = kept;
        created.iter().for_each(|game| drop(self.open.remove(game)));
        Vec::from(refused)
    }
}

impl fmt::Debug for Queue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Queue").field("writes", &self.writes.len()).finish_non_exhaustive()
    }
}

/// A write that waits for a commit.
pub(super) enum Write {
    Create { key: GameKey, game: Box<NewGame>, acknowledge: Arc<dyn Acknowledge>, at: Instant },
    Client { game: GameKey, client: StoredClient, done: Stored },
    Append { game: GameKey, row: Row, records: Vec<Record>, at: Instant },
    Finish { game: GameKey, ending: Ending, done: Stored },
    Resume { game: GameKey, next_sequence: u64, acknowledge: Arc<dyn Acknowledge> },
}

impl Write {
    pub(super) fn game(&self) -> GameKey {
        match self {
            Self::Create { key: game, .. }
            | Self::Client { game, .. }
            | Self::Append { game, .. }
            | Self::Finish { game, .. }
            | Self::Resume { game, .. } => *game,
        }
    }

    pub(super) fn created(&self) -> Option<GameKey> {
        match self {
            Self::Create { key, .. } => Some(*key),
            Self::Client { .. } | Self::Append { .. } | Self::Finish { .. } | Self::Resume { .. } => None,
        }
    }

    /// Reports that the write will not be stored.
    pub(super) fn refuse(self, error: &Arc<StoreError>) {
        match self {
            Self::Create { acknowledge, .. } | Self::Resume { acknowledge, .. } => acknowledge.failed(error.clone()),
            Self::Client { done, .. } | Self::Finish { done, .. } => done(Err(error.clone())),
            Self::Append { .. } => {}
        }
    }
}

/// An answer of the disk that the host has not heard yet.
pub(super) enum Answer {
    Durable { room: Arc<dyn Acknowledge>, through: u64 },
    Failed { room: Arc<dyn Acknowledge>, error: Arc<StoreError> },
    Done { done: Stored, result: Result<(), Arc<StoreError>> },
}

impl Answer {
    pub(super) fn give(self) {
        match self {
            Self::Durable { room, through } => room.durable(through),
            Self::Failed { room, error } => room.failed(error),
            Self::Done { done, result } => done(result),
        }
    }
}

impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Durable { .. } => "Durable",
            Self::Failed { .. } => "Failed",
            Self::Done { .. } => "Done",
        })
    }
}

/// The answers of the disk, in order.
pub(super) type Answers = Arc<Mutex<Vec<Answer>>>;

/// Keeps the answers to a room until the host may hear them.
pub(super) struct Gate {
    pub(super) room: Arc<dyn Acknowledge>,
    pub(super) answers: Answers,
}

impl Acknowledge for Gate {
    fn durable(&self, through: u64) {
        lock(&self.answers).push(Answer::Durable { room: self.room.clone(), through });
    }

    fn failed(&self, error: Arc<StoreError>) {
        lock(&self.answers).push(Answer::Failed { room: self.room.clone(), error });
    }
}

/// Keeps the answer to a callback until the host may hear it.
pub(super) fn gated(done: Stored, answers: &Answers) -> Stored {
    let answers = answers.clone();
    Box::new(move |result| lock(&answers).push(Answer::Done { done, result }))
}
