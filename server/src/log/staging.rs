//! The games of a writer, and what a transaction does to them. A transaction changes no open game before it is committed, so
//! a failed one can be tried again.

use std::{
    collections::{HashMap, hash_map},
    panic::{self, AssertUnwindSafe},
    sync::Arc,
};

use crate::log::{Acknowledge, GameKey, NewGame, Row, StoreError, Tail, write::Write};

/// The games that are open for writing.
#[derive(Default)]
pub(in crate::log) struct OpenGames {
    games: HashMap<GameKey, OpenGame>,
}

struct OpenGame {
    acknowledge: Arc<dyn Acknowledge>,
    /// The end of the log as far as it is acknowledged.
    tail: Tail,
}

impl OpenGames {
    /// The acknowledged end of the log of an open game.
    pub(in crate::log) fn tail(&self, game: GameKey) -> Option<Tail> {
        self.games.get(&game).map(|open| open.tail)
    }

    /// Closes a game for writing, without a word to its room. Returns the acknowledged end of its log.
    #[cfg(feature = "postgres")]
    pub(in crate::log) fn forget(&mut self, game: GameKey) -> Option<Tail> {
        self.games.remove(&game).map(|open| open.tail)
    }

    /// Reports that a write is stored after all.
    pub(in crate::log) fn acknowledge(&mut self, write: Write) {
        match write {
            Write::Create { key, game, acknowledge } => {
                let tail = game.tail();
                tell(|| acknowledge.durable(tail.entries));
                self.games.insert(key, OpenGame { acknowledge, tail });
            }
            Write::Append { game, row, .. } => {
                if let Some(open) = self.games.get_mut(&game) {
                    open.tail = Tail { entries: row.sequence, digest: row.digest };
                    tell(|| open.acknowledge.durable(row.sequence));
                }
            }
            Write::Client { done, .. } => drop(tell(|| done(Ok(())))),
            Write::Finish { game, done, .. } => {
                tell(|| done(Ok(())));
                self.games.remove(&game);
            }
            // It writes nothing, so it is never found in a store.
            Write::Resume { .. } => {}
        }
    }

    /// Reports that writes are not stored. Their games accept no more writes, unless only a client is missing.
    pub(in crate::log) fn refuse(&mut self, writes: Vec<Write>, error: &Arc<StoreError>) {
        let mut failed = Vec::new();
        for write in writes {
            match write {
                Write::Create { acknowledge, .. } | Write::Resume { acknowledge, .. } => {
                    tell(|| acknowledge.failed(error.clone()));
                }
                Write::Client { done, .. } => drop(tell(|| done(Err(error.clone())))),
                Write::Finish { game, done, .. } => {
                    tell(|| done(Err(error.clone())));
                    failed.push(game);
                }
                Write::Append { game, .. } => failed.push(game),
            }
        }
        for game in failed {
            if let Some(open) = self.games.remove(&game) {
                tell(|| open.acknowledge.failed(error.clone()));
            }
        }
    }

    /// Reports that this host is fenced: none of its games accepts more writes.
    pub(in crate::log) fn fence(&mut self, writes: Vec<Write>) {
        for write in writes {
            let game = write.game();
            self.refuse(vec![write], &Arc::new(StoreError::Fenced { game }));
        }
        for (key, game) in self.games.drain() {
            tell(|| game.acknowledge.failed(Arc::new(StoreError::Fenced { game: key })));
        }
    }

    pub(in crate::log) fn fail_all(&mut self, error: &Arc<StoreError>) {
        for (_, game) in self.games.drain() {
            tell(|| game.acknowledge.failed(error.clone()));
        }
    }
}

/// Calls the callback of a game and catches its panic, so that the writer continues for other games. Returns false after a
/// panic.
fn tell(call: impl FnOnce()) -> bool {
    panic::catch_unwind(AssertUnwindSafe(call)).is_ok()
}

/// A game in a transaction.
struct Staged {
    acknowledge: Arc<dyn Acknowledge>,
    /// The end of the log after the transaction.
    tail: Tail,
    opened: bool,
    grown: bool,
    finished: bool,
    /// Why the game accepts no more writes after this transaction.
    refused: Option<StoreError>,
}

