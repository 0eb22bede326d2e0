//! A store in memory.

mod tables;

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt, future,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tables::Tables;
use tokio::sync::mpsc;

use crate::log::{
    Acknowledge, Cell, End, Ending, EventLog, GameHead, GameKey, GameRecord, LogReader, Measures, NewGame, Reading,
    Record, RecoveredBatch, RecoveryStats, Redaction, Row, Selection, StoreDamage, StoreError, Stored, StoredClient,
    Table, Tail, Tombstone, WhyRemoved,
    recovered::{Gone, Recovering},
};

/// Keeps everything in memory and acknowledges each write at once, on the caller's thread.
#[derive(Debug, Default)]
pub struct MemoryLog {
    games: Mutex<Games>,
}

impl MemoryLog {
    /// An empty log.
    pub fn new() -> Self {
        Self::default()
    }

    /// A key that no other game gets.
    pub fn next_key(&self) -> GameKey {
        let mut games = self.games();
        games.last_key += 1;
        GameKey(games.last_key)
    }

    /// Creates a game with a key of [`next_key`](Self::next_key), and calls `stored` before the game's creator is told that it
    /// is stored.
    pub fn create_with_key(
        &self,
        key: GameKey,
        game: NewGame,
        acknowledge: Arc<dyn Acknowledge>,
        stored: impl FnOnce(&GameRecord),
    ) {
        let answer = self.games().create(key, game, &acknowledge);
        let record = self.games().all.get(&key).map(|game| game.head.record.clone());
        if let Some(record) = &record {
            stored(record);
        }
        answer.give(&*acknowledge);
    }

    /// Whether the end of a game is stored.
    pub(crate) fn is_over(&self, game: GameKey) -> bool {
        self.games().all.get(&game).is_some_and(|game| !game.is_unfinished())
    }

    fn games(&self) -> MutexGuard<'_, Games> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A result that is available at once.
fn ready<'a, T: Send + 'a>(answer: Result<T, StoreError>) -> Reading<'a, T> {
    Box::pin(future::ready(answer))
}

impl LogReader for MemoryLog {
    fn list(&self) -> Reading<'_, Vec<GameRecord>> {
        ready(Ok(self.games().all.values().map(|game| game.head.record.clone()).collect()))
    }

    fn page(&self, before: Option<GameKey>, limit: usize) -> Reading<'_, Vec<GameRecord>> {
        let games = self.games();
        let older = games.all.values().rev().map(|game| &game.head.record);
        let older = older.filter(|record| before.is_none_or(|before| record.key < before));
        ready(Ok(older.take(limit).cloned().collect()))
    }

    fn first(&self) -> Reading<'_, Option<GameRecord>> {
        ready(Ok(self.games().all.values().next().map(|game| game.head.record.clone())))
    }

    fn ended_since<'a>(&'a self, rulebook: &'a str, moment: i64) -> Reading<'a, Vec<GameRecord>> {
        let games = self.games();
        let records = games.all.values().rev().map(|game| &game.head.record);
        let ended = records.filter(|record| {
            record.about.rulebook == rulebook && record.end.as_ref().is_some_and(|end| end.at >= moment)
        });
        ready(Ok(ended.cloned().collect()))
    }

    fn first_ended<'a>(&'a self, rulebook: &'a str, limit: usize) -> Reading<'a, Vec<GameRecord>> {
        let games = self.games();
        let mut ended: Vec<&GameRecord> = games.ended(rulebook).collect();
        ended.sort_by_key(|record| (record.end.as_ref().map(|end| end.at), record.key));
        ready(Ok(ended.into_iter().take(limit).cloned().collect()))
    }

    fn count_ended<'a>(&'a self, rulebook: &'a str) -> Reading<'a, u64> {
        ready(Ok(self.games().ended(rulebook).count() as u64))
    }

    fn removed(&self) -> Reading<'_, Vec<Tombstone>> {
        ready(Ok(self.games().removed.values().cloned().collect()))
    }

    fn find<'a>(&'a self, name: &'a str) -> Reading<'a, Option<GameHead>> {
        let games = self.games();
        ready(Ok(games.all.values().find(|game| game.head.record.name == name).map(|game| game.head.clone())))
    }

    fn head(&self, game: GameKey) -> Reading<'_, GameHead> {
        ready(self.games().all.get(&game).map(|game| game.head.clone()).ok_or(StoreError::NoSuchGame { game }))
    }

    fn rows(&self, game: GameKey, from: u64) -> Reading<'_, Vec<Row>> {
        let games = self.games();
        let rows = games.all.get(&game).map_or(&[][..], |game| &game.rows);
        ready(Ok(rows.iter().filter(|row| row.sequence >= from).cloned().collect()))
    }

    fn clients(&self, game: GameKey) -> Reading<'_, Vec<StoredClient>> {
        ready(Ok(self.games().all.get(&game).map(|game| game.clients.clone()).unwrap_or_default()))
    }

    fn records(&self, table: &'static Table, filter: Option<(&'static str, Cell)>) -> Reading<'_, Vec<Vec<Cell>>> {
        ready(self.games().tables.read(table, filter.as_ref()).map_err(Into::into))
    }

    fn recover(&self, which: Selection, found: mpsc::Sender<RecoveredBatch>) -> Reading<'_, RecoveryStats> {
        Box::pin(async move {
            // All batches are collected before the first is sent: a room must not wait for a slow receiver.
            let mut batches = Vec::new();
            let stats = self.games().recover(&which, &mut batches)?;
            for batch in batches {
                found.send(batch).await.map_err(|_| StoreError::Closed)?;
            }
            Ok(stats)
        })
    }

    fn check(&self) -> Reading<'_, Vec<StoreDamage>> {
        ready(Ok(Vec::new()))
    }
}

