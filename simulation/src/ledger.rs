//! The truth of a simulation: every stored entry of every game, folded a second time, and the events that each listener must
//! hear. It shares no code with the host's own numbering of events.

use std::{
    any::Any,
    cell::RefCell,
    collections::{BTreeMap, VecDeque},
    fmt,
    sync::Mutex,
};

use engine::{
    Audience, Cause, CommId, Emission, Entry, EntryOf, Header, Replay, Rulebook, TimerChange, Undecodable, decode_setup,
};
use serde::{Serialize, de::DeserializeOwned};
use server::{
    HostedRules,
    log::{GameHead, GameKey, Row},
    sync::lock,
};

use crate::observer::Check;

/// How much the clock of a game may differ from the time that passed, in milliseconds.
const CLOCK_SLACK_MS: i64 = 20;

/// How late a timer may be, in milliseconds of the game's clock. A room that waits for its store does not look at its timers, and
/// the clock of its game stands only a little later.
pub(crate) const TIMER_SLACK_MS: u64 = 3000;
/// The same for a machine that may have slept.
const SLEEP_SLACK_MS: u64 = TIMER_SLACK_MS + 5000;

/// A broken promise, and the facts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    /// The check that fails.
    pub(crate) check: Check,
    /// The facts, for people.
    pub(crate) facts: String,
}

impl Finding {
    /// A finding.
    pub(crate) fn new(check: Check, facts: impl Into<String>) -> Self {
        Self { check, facts: facts.into() }
    }
}

/// Who hears a stream of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Listener {
    /// A client, with or without the events for the board.
    Client {
        /// The client.
        client: CommId,
        /// Whether it hears the board.
        board: bool,
    },
    /// A spectator.
    Watcher,
}

/// How far a listener has heard.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cursor {
    /// The number of the last event.
    pub(crate) number: u64,
    /// The place after it among all events of the game.
    place: usize,
}

/// A game with its name.
type NamedBook = (String, Box<dyn Book>);

/// Setups by their bytes.
type KnownSetups = VecDeque<(Vec<u8>, Box<dyn Any>)>;

/// The stored games.
#[derive(Default)]
pub(crate) struct Ledger {
    games: Mutex<BTreeMap<GameKey, NamedBook>>,
    keys: Mutex<BTreeMap<String, GameKey>>,
}

impl fmt::Debug for Ledger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(lock(&self.keys).keys()).finish()
    }
}

impl Ledger {
    /// Adds a stored game.
    pub(crate) fn create(&self, head: &GameHead, book: Box<dyn Book>) {
        lock(&self.keys).insert(head.record.name.clone(), head.record.key);
        lock(&self.games).insert(head.record.key, (head.record.name.clone(), book));
    }

    /// Looks at a game; `None` if it is not stored.
    pub(crate) fn look<T>(&self, game: &str, look: impl FnOnce(&mut dyn Book) -> T) -> Option<T> {
        let key = *lock(&self.keys).get(game)?;
        self.look_by_key(key, look)
    }

    /// Looks at a game by its key.
    pub(crate) fn look_by_key<T>(&self, key: GameKey, look: impl FnOnce(&mut dyn Book) -> T) -> Option<T> {
        lock(&self.games).get_mut(&key).map(|(_, book)| look(&mut **book))
    }

    /// Looks at a game of a known rulebook; `None` if it is not stored, or is of another.
    pub(crate) fn look_as<R: HostedRules, T>(&self, game: &str, look: impl FnOnce(&GameBook<R>) -> T) -> Option<T> {
        self.look(game, |book| (book as &dyn Any).downcast_ref().map(look)).flatten()
    }

    /// Finds the last game of a rulebook for which `find` gives something, and its name.
    pub(crate) fn find_last<R: HostedRules, T>(&self, find: impl Fn(&GameBook<R>) -> Option<T>) -> Option<(String, T)> {
        let games = lock(&self.games);
        games.values().rev().find_map(|(name, book)| {
            let found = find((&**book as &dyn Any).downcast_ref()?)?;
            Some((name.clone(), found))
        })
    }

    /// Looks at all games.
    pub(crate) fn all(&self, mut look: impl FnMut(&str, &dyn Book)) {
        lock(&self.games).values().for_each(|(name, book)| look(name, &**book));
    }
}

