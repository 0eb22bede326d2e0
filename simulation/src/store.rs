//! The simulated store: commits take time and fail as the seed wants, and a crash keeps a prefix of what was not acknowledged.
//!
//! [`Disk`] survives crashes. A [`SimStore`] belongs to one host, and its queue is lost with that host. As a real store, it
//! retries commits itself: a room only ever waits longer.

#[cfg(test)]
mod conformance;
mod disk;
mod members;
mod membership;
mod writes;

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard},
};

use server::{
    log::{
        Acknowledge, Cell, Ending, EventLog, GameHead, GameKey, GameRecord, LogReader, Measures, NewGame, Reading,
        Record, RecoveredBatch, RecoveryStats, Redaction, Row, Selection, StoreDamage, StoreError, Stored,
        StoredClient, Table, Tombstone, WhyRemoved,
    },
    sync::lock,
};
use tokio::{
    sync::{Notify, mpsc},
    time::{Instant, sleep, sleep_until},
};

pub(crate) use self::disk::{Disk, OpenBook, Trouble};
use self::{
    disk::{Applied, Commit},
    writes::{Answer, Queue, Write},
};
use crate::{
    coverage::Covered,
    freeze::Freeze,
    observer::{Check, Observer},
    planted::Planted,
    random::Random,
};

/// The most writes that wait for one game: a room stops at its own limit, and adds a few for clients and the end.
const MOST_WAITING: usize = 1100;

/// The store of one host.
#[derive(Debug)]
pub(crate) struct SimStore {
    disk: Arc<Disk>,
    queue: Mutex<Queue>,
    /// Wakes the writer.
    work: Notify,
    freeze: Arc<Freeze>,
    /// The host is cut off from the store.
    partition: Arc<Freeze>,
    observer: Arc<Observer>,
}

impl SimStore {
    /// Opens the disk for one host, and starts the writer.
    pub(crate) fn open(
        disk: &Arc<Disk>,
        freeze: Arc<Freeze>,
        partition: Arc<Freeze>,
        observer: Arc<Observer>,
    ) -> Arc<Self> {
        let queue = Mutex::new(Queue::default());
        let store = Arc::new(Self { disk: disk.clone(), queue, work: Notify::new(), freeze, partition, observer });
        tokio::spawn(store.clone().write());
        store
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        lock(&self.queue)
    }

    fn push(&self, write: Write) {
        let mut queue = self.queue();
        let game = write.game();
        let refused = match (queue.is_gone, queue.open.contains_key(&game)) {
            (true, _) => Some(StoreError::Closed),
            (false, false) => Some(StoreError::NotOpen { game }),
            (false, true) => None,
        };
        if let Some(error) = refused {
            drop(queue);
            write.refuse(&Arc::new(error));
            return;
        }
        queue.writes.push_back(write);
        let (waiting, games) = (queue.writes.len(), queue.open.len());
        drop(queue);
        if waiting > MOST_WAITING * games.max(1) {
            self.observer.fail(Check::Memory, || format!("{waiting} writes of {games} games wait for the store"));
        }
        self.work.notify_one();
    }

    /// Commits batch after batch, until the host is gone.
    async fn write(self: Arc<Self>) {
        loop {
            self.reached().await;
            let (is_gone, count) = {
                let queue = self.queue();
                (queue.is_gone, queue.writes.len())
            };
            if is_gone {
                return;
            }
            if count == 0 {
                self.work.notified().await;
                continue;
            }
            let (commit, count) = self.disk.next_commit(count);
            if self.disk.plants(Planted::AcknowledgeEarly) {
                self.queue().acknowledge_early(count);
            }
            match commit {
                Commit::Silent { until } => sleep_until(until).await,
                Commit::Lost { took, pause } => {
                    sleep(took).await;
                    self.refuse_creates(count);
                    sleep(pause).await;
                }
                Commit::Unknown { took, pause } => {
                    sleep(took).await;
                    let applied = self.apply(count);
                    sleep(pause).await;
                    self.give(applied);
                }
                Commit::Stored { took } => {
                    sleep(took).await;
                    self.freeze.thawed().await;
                    // A commit that was on its way when the network broke may arrive, and its answer does not.
                    if self.partition.until().is_some() && self.disk.arrives() {
                        self.observer.cover(Covered::CommitInPartition);
                        let applied = self.apply(count);
                        self.reached().await;
                        self.give(applied);
                        continue;
                    }
                    self.reached().await;
                    let applied = self.apply(count);
                    self.give(applied);
                }
            }
        }
    }