impl EventLog for MemoryLog {
    fn add_tables(&self, tables: &[&'static Table]) -> Reading<'_, ()> {
        let mut games = self.games();
        ready(if games.closed && !tables.is_empty() {
            Err(StoreError::Closed)
        } else {
            games.tables.add(tables).map_err(Into::into)
        })
    }

    fn create(&self, game: NewGame, acknowledge: Arc<dyn Acknowledge>) -> GameKey {
        let key = self.next_key();
        self.create_with_key(key, game, acknowledge, |_| {});
        key
    }

    fn add_client(&self, game: GameKey, client: StoredClient, done: Stored) {
        let added = self.games().add_client(game, client);
        done(added.map_err(Arc::new));
    }

    fn append(&self, game: GameKey, row: Row, records: Vec<Record>) {
        let answer = self.games().append(game, row, &records);
        if let Some((acknowledge, answer)) = answer {
            answer.give(&*acknowledge);
        }
    }

    fn finish(&self, game: GameKey, ending: Ending, done: Stored) {
        let finished = self.games().finish(game, ending);
        done(finished.map_err(Arc::new));
    }

    fn resume(&self, game: GameKey, next_sequence: u64, acknowledge: Arc<dyn Acknowledge>) {
        let answer = self.games().resume(game, next_sequence, &acknowledge);
        answer.give(&*acknowledge);
    }

    fn remove(&self, game: GameKey, why: WhyRemoved, at: i64) -> Reading<'_, Tombstone> {
        ready(self.games().remove(game, why, at))
    }

    fn redact(&self, game: GameKey, redaction: Redaction) -> Reading<'_, ()> {
        ready(self.games().redact(game, redaction))
    }

    fn measures(&self) -> Option<&Measures> {
        None
    }

    fn close(&self) -> Result<(), StoreError> {
        let mut games = self.games();
        games.closed = true;
        games.all.values_mut().for_each(|game| game.acknowledge = None);
        Ok(())
    }
}

#[derive(Debug, Default)]
struct Games {
    all: BTreeMap<GameKey, StoredGame>,
    removed: BTreeMap<GameKey, Tombstone>,
    /// The names of all games, also of removed ones.
    names: BTreeSet<String>,
    tables: Tables,
    last_key: i64,
    closed: bool,
}