/// The truth of one game.
pub(crate) trait Book: Any + Send {
    /// Adds a stored entry.
    ///
    /// # Errors
    /// If it does not fold to the same emissions, or the game's clock ran when it had to stand.
    fn store(&mut self, row: &Row) -> Result<Cause<(), ()>, Finding>;

    /// Begins a game that was created at this wall time, with the entries that a fork has from its parent.
    ///
    /// # Errors
    /// If they do not fold to the same emissions.
    fn begin(&mut self, created: i64, rows: &[Row]) -> Result<(), Finding>;

    /// A host continues the game at this wall time: its timers begin again.
    fn reopen(&mut self, at: i64);

    /// No host has the game, so nothing of it can happen until one continues it.
    fn close(&mut self);

    /// Checks that a game whose clock ran for this time since its last entry has no timer that is overdue by `slack_ms`.
    ///
    /// # Errors
    /// If it has one.
    fn check_timers(&self, ran_ms: u64, slack_ms: u64) -> Result<(), Finding>;

    /// The wall time of the last entry, or since when a host has the game, if that is later.
    fn last_at(&self) -> i64;

    /// Remembers that the store was silent from one wall time to another.
    fn stall(&mut self, from_ms: i64, to_ms: i64);

    /// Checks an event that a listener hears, and moves its cursor.
    ///
    /// # Errors
    /// If the event is not the next of the listener's stream, or not stored.
    fn hear(&self, cursor: &mut Cursor, listener: Listener, number: u64, event: &[u8]) -> Result<(), Finding>;

    /// Whether a listener has heard everything so far.
    fn has_heard_all(&self, cursor: &Cursor, listener: Listener) -> bool;

    /// The stored commands of a client, in order.
    fn commands(&self, client: CommId) -> &[Vec<u8>];

    /// Whether the game is over.
    fn is_over(&self) -> bool;

    /// The number of stored entries.
    fn entries(&self) -> u64;

    /// Whether it has an entry of its own, beside those that a fork has from its parent.
    fn has_own_entries(&self) -> bool;
}

/// The truth of a game of a known rulebook.
pub(crate) struct GameBook<R: Rulebook> {
    replay: Replay<R>,
    entries: u64,
    /// The entries that a fork has from its parent.
    inherited: u64,
    seated: Vec<CommId>,
    events: Vec<Said>,
    /// The game before the first entry and after every one, if they are kept.
    states: Vec<R>,
    keeps_states: bool,
    commands: BTreeMap<CommId, Vec<Vec<u8>>>,
    /// The numbers of their entries.
    entries_of: BTreeMap<CommId, Vec<u64>>,
    /// The wall time and the game's time of the last entry, or of the creation.
    last: Option<(i64, u64)>,
    stalls: Vec<(i64, i64)>,
    timers: Vec<SetTimer<R::Timer>>,
    /// Since when a host has the game. The timers of other games do not run.
    opened: Option<i64>,
}

/// A timer that is set.
struct SetTimer<T> {
    timer: T,
    after_ms: u64,
    /// The time of the game's clock at which it is due. A host that continues a game begins its timers again.
    due_ms: u64,
}

/// An event with its audience.
struct Said {
    to: Audience,
    /// The clients with a seat, if the event is for all.
    seated: Vec<CommId>,
    event: Vec<u8>,
}

impl Said {
    fn is_for(&self, listener: Listener) -> bool {
        match (self.to, listener) {
            (Audience::Only(to), Listener::Client { client, .. }) => to == client,
            (Audience::Only(_), Listener::Watcher) => false,
            (Audience::All | Audience::Board, Listener::Watcher | Listener::Client { board: true, .. }) => true,
            (Audience::All, Listener::Client { client, board: false }) => self.seated.contains(&client),
            (Audience::Board, Listener::Client { board: false, .. }) => false,
        }
    }
}

