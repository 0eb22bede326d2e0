//! The writes of games as a store's writer receives them. If the outcome of a commit is unknown, the writer reads back what the
//! store has: see [`Write::find`].

use std::{sync::Arc, time::Duration};

use engine::{CommId, Digest};

use crate::log::{Acknowledge, Ending, GameKey, NewGame, Record, Row, StoreError, Stored, StoredClient, Tail};

/// A write of one game.
pub(super) enum Write {
    Create { key: GameKey, game: NewGame, acknowledge: Arc<dyn Acknowledge> },
    Client { game: GameKey, client: StoredClient, done: Stored },
    Append { game: GameKey, row: Row, records: Vec<Record> },
    Finish { game: GameKey, ending: Ending, done: Stored },
    Resume { game: GameKey, next_sequence: u64, acknowledge: Arc<dyn Acknowledge> },
}

/// Reads what a store has, after a commit with an unknown outcome.
pub(super) trait ReadBack {
    /// The name of a game.
    fn name(&self, game: GameKey) -> Result<Option<String>, StoreError>;

    /// The token hash of a client.
    fn token_hash(&self, game: GameKey, client: CommId) -> Result<Option<[u8; 32]>, StoreError>;

    /// The digest of an entry.
    fn digest(&self, game: GameKey, sequence: u64) -> Result<Option<Digest>, StoreError>;

    /// Whether the end of a game is stored.
    fn is_finished(&self, game: GameKey) -> Result<bool, StoreError>;
}

impl Tail {
    /// Whether the store has the last entry of this log.
    pub(super) fn is_in(&self, store: &dyn ReadBack, game: GameKey) -> Result<bool, StoreError> {
        Ok(self.entries == 0 || store.digest(game, self.entries)? == Some(self.digest))
    }
}

/// What a store has of a write.
#[derive(Debug)]
pub(super) enum Found {
    /// All of it.
    Stored,
    /// Nothing of it.
    Missing,
    /// Something else in its place.
    Other(StoreError),
}

impl Write {
    pub(super) fn game(&self) -> GameKey {
        match self {
            Self::Create { key, .. } => *key,
            Self::Client { game, .. }
            | Self::Append { game, .. }
            | Self::Finish { game, .. }
            | Self::Resume { game, .. } => *game,
        }
    }

    /// Finds out what the store has of this write. The digest of an entry covers everything before it, so equal digests mean
    /// equal logs.
    pub(super) fn find(&self, store: &dyn ReadBack) -> Result<Found, StoreError> {
        Ok(match self {
            Self::Create { key, game, .. } => match store.name(*key)? {
                None => Found::Missing,
                Some(name) if name == game.name => Found::Stored,
                Some(name) => Found::Other(StoreError::NameTaken { name }),
            },
            Self::Client { game, client, .. } => match store.token_hash(*game, client.client)? {
                None => Found::Missing,
                Some(hash) if hash == client.token_hash => Found::Stored,
                Some(_) => Found::Other(StoreError::ClientTaken { game: *game, client: client.client.0 }),
            },
            Self::Append { game, row, .. } => match store.digest(*game, row.sequence)? {
                None => Found::Missing,
                Some(digest) if digest == row.digest => Found::Stored,
                Some(_) => Found::Other(StoreError::Diverged { game: *game, sequence: row.sequence }),
            },
            Self::Finish { game, .. } if store.is_finished(*game)? => Found::Stored,
            Self::Finish { .. } => Found::Missing,
            // It only reads, so it can be done again at any time.
            Self::Resume { .. } => Found::Missing,
        })
    }
}

/// The pauses between attempts to write.
#[derive(Debug)]
pub(super) struct Backoff {
    next: Duration,
}

impl Backoff {
    const FIRST: Duration = Duration::from_millis(10);
    const LONGEST: Duration = Duration::from_secs(1);

    pub(super) fn new() -> Self {
        Self { next: Self::FIRST }
    }

    /// The next pause: twice the last one, up to a limit.
    pub(super) fn next(&mut self) -> Duration {
        let pause = self.next;
        self.next = (pause * 2).min(Self::LONGEST);
        pause
    }
}
