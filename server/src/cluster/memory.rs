//! A store in memory that several hosts of one process share.

use std::{
    collections::BTreeMap,
    fmt, future,
    sync::{
        Arc, Mutex, MutexGuard,
        atomic::{AtomicBool, Ordering},
    },
};

use tokio::sync::mpsc;

use super::{
    Answering, Claim, Claimed, HandOver, HostInfo, HostState, Incarnation, ListedGame, Member, MemberTable, Membership,
    MembershipError, Owner, SharedText, Sighting,
};
use crate::{
    log::{
        Acknowledge, Cell, Ending, EventLog, GameHead, GameKey, GameRecord, LogReader, Measures, MemoryLog, NewGame,
        Reading, Record, RecoveredBatch, RecoveryStats, Redaction, Row, Selection, StoreDamage, StoreError, Stored,
        StoredClient, Table, Tombstone, WhyRemoved,
    },
    sync::lock,
};

/// The store that the hosts share.
#[derive(Debug, Default)]
pub struct MemoryCluster {
    log: MemoryLog,
    /// Locked before the log, so that no write passes a burial.
    table: Mutex<MemberTable>,
}

impl MemoryCluster {
    /// An empty store.
    pub fn new() -> Arc<Self> {
        Arc::default()
    }

    /// The store as one more host has it.
    pub fn open(self: &Arc<Self>) -> Arc<MemoryMember> {
        Arc::new(MemoryMember { cluster: self.clone(), state: Mutex::default() })
    }

    /// Adds the published players of an unfinished game.
    fn with_players(&self, mut record: GameRecord) -> GameRecord {
        if record.end.is_none() {
            record.players = lock(&self.table).players(record.key).map(<[String]>::to_vec);
        }
        record
    }
}

/// The store of one host.
pub struct MemoryMember {
    cluster: Arc<MemoryCluster>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    incarnation: Option<Incarnation>,
    /// The games that this host has open for writing.
    open: BTreeMap<GameKey, Arc<Once>>,
    is_closed: bool,
}

impl State {
    fn fence_all(&mut self) {
        for (game, room) in std::mem::take(&mut self.open) {
            room.failed(Arc::new(StoreError::Fenced { game }));
        }
    }
}

impl MemoryMember {
    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    fn me(&self) -> Result<Incarnation, MembershipError> {
        self.state().incarnation.ok_or(MembershipError::NotRegistered)
    }

    fn answer<'a, T: Send + 'a>(
        &'a self,
        answer: impl FnOnce(&mut MemberTable, Incarnation) -> Result<T, MembershipError>,
    ) -> Answering<'a, T> {
        let answer = self.me().and_then(|me| answer(&mut lock(&self.cluster.table), me));
        Box::pin(future::ready(answer))
    }

    /// Lets one write of an open game pass, while the table is locked. If this host may not write, the game fails.
    fn pass(&self, game: GameKey) -> Result<MutexGuard<'_, MemberTable>, StoreError> {
        let (me, room) = {
            let state = self.state();
            (state.incarnation, state.open.get(&game).cloned())
        };
        let (Some(me), Some(room)) = (me, room) else { return Err(StoreError::NotOpen { game }) };
        let table = lock(&self.cluster.table);
        if table.may_write(me, game) {
            return Ok(table);
        }
        drop(table);
        self.state().open.remove(&game);
        room.failed(Arc::new(StoreError::Fenced { game }));
        Err(StoreError::Fenced { game })
    }
}

impl fmt::Debug for MemoryMember {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryMember").field("incarnation", &self.state().incarnation).finish_non_exhaustive()
    }
}

