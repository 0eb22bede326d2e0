//! A store that fails on purpose, for tests.

use std::{
    collections::{HashMap, HashSet, VecDeque},
    fmt, mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::mpsc;

use crate::log::{
    Acknowledge, Cell, Ending, EventLog, GameHead, GameKey, GameRecord, LogReader, Measures, NewGame, Reading, Record,
    RecoveredBatch, RecoveryStats, Redaction, Row, Selection, StoreDamage, StoreError, Stored, StoredClient, Table,
    Tombstone, WhyRemoved,
};

/// Wraps a store, and fails at a chosen write or holds writes back until they are released.
///
/// Every call that writes counts as a write, starting with 1. After a failed write, its game stays failed. Writes that are held
/// back are not in the store yet: [`crash`](Self::crash) loses them as a crash would. An [`Acknowledge`] must not write from
/// within its call.
#[derive(Clone, Debug)]
pub struct FaultyLog {
    inner: Arc<dyn EventLog>,
    state: Arc<Mutex<State>>,
}

impl FaultyLog {
    /// Wraps a store. Passes everything on until a test calls another method.
    pub fn new(inner: Arc<dyn EventLog>) -> Self {
        Self { inner, state: Arc::default() }
    }

    /// Makes the write with this number fail, and every later write of its game.
    pub fn fail_at(&self, write: u64) {
        self.state().fail_at = Some(write);
    }

    /// The number of writes so far.
    pub fn writes(&self) -> u64 {
        self.state().writes
    }

    /// Holds back all writes and acknowledgements until they are released.
    pub fn hold(&self) {
        self.state().holding = true;
    }

    /// Releases the oldest write or acknowledgement that is held back. Returns false if there is none.
    pub fn release_one(&self) -> bool {
        let held = self.state().held.pop_front();
        held.map(|held| held.happen(&*self.inner)).is_some()
    }

    /// Releases everything, and stops holding back.
    pub fn release(&self) {
        while self.release_one() {}
        let rest = {
            let mut state = self.state();
            state.holding = false;
            mem::take(&mut state.held)
        };
        rest.into_iter().for_each(|held| held.happen(&*self.inner));
    }

    /// Discards everything that is held back, as if the process had ended. Nothing more is stored or acknowledged.
    pub fn crash(&self) {
        let mut state = self.state();
        state.crashed = true;
        state.held.clear();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self, game: GameKey, held: Held) {
        let verdict = self.state().admit(game);
        match verdict {
            Verdict::Now => held.happen(&*self.inner),
            Verdict::Later => self.state().held.push_back(held),
            Verdict::Fails { error, gate } => {
                held.refuse(&error);
                if let Some(gate) = gate {
                    gate.failed(error);
                }
            }
            Verdict::Lost => {}
        }
    }
}

impl LogReader for FaultyLog {
    fn list(&self) -> Reading<'_, Vec<GameRecord>> {
        self.inner.list()
    }

    fn page(&self, before: Option<GameKey>, limit: usize) -> Reading<'_, Vec<GameRecord>> {
        self.inner.page(before, limit)
    }

    fn first(&self) -> Reading<'_, Option<GameRecord>> {
        self.inner.first()
    }

    fn ended_since<'a>(&'a self, rulebook: &'a str, moment: i64) -> Reading<'a, Vec<GameRecord>> {
        self.inner.ended_since(rulebook, moment)
    }

    fn first_ended<'a>(&'a self, rulebook: &'a str, limit: usize) -> Reading<'a, Vec<GameRecord>> {
        self.inner.first_ended(rulebook, limit)
    }

    fn count_ended<'a>(&'a self, rulebook: &'a str) -> Reading<'a, u64> {
        self.inner.count_ended(rulebook)
    }

    fn removed(&self) -> Reading<'_, Vec<Tombstone>> {
        self.inner.removed()
    }

    fn find<'a>(&'a self, name: &'a str) -> Reading<'a, Option<GameHead>> {
        self.inner.find(name)
    }

    fn head(&self, game: GameKey) -> Reading<'_, GameHead> {
        self.inner.head(game)
    }

    fn rows(&self, game: GameKey, from: u64) -> Reading<'_, Vec<Row>> {
        self.inner.rows(game, from)
    }

    fn clients(&self, game: GameKey) -> Reading<'_, Vec<StoredClient>> {
        self.inner.clients(game)
    }

    fn records(&self, table: &'static Table, filter: Option<(&'static str, Cell)>) -> Reading<'_, Vec<Vec<Cell>>> {
        self.inner.records(table, filter)
    }

    fn recover(&self, which: Selection, found: mpsc::Sender<RecoveredBatch>) -> Reading<'_, RecoveryStats> {
        self.inner.recover(which, found)
    }

    fn check(&self) -> Reading<'_, Vec<StoreDamage>> {
        self.inner.check()
    }
}