    /// Stores the first writes of the queue.
    fn apply(&self, count: usize) -> Applied {
        let mut queue = self.queue();
        let count = count.min(queue.writes.len());
        let before_end = queue.writes.iter().position(|write| matches!(write, Write::Finish { .. }));
        let count = before_end.filter(|before| *before > 0 && self.disk.stops_at_end()).unwrap_or(count).min(count);
        let writes: Vec<Write> = queue.writes.drain(..count).collect();
        let by = queue.incarnation;
        drop(queue);
        self.disk.apply(by, writes)
    }

    fn give(&self, applied: Applied) {
        if self.queue().is_gone {
            return;
        }
        let by = self.queue().incarnation;
        self.disk.stalled(by, &applied.oldest);
        applied.answers.into_iter().for_each(Answer::give);
        self.fence(applied.fenced);
    }

    /// Fails the games of writes that were not stored, because another host owns them.
    fn fence(&self, writes: Vec<Write>) {
        for write in writes {
            let game = write.game();
            let error = Arc::new(StoreError::Fenced { game });
            self.observer.cover(Covered::Fenced);
            let room = self.queue().open.remove(&game);
            // The room of a game that is being opened hears of it once.
            let hears_it = matches!(write, Write::Create { .. } | Write::Resume { .. });
            write.refuse(&error);
            if !hears_it {
                room.into_iter().for_each(|room| room.failed(error.clone()));
            }
        }
    }

    /// A new game does not wait for a store that fails: its creator hears of it at once.
    fn refuse_creates(&self, count: usize) {
        let refused = self.queue().take_creates(count);
        for write in refused {
            self.observer.cover(Covered::CreateInStoreFault);
            write.refuse(&Arc::new(StoreError::Unavailable(Arc::new(fault()))));
        }
    }

    /// Fails one game that the next client opens again: its writes that wait are lost, and its room ends. True if there was one.
    pub(crate) fn fail_one(&self, random: &mut Random, opens_again: fn(&str) -> bool) -> bool {
        let (game, room, lost) = {
            let mut queue = self.queue();
            let can_fail = |game: &GameKey| self.disk.unfinished(*game).is_some_and(|rulebook| opens_again(&rulebook));
            let open: Vec<GameKey> = queue.open.keys().copied().filter(can_fail).collect();
            let Some(game) = random.pick(&open).copied() else { return false };
            let room = queue.open.remove(&game);
            let (lost, kept) = queue.writes.drain(..).partition(|write| write.game() == game);
            queue.writes = kept;
            let lost: VecDeque<Write> = lost;
            (game, room, lost)
        };
        self.observer.step(|| format!("the store gives up game {game}, with {} writes", lost.len()));
        self.disk.close_book(game);
        let error = Arc::new(StoreError::Unavailable(Arc::new(fault())));
        lost.into_iter().for_each(|write| write.refuse(&error));
        room.into_iter().for_each(|room| room.failed(error.clone()));
        true
    }