impl Membership for MemoryMember {
    fn register(&self, host: HostInfo) -> Answering<'_, Incarnation> {
        let incarnation = lock(&self.cluster.table).register(host);
        let mut state = self.state();
        state.fence_all();
        state.incarnation = Some(incarnation);
        Box::pin(future::ready(Ok(incarnation)))
    }

    fn beat(&self, state: HostState) -> Answering<'_, Vec<Member>> {
        self.answer(|table, me| table.beat(me, state))
    }

    fn members(&self) -> Answering<'_, Vec<Member>> {
        Box::pin(future::ready(Ok(lock(&self.cluster.table).members())))
    }

    fn bury(&self, seen: Sighting) -> Answering<'_, bool> {
        self.answer(|table, me| table.bury(me, seen))
    }

    fn claim(&self, which: Claim, limit: usize) -> Answering<'_, Vec<Claimed>> {
        self.answer(|table, me| table.claim(me, &which, limit))
    }

    fn owned(&self) -> Answering<'_, Vec<Claimed>> {
        self.answer(MemberTable::owned)
    }

    fn hand_over(&self, games: Vec<HandOver>) -> Answering<'_, ()> {
        let handed = self.answer(|table, me| table.hand_over(me, &games));
        let mut state = self.state();
        games.iter().for_each(|game| drop(state.open.remove(&game.key)));
        drop(state);
        handed
    }

    fn publish(&self, players: Vec<(GameKey, Vec<String>)>) -> Answering<'_, ()> {
        self.answer(|table, me| table.publish(me, players))
    }

    fn owner<'a>(&'a self, game: &'a str) -> Answering<'a, Option<Owner>> {
        let me = self.state().incarnation;
        Box::pin(future::ready(Ok(lock(&self.cluster.table).owner(me, game))))
    }

    fn open_games(&self, limit: usize) -> Answering<'_, Vec<ListedGame>> {
        Box::pin(future::ready(Ok(lock(&self.cluster.table).open_games(limit))))
    }

    fn shared_text(&self, name: String) -> Answering<'_, SharedText> {
        Box::pin(future::ready(Ok(lock(&self.cluster.table).shared_text(&name))))
    }

    fn replace_text(&self, name: String, version: u64, text: String) -> Answering<'_, bool> {
        self.answer(|table, me| table.replace_text(me, name, version, text))
    }

    fn leave(&self) -> Answering<'_, ()> {
        let left = self.answer(MemberTable::leave);
        let mut state = self.state();
        state.fence_all();
        state.incarnation = None;
        drop(state);
        left
    }
}

impl LogReader for MemoryMember {
    fn list(&self) -> Reading<'_, Vec<GameRecord>> {
        Box::pin(async {
            let records = self.cluster.log.list().await?;
            Ok(records.into_iter().map(|record| self.cluster.with_players(record)).collect())
        })
    }

    fn page(&self, before: Option<GameKey>, limit: usize) -> Reading<'_, Vec<GameRecord>> {
        Box::pin(async move {
            let records = self.cluster.log.page(before, limit).await?;
            Ok(records.into_iter().map(|record| self.cluster.with_players(record)).collect())
        })
    }

    fn first(&self) -> Reading<'_, Option<GameRecord>> {
        self.cluster.log.first()
    }

    fn ended_since<'a>(&'a self, rulebook: &'a str, moment: i64) -> Reading<'a, Vec<GameRecord>> {
        self.cluster.log.ended_since(rulebook, moment)
    }

    fn first_ended<'a>(&'a self, rulebook: &'a str, limit: usize) -> Reading<'a, Vec<GameRecord>> {
        self.cluster.log.first_ended(rulebook, limit)
    }

    fn count_ended<'a>(&'a self, rulebook: &'a str) -> Reading<'a, u64> {
        self.cluster.log.count_ended(rulebook)
    }

    fn removed(&self) -> Reading<'_, Vec<Tombstone>> {
        self.cluster.log.removed()
    }

    fn find<'a>(&'a self, name: &'a str) -> Reading<'a, Option<GameHead>> {
        self.cluster.log.find(name)
    }

    fn head(&self, game: GameKey) -> Reading<'_, GameHead> {
        self.cluster.log.head(game)
    }

    fn rows(&self, game: GameKey, from: u64) -> Reading<'_, Vec<Row>> {
        self.cluster.log.rows(game, from)
    }

    fn clients(&self, game: GameKey) -> Reading<'_, Vec<StoredClient>> {
        self.cluster.log.clients(game)
    }

    fn records(&self, table: &'static Table, filter: Option<(&'static str, Cell)>) -> Reading<'_, Vec<Vec<Cell>>> {
        self.cluster.log.records(table, filter)
    }

    fn recover(&self, which: Selection, found: mpsc::Sender<RecoveredBatch>) -> Reading<'_, RecoveryStats> {
        self.cluster.log.recover(which, found)
    }

    fn check(&self) -> Reading<'_, Vec<StoreDamage>> {
        self.cluster.log.check()
    }
}