impl EventLog for FaultyLog {
    fn add_tables(&self, tables: &[&'static Table]) -> Reading<'_, ()> {
        self.inner.add_tables(tables)
    }

    fn create(&self, game: NewGame, acknowledge: Arc<dyn Acknowledge>) -> GameKey {
        // The store assigns the key, so it gets the game at once; the gate holds back its acknowledgements.
        let gate = Gate::new(acknowledge, &self.state);
        let key = if self.state().fails_next() {
            // A key that the store never assigns.
            GameKey(-(self.writes() as i64) - 1)
        } else {
            self.inner.create(game, Arc::<Gate>::clone(&gate))
        };
        let verdict = {
            let mut state = self.state();
            state.games.insert(key, Arc::clone(&gate));
            state.admit(key)
        };
        if let Verdict::Fails { error, .. } = verdict {
            gate.failed(error);
        }
        key
    }

    fn add_client(&self, game: GameKey, client: StoredClient, done: Stored) {
        self.write(game, Held::Client { game, client, done });
    }

    fn append(&self, game: GameKey, row: Row, records: Vec<Record>) {
        self.write(game, Held::Append { game, row, records });
    }

    fn finish(&self, game: GameKey, ending: Ending, done: Stored) {
        self.write(game, Held::Finish { game, ending, done });
    }

    fn resume(&self, game: GameKey, next_sequence: u64, acknowledge: Arc<dyn Acknowledge>) {
        let gate = Gate::new(acknowledge, &self.state);
        {
            let mut state = self.state();
            state.failed.remove(&game);
            state.games.insert(game, Arc::clone(&gate));
        }
        self.inner.resume(game, next_sequence, gate);
    }

    fn remove(&self, game: GameKey, why: WhyRemoved, at: i64) -> Reading<'_, Tombstone> {
        self.inner.remove(game, why, at)
    }

    fn redact(&self, game: GameKey, redaction: Redaction) -> Reading<'_, ()> {
        self.inner.redact(game, redaction)
    }

    fn measures(&self) -> Option<&Measures> {
        self.inner.measures()
    }

    fn close(&self) -> Result<(), StoreError> {
        self.release();
        self.inner.close()
    }
}

#[derive(Default)]
struct State {
    writes: u64,
    fail_at: Option<u64>,
    holding: bool,
    crashed: bool,
    held: VecDeque<Held>,
    games: HashMap<GameKey, Arc<Gate>>,
    failed: HashSet<GameKey>,
}

enum Verdict {
    Now,
    Later,
    /// The gate is present for the first failure of a game.
    Fails {
        error: Arc<StoreError>,
        gate: Option<Arc<Gate>>,
    },
    Lost,
}

impl State {
    fn fails_next(&self) -> bool {
        self.fail_at == Some(self.writes + 1)
    }

    fn admit(&mut self, game: GameKey) -> Verdict {
        let fails = self.fails_next();
        self.writes += 1;
        if self.crashed {
            Verdict::Lost
        } else if self.failed.contains(&game) {
            Verdict::Fails { error: Arc::new(StoreError::NotOpen { game }), gate: None }
        } else if fails {
            self.failed.insert(game);
            let error = Arc::new(StoreError::Injected { write: self.writes });
            Verdict::Fails { error, gate: self.games.remove(&game) }
        } else if self.holding {
            Verdict::Later
        } else {
            Verdict::Now
        }
    }
}

/// A write or an acknowledgement that is held back.
enum Held {
    Client { game: GameKey, client: StoredClient, done: Stored },
    Append { game: GameKey, row: Row, records: Vec<Record> },
    Finish { game: GameKey, ending: Ending, done: Stored },
    Durable { told: Arc<Mutex<Told>>, through: u64 },
}

impl Held {
    fn happen(self, inner: &dyn EventLog) {
        match self {
            Self::Client { game, client, done } => inner.add_client(game, client, done),
            Self::Append { game, row, records } => inner.append(game, row, records),
            Self::Finish { game, ending, done } => inner.finish(game, ending, done),
            Self::Durable { told, through } => tell_durable(&told, through),
        }
    }

    /// Reports an error to the callback, if there is one.
    fn refuse(self, error: &Arc<StoreError>) {
        match self {
            Self::Client { done, .. } | Self::Finish { done, .. } => done(Err(Arc::clone(error))),
            Self::Append { .. } | Self::Durable { .. } => {}
        }
    }
}

/// Sits between the store and a game: also holds back acknowledgements, and passes none after a failure.
struct Gate {
    told: Arc<Mutex<Told>>,
    state: Arc<Mutex<State>>,
}

/// The receiver of acknowledgements, until the first failure.
type Told = Option<Arc<dyn Acknowledge>>;

impl Gate {
    fn new(acknowledge: Arc<dyn Acknowledge>, state: &Arc<Mutex<State>>) -> Arc<Self> {
        Arc::new(Self { told: Arc::new(Mutex::new(Some(acknowledge))), state: Arc::clone(state) })
    }
}

impl Acknowledge for Gate {
    fn durable(&self, through: u64) {
        {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            if state.crashed {
                return;
            }
            if state.holding {
                state.held.push_back(Held::Durable { told: Arc::clone(&self.told), through });
                return;
            }
        }
        tell_durable(&self.told, through);
    }

    fn failed(&self, error: Arc<StoreError>) {
        if let Some(told) = self.told.lock().unwrap_or_else(PoisonError::into_inner).take() {
            told.failed(error);
        }
    }
}

/// Holds the lock during the call, so that a failure on another thread is reported after it.
fn tell_durable(told: &Mutex<Told>, through: u64) {
    if let Some(told) = &*told.lock().unwrap_or_else(PoisonError::into_inner) {
        told.durable(through);
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { writes, fail_at, holding, .. } = self;
        f.debug_struct("State").field("writes", writes).field("fail_at", fail_at).field("holding", holding).finish()
    }
}
