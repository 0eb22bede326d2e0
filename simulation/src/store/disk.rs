//! What is stored, and how the store behaves.

use std::{
    collections::BTreeMap,
    pin::pin,
    sync::{Arc, Mutex},
    task::{Context, Poll, Waker},
    time::Duration,
};

use engine::Cause;
use server::{
    cluster::Incarnation,
    log::{EventLog, GameHead, GameKey, LogReader, MemoryLog, StoreError},
    sync::lock,
};
use tokio::{sync::oneshot, time::Instant};

use super::{
    members::Members,
    writes::{Answer, Answers, Gate, Write, gated},
};
use crate::{
    coverage::Covered,
    ledger::{Book, Finding, Ledger},
    observer::{Check, Observer},
    planted::Planted,
    random::Random,
};

/// The age of an unacknowledged entry from which the clock of its game stands.
const CLOCK_STANDS_AFTER: Duration = Duration::from_millis(250);

/// Begins the truth of a stored game.
pub(crate) type OpenBook = fn(&GameHead) -> Result<Box<dyn Book>, Finding>;

/// The part of a store that survives crashes.
#[derive(Debug)]
pub(crate) struct Disk {
    pub(super) stored: MemoryLog,
    /// The hosts and the owners of games, if several hosts share the disk.
    pub(super) members: Option<Mutex<Members>>,
    state: Mutex<State>,
    /// The answers of the stored games to the writes of the present batch.
    answers: Answers,
    ledger: Arc<Ledger>,
    open_book: OpenBook,
    pub(super) observer: Arc<Observer>,
    planted: Option<Planted>,
    /// The wall clock when the simulation began.
    base_ms: i64,
    began: Instant,
}

#[derive(Debug)]
struct State {
    random: Random,
    trouble: Option<(Trouble, Instant)>,
    next_fails: Option<Trouble>,
    /// Whether no operation of membership fails by chance.
    is_calm: bool,
    /// When the store could be reached and written again last.
    reachable: Instant,
    /// When the machine woke up last.
    woke: Instant,
    /// Resolves when the last entry of a game is stored.
    at_end: Option<oneshot::Sender<()>>,
}

/// How a store misbehaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// Commits take long.
    Slow,
    /// Commits do not end.
    Silent,
    /// Commits fail.
    Full,
    /// The next commit fails and is lost.
    Lost,
    /// The next commit fails though it is stored.
    Unknown,
}

/// How the next commit goes, and how long each part takes.
pub(super) enum Commit {
    Stored { took: Duration },
    Lost { took: Duration, pause: Duration },
    Unknown { took: Duration, pause: Duration },
    Silent { until: Instant },
}

/// How an operation of membership ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Stored,
    /// It fails and is not stored.
    Lost,
    /// It fails though it is stored.
    Unknown,
}

/// Writes that are stored and not yet answered.
pub(super) struct Applied {
    pub(super) answers: Vec<Answer>,
    /// When the oldest entry of each game was written.
    pub(super) oldest: BTreeMap<GameKey, Instant>,
    /// Writes of a host that does not own their games. They are not stored.
    pub(super) fenced: Vec<Write>,
}

impl Disk {
    /// An empty disk; the wall clock shows `base_ms` now.
    pub(crate) fn new(
        random: Random,
        ledger: Arc<Ledger>,
        open_book: OpenBook,
        observer: Arc<Observer>,
        planted: Option<Planted>,
        base_ms: i64,
        hosts: usize,
    ) -> Self {
        Self {
            stored: MemoryLog::new(),
            members: (hosts > 1).then(Mutex::default),
            state: Mutex::new(State {
                random,
                trouble: None,
                next_fails: None,
                is_calm: false,
                reachable: Instant::now(),
                woke: Instant::now(),
                at_end: None,
            }),
            answers: Answers::default(),
            ledger,
            open_book,
            observer,
            planted,
            base_ms,
            began: Instant::now(),
        }
    }

    /// No operation fails by chance: for the rows that every store passes.
    #[cfg(test)]
    pub(super) fn calm(self) -> Self {
        lock(&self.state).is_calm = true;
        self
    }

    /// Reads what is stored, without any trouble.
    pub(crate) fn reader(&self) -> &dyn LogReader {
        &self.stored
    }

    /// Whether the end of a game is stored.
    pub(crate) fn has_ended(&self, game: &str) -> bool {
        now(self.stored.find(game)).is_ok_and(|head| head.is_some_and(|head| head.record.end.is_some()))
    }

    /// Makes the store misbehave for some time.
    pub(crate) fn trouble(&self, trouble: Trouble, time: Duration) {
        let mut state = lock(&self.state);
        match trouble {
            Trouble::Lost | Trouble::Unknown => state.next_fails = Some(trouble),
            Trouble::Slow | Trouble::Silent | Trouble::Full => state.trouble = Some((trouble, Instant::now() + time)),
        }
        if matches!(trouble, Trouble::Silent | Trouble::Full) {
            state.reachable = state.reachable.max(Instant::now() + time);
        }
    }