    /// Ends the host of this store at once. A prefix of the waiting writes is stored, and no room learns of it.
    pub(crate) fn crash(&self, random: &mut Random) {
        let mut queue = self.queue();
        queue.is_gone = true;
        let writes: Vec<Write> = queue.writes.drain(..).collect();
        let open = std::mem::take(&mut queue.open);
        let by = queue.incarnation;
        drop(queue);
        let kept = random.below(writes.len() as u64 + 1) as usize;
        if !writes.is_empty() {
            self.observer.cover(Covered::CrashWithWrites);
            match kept {
                0 => self.observer.cover(Covered::CrashKeepsNone),
                kept if kept < writes.len() => self.observer.cover(Covered::CrashKeepsPart),
                _ => {}
            }
        }
        self.observer.step(|| format!("the crash keeps {kept} of {} writes", writes.len()));
        if self.disk.is_in_trouble() {
            self.observer.cover(Covered::CrashInStoreFault);
        }
        let mut writes = writes.into_iter();
        let _no_room_hears_it = self.disk.apply(by, writes.by_ref().take(kept).collect());
        // The rooms of the dead host end, so that they do not play on without effect.
        let closed = Arc::new(StoreError::Closed);
        open.into_values().for_each(|room| room.failed(closed.clone()));
        writes.for_each(|write| write.refuse(&closed));
        self.work.notify_one();
    }

    async fn pause(&self) {
        self.reached().await;
        sleep(self.disk.read_pause()).await;
        self.reached().await;
    }

    /// Waits until the host runs and reaches the store.
    async fn reached(&self) {
        while self.freeze.until().or(self.partition.until()).is_some() {
            self.freeze.thawed().await;
            self.partition.thawed().await;
        }
    }
}

impl LogReader for SimStore {
    fn list(&self) -> Reading<'_, Vec<GameRecord>> {
        Box::pin(async {
            self.pause().await;
            Ok(self.disk.with_players(self.disk.stored.list().await?))
        })
    }

    fn page(&self, before: Option<GameKey>, limit: usize) -> Reading<'_, Vec<GameRecord>> {
        Box::pin(async move {
            self.pause().await;
            Ok(self.disk.with_players(self.disk.stored.page(before, limit).await?))
        })
    }

    fn first(&self) -> Reading<'_, Option<GameRecord>> {
        Box::pin(async {
            self.pause().await;
            self.disk.stored.first().await
        })
    }

    fn ended_since<'a>(&'a self, rulebook: &'a str, moment: i64) -> Reading<'a, Vec<GameRecord>> {
        Box::pin(async move {
            self.pause().await;
            self.disk.stored.ended_since(rulebook, moment).await
        })
    }

    fn first_ended<'a>(&'a self, rulebook: &'a str, limit: usize) -> Reading<'a, Vec<GameRecord>> {
        self.disk.stored.first_ended(rulebook, limit)
    }

    fn count_ended<'a>(&'a self, rulebook: &'a str) -> Reading<'a, u64> {
        self.disk.stored.count_ended(rulebook)
    }

    fn removed(&self) -> Reading<'_, Vec<Tombstone>> {
        self.disk.stored.removed()
    }

    fn find<'a>(&'a self, name: &'a str) -> Reading<'a, Option<GameHead>> {
        Box::pin(async {
            self.pause().await;
            self.disk.stored.find(name).await
        })
    }

    fn head(&self, game: GameKey) -> Reading<'_, GameHead> {
        Box::pin(async move {
            self.pause().await;
            self.disk.stored.head(game).await
        })
    }

    fn rows(&self, game: GameKey, from: u64) -> Reading<'_, Vec<Row>> {
        Box::pin(async move {
            self.pause().await;
            let mut rows = self.disk.stored.rows(game, from).await?;
            let middle = rows.len() / 2;
            if self.disk.plants(Planted::SkipRow) && rows.len() > 2 {
                rows.remove(middle);
            }
            if self.disk.plants(Planted::RepeatRow) && rows.len() > 2 {
                rows.insert(middle, rows[middle].clone());
            }
            Ok(rows)
        })
    }

    fn clients(&self, game: GameKey) -> Reading<'_, Vec<StoredClient>> {
        Box::pin(async move {
            self.pause().await;
            self.disk.stored.clients(game).await
        })
    }

    fn records(&self, table: &'static Table, filter: Option<(&'static str, Cell)>) -> Reading<'_, Vec<Vec<Cell>>> {
        Box::pin(async move {
            self.pause().await;
            self.disk.stored.records(table, filter).await
        })
    }

    fn recover(&self, which: Selection, found: mpsc::Sender<RecoveredBatch>) -> Reading<'_, RecoveryStats> {
        Box::pin(async move {
            self.pause().await;
            self.disk.stored.recover(which, found).await
        })
    }

    fn check(&self) -> Reading<'_, Vec<StoreDamage>> {
        self.disk.stored.check()
    }
}