struct StoredGame {
    head: GameHead,
    clients: Vec<StoredClient>,
    rows: Vec<Row>,
    /// `None` when the game is closed for writing.
    acknowledge: Option<Arc<dyn Acknowledge>>,
}

impl StoredGame {
    fn is_unfinished(&self) -> bool {
        self.head.record.end.is_none()
    }
}

/// Acknowledgements to send after the lock is released, because a receiver may write again.
enum Answer {
    Durable(u64),
    Failed(StoreError),
}

impl Answer {
    fn give(self, acknowledge: &dyn Acknowledge) {
        match self {
            Self::Durable(through) => acknowledge.durable(through),
            Self::Failed(error) => acknowledge.failed(Arc::new(error)),
        }
    }
}

impl Games {
    fn create(&mut self, key: GameKey, game: NewGame, acknowledge: &Arc<dyn Acknowledge>) -> Answer {
        let tail = game.tail();
        let NewGame { name, about, header, scenario, created, parent, rows, redacted } = game;
        if self.closed {
            return Answer::Failed(StoreError::Closed);
        }
        if !self.names.insert(name.clone()) {
            return Answer::Failed(StoreError::NameTaken { name });
        }

        let record = GameRecord { key, name, about, created, end: None, players: None, results: None, parent, tail };
        let stored = StoredGame {
            head: GameHead {
                record,
                header,
                scenario,
                redacted: redacted.map(|redacted| *redacted).unwrap_or_default(),
            },
            clients: Vec::new(),
            rows,
            acknowledge: Some(Arc::clone(acknowledge)),
        };
        self.all.insert(key, stored);
        Answer::Durable(tail.entries)
    }

    fn add_client(&mut self, game: GameKey, client: StoredClient) -> Result<(), StoreError> {
        let open = self.find_open(game).ok_or(StoreError::NotOpen { game })?;
        match open.clients.binary_search_by_key(&client.client, |other| other.client) {
            Ok(_) => Err(StoreError::ClientTaken { game, client: client.client.0 }),
            Err(place) => {
                open.clients.insert(place, client);
                Ok(())
            }
        }
    }

    fn append(&mut self, game: GameKey, row: Row, records: &[Record]) -> Option<(Arc<dyn Acknowledge>, Answer)> {
        let expected = self.find_open(game)?.head.record.tail.entries + 1;
        let refused = if row.sequence == expected {
            let is_game = |game: GameKey| self.all.contains_key(&game);
            self.tables.write(game, records, is_game).err().map(StoreError::Record)
        } else {
            Some(StoreError::Sequence { game, expected, found: row.sequence })
        };
        let open = self.find_open(game)?;
        if let Some(error) = refused {
            return Some((open.acknowledge.take()?, Answer::Failed(error)));
        }
        open.head.record.tail = Tail { entries: row.sequence, digest: row.digest };
        open.rows.push(row);
        Some((open.acknowledge.clone()?, Answer::Durable(expected)))
    }

    fn finish(&mut self, game: GameKey, ending: Ending) -> Result<(), StoreError> {
        let open = self.find_open(game).ok_or(StoreError::NotOpen { game })?;
        let Ending { outcome, at, players, results } = ending;
        let record = &mut open.head.record;
        record.end = Some(End { outcome, at });
        record.players = Some(players);
        record.results = (!results.is_empty()).then_some(results);
        open.acknowledge = None;
        Ok(())
    }

    /// The finished games of a rulebook.
    fn ended<'g>(&'g self, rulebook: &'g str) -> impl Iterator<Item = &'g GameRecord> {
        let records = self.all.values().map(|game| &game.head.record);
        records.filter(move |record| record.about.rulebook == rulebook && record.end.is_some())
    }

    /// A game that is over.
    fn find_finished(&mut self, game: GameKey) -> Result<&mut StoredGame, StoreError> {
        if self.closed {
            return Err(StoreError::Closed);
        }
        match self.all.get_mut(&game) {
            Some(stored) if stored.is_unfinished() => Err(StoreError::NotOver { game }),
            Some(stored) => Ok(stored),
            None => Err(StoreError::NoSuchGame { game }),
        }
    }