    /// The rulebook of a game that is stored and unfinished.
    pub(super) fn unfinished(&self, game: GameKey) -> Option<String> {
        let head = now(self.stored.head(game)).ok()?;
        head.record.end.is_none().then_some(head.record.about.rulebook)
    }

    /// No host has the game any more.
    pub(super) fn close_book(&self, game: GameKey) {
        self.ledger.look_by_key(game, |book| book.close());
    }

    /// The wall clock now.
    pub(crate) fn now_ms(&self) -> i64 {
        self.wall_ms(Instant::now())
    }

    /// The whole machine sleeps for this time, in which no room can stop its clock.
    pub(crate) fn woke_up_after(&self, time: Duration) {
        lock(&self.state).woke = Instant::now() + time;
        self.members.iter().for_each(|members| lock(members).slept(time));
    }

    /// Resolves as soon as the last entry of a game is stored, before its end is.
    pub(crate) fn next_end(&self) -> oneshot::Receiver<()> {
        let (at_end, ended) = oneshot::channel();
        lock(&self.state).at_end = Some(at_end);
        ended
    }

    /// Whether the next commit ends with the last entry of a game.
    pub(super) fn stops_at_end(&self) -> bool {
        lock(&self.state).at_end.is_some()
    }

    /// When the store could be reached and written again last.
    pub(super) fn reachable(&self) -> Instant {
        lock(&self.state).reachable
    }

    /// Whether the store misbehaves now.
    pub(crate) fn is_in_trouble(&self) -> bool {
        lock(&self.state).trouble().is_some()
    }

    pub(super) fn plants(&self, planted: Planted) -> bool {
        self.planted == Some(planted)
    }

    pub(super) fn next_key(&self) -> GameKey {
        self.stored.next_key()
    }

    /// How the next commit goes, and how many of the waiting writes it has: a long queue is committed in pieces.
    pub(super) fn next_commit(&self, waiting: usize) -> (Commit, usize) {
        let mut state = lock(&self.state);
        let is_whole = state.random.chance(70);
        let count = if is_whole { waiting } else { state.random.within(1..=waiting as u64) as usize };
        (state.next_commit(), count)
    }

    /// How an operation of membership ends; with a time if the store is silent until then.
    pub(super) fn next_operation(&self) -> Result<Outcome, Instant> {
        let mut state = lock(&self.state);
        match state.trouble() {
            Some((Trouble::Silent, until)) => return Err(until),
            Some((Trouble::Full, _)) => return Ok(Outcome::Lost),
            Some((Trouble::Slow | Trouble::Lost | Trouble::Unknown, _)) | None => {}
        }
        if state.is_calm {
            return Ok(Outcome::Stored);
        }
        Ok(match state.random.below(200) {
            0 => Outcome::Lost,
            1 => Outcome::Unknown,
            _ => Outcome::Stored,
        })
    }

    /// Whether a commit arrives though its host is cut off.
    pub(super) fn arrives(&self) -> bool {
        lock(&self.state).random.chance(50)
    }

    pub(super) fn read_pause(&self) -> Duration {
        let mut state = lock(&self.state);
        match state.trouble() {
            Some((Trouble::Slow, _)) => state.random.millis(5..=300),
            Some(_) | None => Duration::from_micros(state.random.within(0..=2000)),
        }
    }

    /// How many of the waiting writes a store keeps that is closed now.
    pub(super) fn kept_at_close(&self, count: usize) -> usize {
        let mut state = lock(&self.state);
        match state.trouble() {
            None | Some((Trouble::Slow, _)) => count,
            Some(_) => state.random.below(count as u64 + 1) as usize,
        }
    }

    /// Stores writes of a host, in order. The answers are for the host, if it still lives.
    pub(super) fn apply(&self, by: Option<Incarnation>, writes: Vec<Write>) -> Applied {
        let mut oldest: BTreeMap<GameKey, Instant> = BTreeMap::new();
        let created: Vec<GameKey> = writes.iter().filter_map(Write::created).collect();
        for write in &writes {
            // The clock of a game does not stand for a host that does not own it.
            if let Write::Append { game, at, .. } | Write::Create { key: game, at, .. } = write
                && (created.contains(game) || self.passes(by, write))
            {
                oldest.entry(*game).or_insert(*at);
            }
        }
        self.stalled(by, &oldest);
        let mut fenced = Vec::new();
        for write in writes {
            if !self.passes(by, &write) {
                fenced.push(write);
                continue;
            }
            let applied = self.check_owner(by, &write).and_then(|()| self.apply_one(by, write));
            if let Err(Finding { check, facts }) = applied {
                self.observer.fail(check, || facts);
            }
        }
        Applied { answers: std::mem::take(&mut lock(&self.answers)), oldest, fenced }
    }

