//! Games without a disk.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use crate::log::{
    Acknowledge, End, EventLog, GameHead, GameKey, GameRecord, Measures, NewGame, Recovered, RecoveryStats, Row,
    StoreError, Stored, StoredClient, Tail,
};

/// Keeps everything in memory and acknowledges it at once, from the thread that writes.
#[derive(Debug, Default)]
pub struct MemoryLog {
    games: Mutex<Games>,
}

impl MemoryLog {
    pub fn new() -> Self {
        Self::default()
    }

    fn games(&self) -> MutexGuard<'_, Games> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl EventLog for MemoryLog {
    fn create(&self, game: NewGame, acknowledge: Arc<dyn Acknowledge>) -> GameKey {
        let (key, answer) = self.games().create(game, &acknowledge);
        answer.give(&*acknowledge);
        key
    }

    fn add_client(&self, game: GameKey, client: StoredClient, done: Stored) {
        let added = self.games().add_client(game, client);
        done(added.map_err(Arc::new));
    }

    fn append(&self, game: GameKey, row: Row) {
        let answer = self.games().append(game, row);
        if let Some((acknowledge, answer)) = answer {
            answer.give(&*acknowledge);
        }
    }

    fn finish(&self, game: GameKey, end: End, players: Vec<String>, done: Stored) {
        let finished = self.games().finish(game, end, players);
        done(finished.map_err(Arc::new));
    }

    fn resume(&self, game: GameKey, next_sequence: u64, acknowledge: Arc<dyn Acknowledge>) {
        let answer = self.games().resume(game, next_sequence, &acknowledge);
        answer.give(&*acknowledge);
    }

    fn read(&self, game: GameKey, from: u64) -> Result<Vec<Row>, StoreError> {
        let games = self.games();
        // An unknown game has no entries, as in a file.
        let rows = games.all.get(&game).map_or(&[][..], |game| &game.rows);
        Ok(rows.iter().filter(|row| row.sequence >= from).cloned().collect())
    }

    fn head(&self, game: GameKey) -> Result<GameHead, StoreError> {
        self.games().all.get(&game).map(|game| game.head.clone()).ok_or(StoreError::NoSuchGame { game })
    }

    fn find(&self, name: &str) -> Result<Option<GameHead>, StoreError> {
        Ok(self.games().all.values().find(|game| game.head.record.name == name).map(|game| game.head.clone()))
    }

    fn clients(&self, game: GameKey) -> Result<Vec<StoredClient>, StoreError> {
        Ok(self.games().all.get(&game).map(|game| game.clients.clone()).unwrap_or_default())
    }

    fn list(&self) -> Result<Vec<GameRecord>, StoreError> {
        Ok(self.games().all.values().map(|game| game.head.record.clone()).collect())
    }

    fn page(&self, before: Option<GameKey>, limit: usize) -> Result<Vec<GameRecord>, StoreError> {
        let games = self.games();
        let older = games.all.values().rev().map(|game| &game.head.record);
        let older = older.filter(|record| before.is_none_or(|before| record.key < before));
        Ok(older.take(limit).cloned().collect())
    }

    fn recover(&self, visit: &mut dyn FnMut(Recovered<'_>)) -> Result<RecoveryStats, StoreError> {
        let mut stats = RecoveryStats::default();
        let games = self.games();
        for StoredGame { head, clients, rows, .. } in games.all.values().filter(|game| game.is_unfinished()) {
            let game = head.record.key;
            visit(Recovered::Game { head });
            clients.iter().for_each(|client| visit(Recovered::Client { game, client }));
            for Row { sequence, bytes, digest } in rows {
                visit(Recovered::Entry { game, sequence: *sequence, bytes, digest: *digest });
                stats.bytes += bytes.len() as u64;
            }
            stats.games += 1;
            stats.clients += clients.len() as u64;
            stats.entries += rows.len() as u64;
        }
        Ok(stats)
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
    names: BTreeSet<String>,
    last_key: i64,
    closed: bool,
}

struct StoredGame {
    head: GameHead,
    clients: Vec<StoredClient>,
    rows: Vec<Row>,
    /// As long as the game is open.
    acknowledge: Option<Arc<dyn Acknowledge>>,
}

impl StoredGame {
    fn is_unfinished(&self) -> bool {
        self.head.record.end.is_none()
    }
}

/// What to say once nothing is locked any more: whoever hears it may write again.
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
    fn create(&mut self, game: NewGame, acknowledge: &Arc<dyn Acknowledge>) -> (GameKey, Answer) {
        self.last_key += 1;
        let key = GameKey(self.last_key);
        let tail = game.tail();
        let NewGame { name, about, header, scenario, created, parent, rows } = game;
        if self.closed {
            return (key, Answer::Failed(StoreError::Closed));
        }
        if !self.names.insert(name.clone()) {
            return (key, Answer::Failed(StoreError::NameTaken { name }));
        }

        let record = GameRecord { key, name, about, created, end: None, players: None, parent, tail };
        let stored = StoredGame {
            head: GameHead { record, header, scenario },
            clients: Vec::new(),
            rows,
            acknowledge: Some(Arc::clone(acknowledge)),
        };
        self.all.insert(key, stored);
        (key, Answer::Durable(tail.entries))
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

    fn append(&mut self, game: GameKey, row: Row) -> Option<(Arc<dyn Acknowledge>, Answer)> {
        let open = self.find_open(game)?;
        let tail = &mut open.head.record.tail;
        let expected = tail.entries + 1;
        if row.sequence != expected {
            let error = StoreError::Sequence { game, expected, found: row.sequence };
            return Some((open.acknowledge.take()?, Answer::Failed(error)));
        }
        *tail = Tail { entries: row.sequence, digest: row.digest };
        open.rows.push(row);
        Some((open.acknowledge.clone()?, Answer::Durable(expected)))
    }

    fn finish(&mut self, game: GameKey, end: End, players: Vec<String>) -> Result<(), StoreError> {
        let open = self.find_open(game).ok_or(StoreError::NotOpen { game })?;
        open.head.record.end = Some(end);
        open.head.record.players = Some(players);
        open.acknowledge = None;
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

    fn find_open(&mut self, key: GameKey) -> Option<&mut StoredGame> {
        self.all.get_mut(&key).filter(|game| game.acknowledge.is_some())
    }
}

impl fmt::Debug for StoredGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StoredGame").field("record", &self.head.record).finish_non_exhaustive()
    }
}