/// The truth of a stored game before its first entry. It keeps all states of the game, or only the last.
///
/// # Errors
/// If the header is not one of this rulebook.
pub(crate) fn open_book<R: HostedRules>(head: &GameHead, keeps_states: bool) -> Result<Box<dyn Book>, Finding> {
    let broken = |error: &dyn fmt::Display| Finding::new(Check::Replay, error.to_string());
    let (header, setup) = Header::split(&head.header).map_err(|error| broken(&error))?;
    let header = header.with_setup(shared_setup::<R::Setup>(setup).map_err(|error| broken(&error))?);
    let replay = Replay::<R>::new(&header).map_err(|error| broken(&error))?;
    let mut book = GameBook {
        replay,
        entries: 0,
        inherited: 0,
        seated: Vec::new(),
        events: Vec::new(),
        states: Vec::new(),
        keeps_states,
        commands: BTreeMap::new(),
        entries_of: BTreeMap::new(),
        last: None,
        stalls: Vec::new(),
        timers: Vec::new(),
        opened: None,
    };
    book.change_timers();
    if keeps_states {
        book.states.push(book.replay.game().clone());
    }
    Ok(Box::new(book))
}

/// Reads a setup. The games of all seeds have a few setups, and reading one takes long, so they are kept.
fn shared_setup<S: Clone + DeserializeOwned + 'static>(bytes: &[u8]) -> Result<S, Undecodable> {
    const MOST: usize = 64;
    thread_local!(static KNOWN: RefCell<KnownSetups> = const { RefCell::new(VecDeque::new()) });
    KNOWN.with_borrow_mut(|known| {
        let same = known.iter().filter(|(other, _)| other == bytes);
        if let Some(setup) = same.filter_map(|(_, setup)| setup.downcast_ref::<S>()).next() {
            return Ok(setup.clone());
        }
        let setup: S = decode_setup(bytes)?;
        if known.len() == MOST {
            known.pop_front();
        }
        known.push_back((bytes.to_vec(), Box::new(setup.clone())));
        Ok(setup)
    })
}

impl<R: HostedRules> GameBook<R> {
    /// The game after the last entry.
    pub(crate) fn game(&self) -> &R {
        self.replay.game()
    }

    /// The number of the entry of a client's command; the first has the place 0.
    pub(crate) fn entry_of(&self, client: CommId, place: usize) -> Option<u64> {
        self.entries_of.get(&client)?.get(place).copied()
    }

    /// The game before the first entry and after every one, if they are kept.
    pub(crate) fn states(&self) -> &[R] {
        &self.states
    }

    /// The next event of a listener, and its place.
    fn next(&self, cursor: &Cursor, listener: Listener) -> Option<(usize, &Said)> {
        (cursor.place..).zip(&self.events[cursor.place..]).find(|(_, said)| said.is_for(listener))
    }

    /// The replay has checked that a timer is set and due; here it is checked that it is not forgotten.
    fn follow_timers(&mut self, cause: &Cause<R::Command, R::Timer>) -> Result<(), Finding> {
        if let Cause::Timer { timer } = cause {
            self.timers.retain(|set| set.timer != *timer);
        }
        let checked = self.check_timers(0, SLEEP_SLACK_MS);
        self.change_timers();
        checked
    }

    fn change_timers(&mut self) {
        let now_ms = self.replay.elapsed_ms();
        for change in self.replay.outbox().timers() {
            self.timers.retain(|set| set.timer != *change.timer());
            if let TimerChange::Set { timer, after_ms } = change {
                let due_ms = now_ms.saturating_add(*after_ms);
                self.timers.push(SetTimer { timer: timer.clone(), after_ms: *after_ms, due_ms });
            }
        }
    }

    /// The clock of a game never runs faster than time, and not at all while the store is silent.
    fn check_clock(&self, at: i64, elapsed_ms: u64) -> Result<(), Finding> {
        let Some((last_at, last_elapsed)) = self.last else { return Ok(()) };
        let overlap = |(from, to): &(i64, i64)| (at.min(*to) - last_at.max(*from)).max(0);
        let stood: i64 = self.stalls.iter().map(overlap).sum();
        let ran = i64::try_from(elapsed_ms - last_elapsed).unwrap_or(i64::MAX);
        if ran > at - last_at - stood + CLOCK_SLACK_MS {
            let passed = at - last_at;
            let facts = format!("the clock ran {ran} ms in {passed} ms, of which the store was silent for {stood} ms");
            return Err(Finding::new(Check::Clock, facts));
        }
        Ok(())
    }
}