    fn apply_one(&self, by: Option<Incarnation>, write: Write) -> Result<(), Finding> {
        let answers = &self.answers;
        match write {
            Write::Create { key, game, acknowledge, at } => {
                let room = Arc::new(Gate { room: acknowledge, answers: answers.clone() });
                self.stored.create_with_key(key, *game, room, |record| self.created(by, record));
                let head = self.head(key)?;
                self.observer.bytes(&head.header);
                self.observer.step(|| format!("stored: game {} ({})", head.record.name, head.record.about.rulebook));
                let mut book = (self.open_book)(&head)?;
                // Only a fork has entries from the beginning.
                book.begin(head.record.created, &now(self.stored.rows(key, 1)).unwrap_or_default())?;
                book.reopen(self.now_ms());
                self.ledger.create(&head, book);
                // The clock of a new game also stands for the game itself.
                self.stalled(by, &BTreeMap::from([(key, at)]));
            }
            Write::Client { game, client, done } => {
                self.observer.bytes(&client.token_hash);
                self.stored.add_client(game, client, gated(done, answers));
            }
            Write::Append { game, row, records, .. } => {
                let before = lock(answers).len();
                self.stored.append(game, row.clone(), records);
                let is_stored = matches!(lock(answers).get(before), Some(Answer::Durable { .. }));
                if is_stored {
                    self.observer.bytes(&row.bytes);
                    self.observe(game, &row)?;
                }
            }
            Write::Finish { game, ending, done } => {
                self.observer.bytes(ending.outcome.as_bytes());
                self.stored.finish(game, ending, gated(done, answers));
                if self.unfinished(game).is_none() {
                    self.finished(game);
                }
            }
            Write::Resume { game, next_sequence, acknowledge } => {
                let gate = Gate { room: acknowledge, answers: answers.clone() };
                self.stored.resume(game, next_sequence, Arc::new(gate));
                self.ledger.look_by_key(game, |book| book.reopen(self.now_ms()));
            }
        }
        Ok(())
    }

    fn observe(&self, game: GameKey, row: &server::log::Row) -> Result<(), Finding> {
        let stored = self.ledger.look_by_key(game, |book| (book.store(row), book.is_over()));
        let Some((cause, is_over)) = stored else {
            return Err(Finding::new(Check::Durability, format!("an entry of game {game}, which is not stored")));
        };
        match cause? {
            Cause::Timer { .. } => self.observer.cover(Covered::Timer),
            Cause::Command { client, .. } => {
                self.observer.step(|| format!("stored: game {game} entry {} of client {client}", row.sequence));
            }
        }
        if is_over {
            self.observer.cover(Covered::GameOver);
            let at_end = lock(&self.state).at_end.take();
            let _waits_no_more = at_end.map(|at_end| at_end.send(()));
        }
        Ok(())
    }

    /// Tells the ledger for how long the store has been silent to these games of a host.
    pub(super) fn stalled(&self, by: Option<Incarnation>, oldest: &BTreeMap<GameKey, Instant>) {
        let now = self.wall_ms(Instant::now());
        let woke = lock(&self.state).woke;
        for (game, written) in oldest.iter().filter(|(game, written)| **written > woke && self.owns(by, **game)) {
            let stands = self.wall_ms(*written + CLOCK_STANDS_AFTER);
            if stands < now {
                self.ledger.look_by_key(*game, |book| book.stall(stands, now));
            }
        }
    }

    fn wall_ms(&self, at: Instant) -> i64 {
        self.base_ms + i64::try_from(at.duration_since(self.began).as_millis()).unwrap_or(i64::MAX)
    }

    fn head(&self, key: GameKey) -> Result<GameHead, Finding> {
        let found = now(self.stored.head(key));
        found.map_err(|error| Finding::new(Check::Durability, format!("game {key} was stored: {error}")))
    }
}

impl State {
    fn next_commit(&mut self) -> Commit {
        let took = Duration::from_micros(self.random.within(200..=4000));
        let pause = self.random.millis(50..=400);
        if let Some(trouble) = self.next_fails.take() {
            return if trouble == Trouble::Lost {
                Commit::Lost { took, pause }
            } else {
                Commit::Unknown { took, pause }
            };
        }
        match self.trouble() {
            None | Some((Trouble::Lost | Trouble::Unknown, _)) => Commit::Stored { took },
            Some((Trouble::Slow, _)) => Commit::Stored { took: self.random.millis(20..=900) },
            Some((Trouble::Full, _)) => Commit::Lost { took, pause },
            Some((Trouble::Silent, until)) => Commit::Silent { until },
        }
    }

    fn trouble(&mut self) -> Option<(Trouble, Instant)> {
        self.trouble = self.trouble.filter(|(_, until)| *until > Instant::now());
        self.trouble
    }
}

/// The result of a store in memory, which never waits.
fn now<T>(reading: impl Future<Output = Result<T, StoreError>>) -> Result<T, StoreError> {
    match pin!(reading).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(result) => result,
        Poll::Pending => Err(StoreError::Closed),
    }
}
