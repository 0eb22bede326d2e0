//! Reading whole games from a store, in batches.

use std::{collections::HashMap, ops::Range};

use engine::Digest;
use tokio::sync::mpsc;

use crate::log::{Checker, Damage, GameHead, GameKey, LogReader, StoreError, StoredClient};

/// The maximum number of items in a batch, and the approximate maximum of entry bytes.
const MOST_FOUND: usize = 1_024;
const MOST_BYTES: usize = 256 * 1_024;

/// The maximum number of batches that wait for [`visit`].
const WAITING: usize = 16;

/// Selects the games to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selection {
    /// Every game of the store.
    All,
    /// Games that have not ended.
    Unfinished,
    /// These games, finished or not. An unknown key is an error.
    Keys(Vec<GameKey>),
}

/// Calls a function with every item that a recovery reads, in order.
///
/// # Errors
///
/// If the store cannot be read to the end.
pub async fn visit(
    reader: &dyn LogReader,
    which: Selection,
    mut visit: impl FnMut(Recovered<'_>),
) -> Result<RecoveryStats, StoreError> {
    let (sender, mut batches) = mpsc::channel::<RecoveredBatch>(WAITING);
    let visiting = async {
        while let Some(batch) = batches.recv().await {
            batch.iter().for_each(&mut visit);
        }
    };
    let (stats, ()) = tokio::join!(reader.recover(which, sender), visiting);
    stats
}

/// An item that [`LogReader::recover`] reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recovered<'r> {
    /// A game; comes before all other items of the game.
    Game {
        /// The game with its header.
        head: &'r GameHead,
    },
    /// A client of a game.
    Client {
        /// The key of the game.
        game: GameKey,
        /// The client.
        client: &'r StoredClient,
    },
    /// A verified entry.
    Entry {
        /// The key of the game.
        game: GameKey,
        /// The number of the entry.
        sequence: u64,
        /// The encoded entry.
        bytes: &'r [u8],
        /// The digest of everything up to it.
        digest: Digest,
    },
    /// The log of this game was changed after it was written. No more items of the game follow, and it must not be continued.
    Damaged {
        /// The key of the game.
        game: GameKey,
        /// The first damage.
        damage: &'r Damage,
    },
}

impl Recovered<'_> {
    /// The game of this item.
    pub fn game(&self) -> GameKey {
        match self {
            Self::Game { head } => head.record.key,
            Self::Client { game, .. } | Self::Entry { game, .. } | Self::Damaged { game, .. } => *game,
        }
    }
}

/// A batch of items. The bytes of all its entries are in one buffer.
#[derive(Debug, Default)]
pub struct RecoveredBatch {
    found: Vec<Found>,
    bytes: Vec<u8>,
}

#[derive(Debug)]
enum Found {
    Game { head: Box<GameHead> },
    Client { game: GameKey, client: StoredClient },
    Entry { game: GameKey, sequence: u64, bytes: Range<usize>, digest: Digest },
    Damaged { game: GameKey, damage: Damage },
}

impl RecoveredBatch {
    /// All items, in order.
    pub fn iter(&self) -> impl Iterator<Item = Recovered<'_>> {
        self.found.iter().map(|found| match found {
            Found::Game { head } => Recovered::Game { head },
            Found::Client { game, client } => Recovered::Client { game: *game, client },
            Found::Entry { game, sequence, bytes, digest } => Recovered::Entry {
                game: *game,
                sequence: *sequence,
                bytes: &self.bytes[bytes.clone()],
                digest: *digest,
            },
            Found::Damaged { game, damage } => Recovered::Damaged { game: *game, damage },
        })
    }

    fn is_full(&self) -> bool {
        self.found.len() >= MOST_FOUND || self.bytes.len() >= MOST_BYTES
    }
}

/// Counts of a recovery.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecoveryStats {
    /// Games that were read.
    pub games: u64,
    /// Clients that were read.
    pub clients: u64,
    /// Entries that were read.
    pub entries: u64,
    /// Bytes of the entries.
    pub bytes: u64,
    /// Games with damage.
    pub damaged: u64,
}

/// The receiver of the batches was dropped.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gone;

/// Builds batches from the items that a store reads, and passes on only verified entries. The store must pass the items in the
/// order that [`LogReader::recover`] promises.
pub(super) struct Recovering<S> {
    checkers: HashMap<GameKey, Checker>,
    stats: RecoveryStats,
    batch: RecoveredBatch,
    send: S,
}

impl<S: FnMut(RecoveredBatch) -> Result<(), Gone>> Recovering<S> {
    pub(super) fn new(send: S) -> Self {
        Self { checkers: HashMap::new(), stats: RecoveryStats::default(), batch: RecoveredBatch::default(), send }
    }

    pub(super) fn game(&mut self, head: GameHead) -> Result<(), Gone> {
        let game = head.record.key;
        self.stats.games += 1;
        let checker = Checker::new(&head);
        self.push(Found::Game { head: Box::new(head) })?;
        match checker {
            Ok(checker) => {
                self.checkers.insert(game, checker);
                Ok(())
            }
            Err(damage) => self.damaged(game, damage),
        }
    }

    pub(super) fn client(&mut self, game: GameKey, client: StoredClient) -> Result<(), Gone> {
        if !self.checkers.contains_key(&game) {
            return Ok(());
        }
        self.stats.clients += 1;
        self.push(Found::Client { game, client })
    }

    /// Skips entries of games that were not selected or are damaged.
    pub(super) fn entry(&mut self, game: GameKey, sequence: u64, bytes: &[u8], digest: Digest) -> Result<(), Gone> {
        let Some(checker) = self.checkers.get_mut(&game) else { return Ok(()) };
        if let Err(damage) = checker.entry(sequence, bytes, &digest) {
            self.checkers.remove(&game);
            return self.damaged(game, damage);
        }
        self.stats.entries += 1;
        self.stats.bytes += bytes.len() as u64;
        let start = self.batch.bytes.len();
        self.batch.bytes.extend_from_slice(bytes);
        self.push(Found::Entry { game, sequence, bytes: start..self.batch.bytes.len(), digest })
    }

    /// Ends the recovery. Reports games whose last entries are missing.
    pub(super) fn end(mut self) -> Result<RecoveryStats, Gone> {
        let mut rest: Vec<(GameKey, Checker)> = std::mem::take(&mut self.checkers).into_iter().collect();
        rest.sort_unstable_by_key(|(game, _)| *game);
        for (game, checker) in rest {
            if let Err(damage) = checker.end() {
                self.damaged(game, damage)?;
            }
        }
        (self.send)(std::mem::take(&mut self.batch))?;
        Ok(self.stats)
    }

    fn damaged(&mut self, game: GameKey, damage: Damage) -> Result<(), Gone> {
        self.stats.damaged += 1;
        self.push(Found::Damaged { game, damage })
    }

    fn push(&mut self, found: Found) -> Result<(), Gone> {
        self.batch.found.push(found);
        if self.batch.is_full() { (self.send)(std::mem::take(&mut self.batch)) } else { Ok(()) }
    }
}
