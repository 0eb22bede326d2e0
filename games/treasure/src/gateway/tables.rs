//! The games that the protocols know: those that are played, and for a while those that are over.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard},
    time::{Duration, Instant},
};

use axum::body::Bytes;
use commlib::{Create, Refused};
use engine::{CommId, Rulebook};
use server::{GameHandle, Host, sync::lock};
use treasure_rules::{Command, Game, HOST, Outcome, Year};

use super::status;
use crate::{Treasure, documents::y2022::state::GameState};

/// How many games of 2022 there are at most; the oldest goes.
pub(super) const MOST_GAMES: usize = 99;

/// How long a game of a year is known after it was made, if it may take only so long.
const fn game_time(year: Year) -> Option<Duration> {
    match year.profile().game {
        Some(most) => Some(Duration::from_millis(most)),
        None => None,
    }
}

/// How long ago a game may have ended that is known after a restart.
const LATELY: Duration = Duration::from_secs(600);

/// How long a game of 2017 may be without any player: one is made for somebody who is there.
const LONGEST_EMPTY: Duration = Duration::from_secs(120);

/// How many games of 2017 are known that are over, or whose room is gone.
const MOST_PAST: usize = 10_000;

/// The sooner of two status requests of a player is so long before the later one, or the later one waits. The protocol
/// says 0.4 s between requests; requests that a client sends so far apart may still come a little closer.
const BETWEEN_POLLS: Duration = Duration::from_millis(360);

/// The games that the protocols know.
pub(super) struct Tables {
    host: Arc<Host>,
    known: RwLock<HashMap<Arc<str>, Arc<Table>>>,
    /// By the ids of 2017.
    seats: RwLock<HashMap<i32, Seat>>,
}

/// A game.
pub(super) struct Table {
    pub(super) name: Arc<str>,
    pub(super) year: Year,
    pub(super) handle: GameHandle<Game>,
    polls: Mutex<Polls>,
}

/// Somebody's place in a game of 2017.
#[derive(Clone)]
pub(super) struct Seat {
    pub(super) table: Arc<Table>,
    pub(super) client: CommId,
}

/// What status requests are answered with.
#[derive(Default)]
struct Polls {
    /// Of which entry the answers are.
    sequence: u64,
    seats: Vec<Polled>,
}

struct Polled {
    id: Arc<str>,
    answer: Bytes,
    last: Option<Instant>,
}

impl Tables {
    /// Every game that is open, and those that ended lately.
    pub(super) async fn open(host: Arc<Host>) -> Result<Self, String> {
        // In this order: a game that ends meanwhile is in both, and what is past comes first.
        let open = host.handles();
        let past = host.past_handles::<Treasure>(LATELY).await.map_err(|error| error.to_string())?;
        let tables = Self { host, known: RwLock::default(), seats: RwLock::default() };
        past.into_iter().chain(open).for_each(|(name, handle)| drop(tables.insert(name, handle)));
        tables.make_way();
        Ok(tables)
    }

    pub(super) fn host(&self) -> &Arc<Host> {
        &self.host
    }

    /// All that are known.
    pub(super) fn all(&self) -> Vec<Arc<Table>> {
        self.known().values().cloned().collect()
    }

    /// A game of 2022 by its id.
    pub(super) fn find(&self, id: &str) -> Option<Arc<Table>> {
        let known = self.known().get(id).cloned();
        let found = match known {
            Some(found) => found,
            None => {
                // A page may have made it.
                let found = self.insert(id.into(), self.host.handle(id)?);
                self.make_way();
                found
            }
        };
        (found.year == Year::Y2022 && found.is_known()).then_some(found)
    }

    /// Somebody's place in a game of 2017.
    pub(super) fn seat(&self, id: i32) -> Option<Seat> {
        self.seats.read().unwrap_or_else(PoisonError::into_inner).get(&id).cloned()
    }

    pub(super) fn take_seat(&self, id: i32, seat: Seat) {
        self.seats.write().unwrap_or_else(PoisonError::into_inner).insert(id, seat);
    }

    /// Makes a game, which is durable then.
    pub(super) async fn create(&self, scenario: &str) -> Result<Arc<Table>, Refused> {
        let create = Create {
            rulebook: Some(Game::NAME.into()),
            scenario: scenario.into(),
            edition: None,
            seed: None,
            timeout: None,
        };
        loop {
            let name: Arc<str> = self.host.create_later(create.clone()).await?.into();
            // It may be gone at once when the host stops.
            let Some(handle) = self.host.handle(&name) else { continue };
            handle.stored().await?;
            let table = self.insert(name, handle);
            self.make_way();
            return Ok(table);
        }
    }