impl EventLog for SimStore {
    fn add_tables(&self, tables: &[&'static Table]) -> Reading<'_, ()> {
        self.disk.stored.add_tables(tables)
    }

    fn create(&self, game: NewGame, acknowledge: Arc<dyn Acknowledge>) -> GameKey {
        let key = self.disk.next_key();
        self.queue().open.insert(key, acknowledge.clone());
        if self.disk.plants(Planted::AnswerCreateEarly) {
            acknowledge.durable(0);
        }
        self.push(Write::Create { key, game: Box::new(game), acknowledge, at: Instant::now() });
        key
    }

    fn add_client(&self, game: GameKey, client: StoredClient, done: Stored) {
        if self.disk.plants(Planted::AnswerCreateEarly) {
            self.push(Write::Client { game, client, done: Box::new(drop) });
            return done(Ok(()));
        }
        if self.disk.plants(Planted::LoseToken) && game.0 % 2 == 0 {
            return done(Ok(()));
        }
        self.push(Write::Client { game, client, done });
    }

    fn append(&self, game: GameKey, row: Row, records: Vec<Record>) {
        if self.disk.plants(Planted::TellEarly)
            && let Some(room) = self.queue().open.get(&game)
        {
            room.durable(row.sequence);
        }
        self.push(Write::Append { game, row, records, at: Instant::now() });
    }

    fn finish(&self, game: GameKey, ending: Ending, done: Stored) {
        if self.disk.plants(Planted::LoseEnd) {
            return done(Ok(()));
        }
        self.push(Write::Finish { game, ending, done });
    }

    fn resume(&self, game: GameKey, next_sequence: u64, acknowledge: Arc<dyn Acknowledge>) {
        self.queue().open.insert(game, acknowledge.clone());
        self.push(Write::Resume { game, next_sequence, acknowledge });
    }

    fn remove(&self, game: GameKey, why: WhyRemoved, at: i64) -> Reading<'_, Tombstone> {
        self.disk.stored.remove(game, why, at)
    }

    fn redact(&self, game: GameKey, redaction: Redaction) -> Reading<'_, ()> {
        self.disk.stored.redact(game, redaction)
    }

    fn measures(&self) -> Option<&Measures> {
        None
    }

    /// As a real store, it does not wait for the end of a fault: what waits then is lost, in part or as a whole.
    fn close(&self) -> Result<(), StoreError> {
        let count = self.queue().writes.len();
        let kept = self.disk.kept_at_close(count);
        let applied = self.apply(kept);
        self.give(applied);
        let lost: Vec<Write> = {
            let mut queue = self.queue();
            queue.is_gone = true;
            queue.writes.drain(..).collect()
        };
        self.work.notify_one();
        if kept == count {
            return Ok(());
        }
        let error = Arc::new(StoreError::Unavailable(Arc::new(fault())));
        lost.into_iter().for_each(|write| write.refuse(&error));
        Err(StoreError::Unavailable(Arc::new(fault())))
    }
}

/// The error of every commit that fails.
fn fault() -> StoreError {
    StoreError::Injected { write: 0 }
}