    fn remove(&mut self, game: GameKey, why: WhyRemoved, at: i64) -> Result<Tombstone, StoreError> {
        let GameRecord { name, tail, .. } = self.find_finished(game)?.head.record.clone();
        let stone = Tombstone { key: game, name, tail, rows: None, at, why };
        self.tables.remove(game);
        self.all.remove(&game);
        self.removed.insert(game, stone.clone());
        Ok(stone)
    }

    fn redact(&mut self, game: GameKey, redaction: Redaction) -> Result<(), StoreError> {
        let Redaction { entries, clients, outcome, players, results, records, at: _ } = redaction;
        let rows = &self.find_finished(game)?.rows;
        let missing = entries.iter().find(|(sequence, _)| rows.iter().all(|row| row.sequence != *sequence));
        if let Some((sequence, _)) = missing {
            return Err(StoreError::Diverged { game, sequence: *sequence });
        }
        let is_game = |game: GameKey| self.all.contains_key(&game);
        self.tables.write(game, &records, is_game)?;
        let stored = self.find_finished(game)?;
        let record = &mut stored.head.record;
        (record.players, record.results) = (players, results);
        record.end.iter_mut().for_each(|end| end.outcome.clone_from(&outcome));
        stored.head.redacted = stored.head.redacted.with(entries.iter().map(|(sequence, _)| *sequence));
        for (sequence, bytes) in entries {
            let row = stored.rows.iter_mut().find(|row| row.sequence == sequence);
            row.into_iter().for_each(|row| row.bytes.clone_from(&bytes));
        }
        for (client, name) in clients {
            stored
                .clients
                .iter_mut()
                .filter(|known| known.client == client)
                .for_each(|known| known.name.clone_from(&name));
        }
        Ok(())
    }

    fn resume(&mut self, game: GameKey, next_sequence: u64, acknowledge: &Arc<dyn Acknowledge>) -> Answer {
        if self.closed {
            return Answer::Failed(StoreError::Closed);
        }
        let unfinished = self.all.get_mut(&game).filter(|game| game.is_unfinished());
        let Some(unfinished) = unfinished else { return Answer::Failed(StoreError::NotOpen { game }) };
        let expected = unfinished.head.record.tail.entries + 1;
        if next_sequence != expected {
            return Answer::Failed(StoreError::Sequence { game, expected, found: next_sequence });
        }
        unfinished.acknowledge = Some(Arc::clone(acknowledge));
        Answer::Durable(next_sequence - 1)
    }

    fn recover(&self, which: &Selection, batches: &mut Vec<RecoveredBatch>) -> Result<RecoveryStats, StoreError> {
        let games: Vec<&StoredGame> = match which {
            Selection::All => self.all.values().collect(),
            Selection::Unfinished => self.all.values().filter(|game| game.is_unfinished()).collect(),
            Selection::Keys(keys) => {
                let find = |game: &GameKey| self.all.get(game).ok_or(StoreError::NoSuchGame { game: *game });
                keys.iter().map(find).collect::<Result<_, _>>()?
            }
        };
        let mut recovering = Recovering::new(|batch| {
            batches.push(batch);
            Ok(())
        });
        let mut tell = |StoredGame { head, clients, rows, .. }: &StoredGame| {
            let game = head.record.key;
            recovering.game(head.clone())?;
            clients.iter().try_for_each(|client| recovering.client(game, client.clone()))?;
            rows.iter().try_for_each(|row| recovering.entry(game, row.sequence, &row.bytes, row.digest))
        };
        let told = games.into_iter().try_for_each(&mut tell);
        told.and_then(|()| recovering.end()).map_err(|Gone| StoreError::Closed)
    }

    fn find_open(&mut self, key: GameKey) -> Option<&mut StoredGame> {
        self.all.get_mut(&key).filter(|game| game.acknowledge.is_some())
    }
}

impl fmt::Debug for StoredGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StoredGame").field("record", &self.head.record).finish_non_exhaustive()
    }
}