    fn insert(&self, name: Arc<str>, handle: GameHandle<Game>) -> Arc<Table> {
        let (year, players) = handle.look(|last| (last.game.public().setup().year, last.game.players()));
        let table = Arc::new(Table { name: name.clone(), year, handle, polls: Mutex::default() });
        if year == Year::Y2017 {
            for player in players {
                if let Ok(id) = player.id.parse() {
                    self.take_seat(id, Seat { table: table.clone(), client: player.client });
                }
            }
        }
        self.known_mut().entry(name).or_insert(table).clone()
    }

    /// Forgets what the protocols no longer know: the oldest games go first. Counts what pages and the host's own port made, too.
    fn make_way(&self) {
        for (name, handle) in self.host.handles() {
            let is_new = !self.known().contains_key(&name);
            if is_new {
                self.insert(name, handle);
            }
        }
        let mut known = self.known_mut();
        known.retain(|_, table| table.is_known());
        let (mut of_2022, mut of_2017): (Vec<_>, Vec<_>) =
            known.values().cloned().partition(|table| table.year == Year::Y2022);
        of_2022.sort_unstable_by_key(|table| table.handle.key());
        for table in of_2022.iter().rev().skip(MOST_GAMES) {
            known.remove(&table.name);
            table.remove();
        }
        for table in of_2017.iter().filter(|table| table.is_deserted()) {
            known.remove(&table.name);
            table.remove();
        }
        of_2017.retain(|table| !table.handle.is_open() || table.handle.look(|last| last.game.outcome().is_some()));
        of_2017.sort_unstable_by_key(|table| table.handle.key());
        let forgotten: Vec<_> = of_2017.into_iter().rev().skip(MOST_PAST).collect();
        if forgotten.is_empty() {
            return;
        }
        forgotten.iter().for_each(|table| drop(known.remove(&table.name)));
        let mut seats = self.seats.write().unwrap_or_else(PoisonError::into_inner);
        seats.retain(|_, seat| known.contains_key(&seat.table.name));
    }

    fn known(&self) -> RwLockReadGuard<'_, HashMap<Arc<str>, Arc<Table>>> {
        self.known.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn known_mut(&self) -> RwLockWriteGuard<'_, HashMap<Arc<str>, Arc<Table>>> {
        self.known.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a status request comes to.
pub(super) enum Poll {
    Answer(Bytes),
    /// The last one is too short ago.
    TooSoon,
    UnknownPlayer,
}

impl Table {
    /// Whether the protocol still knows it.
    fn is_known(&self) -> bool {
        let removed = self.handle.look(|last| matches!(last.game.outcome(), Some(Outcome::Removed { .. })));
        !removed && game_time(self.year).is_none_or(|most| self.handle.age() < most)
    }

    /// Whether nobody has come to a game of 2017, which waits for ever by its rules.
    fn is_deserted(&self) -> bool {
        let is_empty = self.handle.look(|last| last.game.outcome().is_none() && last.game.players().is_empty());
        is_empty && self.handle.age() >= LONGEST_EMPTY
    }

    /// A game that is over is only forgotten.
    fn remove(&self) {
        let handle = self.handle.clone();
        tokio::spawn(async move { handle.submit(HOST, Command::Remove {}).await });
    }

    /// Answers a status request with how the game stands for a player, which is written once for each state.
    pub(super) fn poll(&self, player: &str, at: Option<Instant>) -> Poll {
        let mut polls = lock(&self.polls);
        let known = polls.sequence;
        let states = self.handle.look(|last| {
            let states = |game: &Game| {
                let players = game.players().into_iter();
                players.map(|player| (player.id, status::state(game, player.client))).collect()
            };
            (last.sequence != known).then(|| (last.sequence, states(&last.game)))
        });
        if let Some((sequence, states)) = states {
            polls.renew(sequence, states);
        }
        let Some(polled) = polls.seats.iter_mut().find(|polled| *polled.id == *player) else {
            return Poll::UnknownPlayer;
        };
        if let Some(at) = at {
            let last = polled.last.replace(at);
            if last.is_some_and(|last| at.saturating_duration_since(last) < BETWEEN_POLLS) {
                return Poll::TooSoon;
            }
        }
        Poll::Answer(polled.answer.clone())
    }
}

impl Polls {
    fn renew(&mut self, sequence: u64, states: Vec<(Arc<str>, GameState)>) {
        let seats = states.into_iter().map(|(id, state)| {
            let last = self.seats.iter().find(|polled| polled.id == id).and_then(|polled| polled.last);
            Polled { id, answer: state.write().into(), last }
        });
        *self = Self { sequence, seats: seats.collect() };
    }
}