impl EventLog for MemoryMember {
    fn add_tables(&self, tables: &[&'static Table]) -> Reading<'_, ()> {
        self.cluster.log.add_tables(tables)
    }

    fn create(&self, game: NewGame, acknowledge: Arc<dyn Acknowledge>) -> GameKey {
        let (room, key) = (Arc::new(Once::new(acknowledge)), self.cluster.log.next_key());
        let (me, is_closed) = {
            let state = self.state();
            (state.incarnation, state.is_closed)
        };
        let mut table = lock(&self.cluster.table);
        let Some(me) = me.filter(|me| !is_closed && table.is_alive(*me)) else {
            room.failed(Arc::new(if is_closed { StoreError::Closed } else { StoreError::Fenced { game: key } }));
            return key;
        };
        // The game has its owner before the room hears that it is stored.
        self.cluster.log.create_with_key(key, game, room.clone(), |record| {
            table.created(record.key, &record.name, &record.about, me);
            self.state().open.insert(record.key, room.clone());
        });
        drop(table);
        key
    }

    fn add_client(&self, game: GameKey, client: StoredClient, done: Stored) {
        match self.pass(game) {
            Ok(_table) => self.cluster.log.add_client(game, client, done),
            Err(error) => done(Err(Arc::new(error))),
        }
    }

    fn append(&self, game: GameKey, row: Row, records: Vec<Record>) {
        // A room that may not write has heard of it by the failure of its game.
        if let Ok(_table) = self.pass(game) {
            self.cluster.log.append(game, row, records);
        }
    }

    fn finish(&self, game: GameKey, ending: Ending, done: Stored) {
        match self.pass(game) {
            Ok(mut table) => {
                self.cluster.log.finish(game, ending, done);
                if self.cluster.log.is_over(game) {
                    table.finished(game);
                    self.state().open.remove(&game);
                }
            }
            Err(error) => done(Err(Arc::new(error))),
        }
    }

    fn resume(&self, game: GameKey, next_sequence: u64, acknowledge: Arc<dyn Acknowledge>) {
        let room = Arc::new(Once::new(acknowledge));
        let (me, is_closed) = {
            let state = self.state();
            (state.incarnation, state.is_closed)
        };
        let table = lock(&self.cluster.table);
        if is_closed {
            return room.failed(Arc::new(StoreError::Closed));
        }
        if !self.cluster.log.is_over(game) && !me.is_some_and(|me| table.may_write(me, game)) {
            return room.failed(Arc::new(StoreError::Fenced { game }));
        }
        self.state().open.insert(game, room.clone());
        self.cluster.log.resume(game, next_sequence, room);
    }

    fn remove(&self, game: GameKey, why: WhyRemoved, at: i64) -> Reading<'_, Tombstone> {
        self.cluster.log.remove(game, why, at)
    }

    fn redact(&self, game: GameKey, redaction: Redaction) -> Reading<'_, ()> {
        self.cluster.log.redact(game, redaction)
    }

    fn measures(&self) -> Option<&Measures> {
        None
    }

    fn close(&self) -> Result<(), StoreError> {
        let mut state = self.state();
        state.is_closed = true;
        state.open.clear();
        Ok(())
    }
}

/// A room that hears of one failure only: its game can fail in the store and at the fence.
struct Once {
    room: Arc<dyn Acknowledge>,
    has_failed: AtomicBool,
}

impl Once {
    fn new(room: Arc<dyn Acknowledge>) -> Self {
        Self { room, has_failed: AtomicBool::new(false) }
    }
}

impl Acknowledge for Once {
    fn durable(&self, through: u64) {
        self.room.durable(through);
    }

    fn failed(&self, error: Arc<StoreError>) {
        if !self.has_failed.swap(true, Ordering::Relaxed) {
            self.room.failed(error);
        }
    }
}