impl Staged {
    fn new(acknowledge: Arc<dyn Acknowledge>, tail: Tail) -> Self {
        Self { acknowledge, tail, opened: false, grown: false, finished: false, refused: None }
    }

    fn is_open(&self) -> bool {
        !self.finished && self.refused.is_none()
    }
}

/// The games of a transaction.
pub(in crate::log) struct Staging<'w> {
    games: &'w OpenGames,
    staged: HashMap<GameKey, Staged>,
    /// The keys of `staged` in the order of the batch.
    order: Vec<GameKey>,
    entries: u64,
}

impl<'w> Staging<'w> {
    pub(in crate::log) fn new(games: &'w OpenGames) -> Self {
        Self { games, staged: HashMap::new(), order: Vec::new(), entries: 0 }
    }

    /// Adds a new game. If the store does not take it, it is refused.
    pub(in crate::log) fn create(
        &mut self,
        key: GameKey,
        game: &NewGame,
        acknowledge: &Arc<dyn Acknowledge>,
        refused: Option<StoreError>,
    ) {
        let is_stored = refused.is_none();
        if is_stored {
            self.entries += game.rows.len() as u64;
        }
        let staged = self.stage(key, Staged::new(acknowledge.clone(), game.tail()));
        (staged.opened, staged.grown, staged.refused) = (is_stored, is_stored, refused);
    }

    /// Whether a game accepts an entry. One with another sequence than expected fails the game.
    pub(in crate::log) fn expects(&mut self, game: GameKey, row: &Row) -> bool {
        let Some(staged) = self.touch(game) else { return false };
        let expected = staged.tail.entries + 1;
        if row.sequence != expected {
            staged.refused = Some(StoreError::Sequence { game, expected, found: row.sequence });
        }
        row.sequence == expected
    }

    /// The entry belongs to this transaction.
    pub(in crate::log) fn grow(&mut self, game: GameKey, row: &Row) {
        if let Some(staged) = self.touch(game) {
            staged.tail = Tail { entries: row.sequence, digest: row.digest };
            staged.grown = true;
            self.entries += 1;
        }
    }

    /// The game accepts no more writes after this transaction.
    pub(in crate::log) fn refuse(&mut self, game: GameKey, error: StoreError) {
        if let Some(staged) = self.touch(game) {
            staged.refused = Some(error);
        }
    }

    /// The store has another entry with this sequence, although the game's writes passed all checks.
    #[cfg(feature = "postgres")]
    pub(in crate::log) fn diverge(&mut self, game: GameKey, sequence: u64) {
        if let Some(staged) = self.staged.get_mut(&game) {
            staged.tail.entries = staged.tail.entries.min(sequence.saturating_sub(1));
            staged.refused.get_or_insert(StoreError::Diverged { game, sequence });
        }
    }

    /// Whether a game accepts writes. If it does, it becomes part of this transaction.
    pub(in crate::log) fn accepts(&mut self, game: GameKey) -> bool {
        self.touch(game).is_some()
    }

    /// Ends a game. Returns the end of its log.
    pub(in crate::log) fn finish(&mut self, game: GameKey) -> Result<Tail, StoreError> {
        let staged = self.touch(game).ok_or(StoreError::NotOpen { game })?;
        staged.finished = true;
        Ok(staged.tail)
    }

    /// Whether only the store knows the end of this game's log.
    pub(in crate::log) fn is_unknown(&self, game: GameKey) -> bool {
        !self.staged.contains_key(&game) && self.games.tail(game).is_none()
    }