impl<R: HostedRules> Book for GameBook<R> {
    fn store(&mut self, row: &Row) -> Result<Cause<(), ()>, Finding> {
        let broken = |error: &dyn fmt::Display| Finding::new(Check::Replay, format!("entry {}: {error}", row.sequence));
        let entry: EntryOf<R> = Entry::decode(&row.bytes).map_err(|error| broken(&error))?;
        self.replay.step(&entry).map_err(|error| broken(&error))?;
        self.check_clock(entry.at, entry.input.elapsed_ms)?;
        self.follow_timers(&entry.input.cause)?;
        self.last = Some((entry.at, entry.input.elapsed_ms));
        self.entries += 1;
        for emission in entry.emissions {
            match emission {
                Emission::Seated { client } => self.seated.push(client),
                Emission::Unseated { client } => self.seated.retain(|seated| *seated != client),
                Emission::Event { audience, event } => {
                    let seated = if audience == Audience::All { self.seated.clone() } else { Vec::new() };
                    self.events.push(Said { to: audience, seated, event: encode(&event) });
                }
            }
        }
        if self.keeps_states {
            self.states.push(self.replay.game().clone());
        }
        Ok(match entry.input.cause {
            Cause::Timer { .. } => Cause::Timer { timer: () },
            Cause::Command { client, command } => {
                self.commands.entry(client).or_default().push(encode(&command));
                self.entries_of.entry(client).or_default().push(self.entries);
                Cause::Command { client, command: () }
            }
        })
    }

    fn begin(&mut self, created: i64, rows: &[Row]) -> Result<(), Finding> {
        self.opened = None;
        rows.iter().try_for_each(|row| self.store(row).map(drop))?;
        self.inherited = self.entries;
        self.last = Some((created, self.replay.elapsed_ms()));
        Ok(())
    }

    fn reopen(&mut self, at: i64) {
        self.opened = Some(at);
        let now_ms = self.replay.elapsed_ms();
        self.timers.iter_mut().for_each(|set| set.due_ms = now_ms.saturating_add(set.after_ms));
    }

    fn close(&mut self) {
        self.opened = None;
    }

    fn check_timers(&self, ran_ms: u64, slack_ms: u64) -> Result<(), Finding> {
        let now_ms = self.replay.elapsed_ms() + ran_ms;
        let is_late = |set: &&SetTimer<R::Timer>| set.due_ms.saturating_add(slack_ms) < now_ms;
        match self.timers.iter().find(is_late) {
            Some(SetTimer { timer, due_ms, .. }) if self.opened.is_some() && !self.is_over() => {
                let facts = format!("timer {timer:?} was due at {due_ms} ms, and it is {now_ms} ms");
                Err(Finding::new(Check::Timers, facts))
            }
            Some(_) | None => Ok(()),
        }
    }

    fn last_at(&self) -> i64 {
        self.last.map(|(at, _)| at).max(self.opened).unwrap_or_default()
    }

    fn stall(&mut self, from_ms: i64, to_ms: i64) {
        match self.stalls.last_mut() {
            Some((_, end)) if *end >= from_ms => *end = (*end).max(to_ms),
            Some(_) | None => self.stalls.push((from_ms, to_ms)),
        }
    }

    fn hear(&self, cursor: &mut Cursor, listener: Listener, number: u64, event: &[u8]) -> Result<(), Finding> {
        let expected = cursor.number + 1;
        if number != expected {
            let facts = format!("{listener:?} hears event {number} instead of {expected}");
            return Err(Finding::new(Check::Numbering, facts));
        }
        let Some((place, said)) = self.next(cursor, listener) else {
            let facts = format!("{listener:?} hears event {number}, which is not stored");
            return Err(Finding::new(Check::HeardIsStored, facts));
        };
        if said.event != event {
            let facts = format!("{listener:?} hears another event {number} than the stored one");
            return Err(Finding::new(Check::OneVersion, facts));
        }
        *cursor = Cursor { number, place: place + 1 };
        Ok(())
    }

    fn has_heard_all(&self, cursor: &Cursor, listener: Listener) -> bool {
        self.next(cursor, listener).is_none()
    }

    fn commands(&self, client: CommId) -> &[Vec<u8>] {
        self.commands.get(&client).map_or(&[], |commands| commands)
    }

    fn is_over(&self) -> bool {
        self.replay.game().outcome().is_some()
    }

    fn entries(&self) -> u64 {
        self.entries
    }

    fn has_own_entries(&self) -> bool {
        self.entries > self.inherited
    }
}

/// The bytes of a value, as the log encodes it.
pub(crate) fn encode<T: Serialize>(value: &T) -> Vec<u8> {
    postcard::to_allocvec(value).expect("it has a form in bytes")
}