    /// Opens a game. `stored` is the end of its log in the store, if the game [is unknown](Self::is_unknown) here. Returns the
    /// error if it cannot be opened.
    pub(in crate::log) fn resume(
        &mut self,
        game: GameKey,
        stored: Option<Tail>,
        next_sequence: u64,
        acknowledge: &Arc<dyn Acknowledge>,
    ) -> Option<StoreError> {
        // The previous writer of the game may have rows in this same transaction.
        let tail = match (self.staged.get(&game), self.games.tail(game)) {
            (Some(staged), _) if staged.is_open() => Some(staged.tail),
            (Some(_), _) => None,
            (None, Some(tail)) => Some(tail),
            (None, None) => stored,
        };
        let Some(tail) = tail else { return Some(StoreError::NotOpen { game }) };
        if next_sequence.checked_sub(1) != Some(tail.entries) {
            let expected = tail.entries.saturating_add(1);
            return Some(StoreError::Sequence { game, expected, found: next_sequence });
        }
        let staged = match self.staged.contains_key(&game) {
            true => self.touch(game),
            false => Some(self.stage(game, Staged::new(acknowledge.clone(), tail))),
        };
        if let Some(staged) = staged {
            (staged.acknowledge, staged.opened) = (acknowledge.clone(), true);
        }
        None
    }

    /// The ends of the logs that have grown.
    pub(in crate::log) fn tails(&self) -> impl Iterator<Item = (GameKey, Tail)> {
        self.staged.iter().filter(|(_, staged)| staged.grown).map(|(key, staged)| (*key, staged.tail))
    }

    /// The transaction is durable. `refusals` says for each write why it was refused.
    pub(in crate::log) fn committed(self, refusals: Vec<Option<StoreError>>) -> Committed {
        let Self { staged, order, entries, .. } = self;
        Committed { staged, order, refusals, entries }
    }

    /// Makes a game part of this transaction.
    fn stage(&mut self, key: GameKey, staged: Staged) -> &mut Staged {
        self.order.push(key);
        match self.staged.entry(key) {
            hash_map::Entry::Occupied(mut place) => {
                place.insert(staged);
                place.into_mut()
            }
            hash_map::Entry::Vacant(place) => place.insert(staged),
        }
    }

    /// Returns a game that accepts writes, and makes it part of this transaction.
    fn touch(&mut self, key: GameKey) -> Option<&mut Staged> {
        if !self.staged.contains_key(&key) {
            let open = self.games.games.get(&key)?;
            let staged = Staged::new(open.acknowledge.clone(), open.tail);
            self.stage(key, staged);
        }
        self.staged.get_mut(&key).filter(|staged| staged.is_open())
    }
}

/// A transaction that is durable, and whose games do not know it yet.
pub(in crate::log) struct Committed {
    staged: HashMap<GameKey, Staged>,
    order: Vec<GameKey>,
    /// For each write, why it was refused.
    refusals: Vec<Option<StoreError>>,
    entries: u64,
}

impl Committed {
    /// Whether no game is affected.
    pub(in crate::log) fn is_empty(&self) -> bool {
        self.staged.is_empty()
    }

    /// The number of entries.
    pub(in crate::log) fn entries(&self) -> u64 {
        self.entries
    }

    /// Notifies the games, and updates them.
    pub(in crate::log) fn tell(mut self, batch: Vec<Write>, games: &mut OpenGames) {
        for (write, refused) in batch.into_iter().zip(self.refusals) {
            let answer = refused.map_or(Ok(()), |error| Err(Arc::new(error)));
            match (write, answer) {
                (Write::Client { done, .. } | Write::Finish { done, .. }, answer) => drop(tell(|| done(answer))),
                (Write::Resume { acknowledge, .. }, Err(error)) => drop(tell(|| acknowledge.failed(error))),
                (Write::Create { .. } | Write::Append { .. } | Write::Resume { .. }, _) => {}
            }
        }
        for key in self.order {
            let Some(staged) = self.staged.remove(&key) else { continue };
            let is_open = staged.is_open();
            let Staged { acknowledge, tail, opened, grown, refused, .. } = staged;
            let heard = !(grown || opened) || tell(|| acknowledge.durable(tail.entries));
            if heard && is_open {
                games.games.insert(key, OpenGame { acknowledge, tail });
                continue;
            }
            games.games.remove(&key);
            if let Some(error) = refused {
                tell(|| acknowledge.failed(Arc::new(error)));
            }
        }
    }
}
