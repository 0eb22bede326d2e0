//! The games that the gateway serves: running games, and finished ones for a while.

use std::{
    cmp::Reverse,
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard},
    time::Duration,
};

use axum::body::Bytes;
use commlib::{Create, Refused};
use engine::{CommId, Rulebook};
use server::{GameHandle, Host, sync::lock};
use tokio::time::Instant;
use treasure_rules::{Command, Game, HOST, Outcome, Year};

use super::{GatewayError, status};
use crate::{Treasure, documents::y2022::state::GameState};

/// The most games of 2022 that run or wait for players at the same time. A new one removes the oldest of them.
pub(super) const MOST_GAMES: usize = 99;

/// The longest time since the end of a game that is still served after a restart.
const LATELY: Duration = Duration::from_secs(600);

/// How long a game of 2017 may be without players. Each game is created for a player who is about to register.
const LONGEST_EMPTY: Duration = Duration::from_secs(120);

/// The most games of each year that are served after their end.
const MOST_PAST: usize = 10_000;

/// A status request that comes sooner after the player's last one is delayed. The protocol requires 0.4 s between requests.
/// Requests that a client sends 0.4 s apart may arrive a little closer together.
const BETWEEN_POLLS: Duration = Duration::from_millis(360);

/// The games that the gateway serves.
pub(super) struct KnownGames {
    host: Arc<Host>,
    known: RwLock<HashMap<Arc<str>, Arc<KnownGame>>>,
    /// The players of 2017 by their ids.
    participants: RwLock<HashMap<i32, Participant>>,
}

/// A game that the gateway serves.
pub(super) struct KnownGame {
    pub(super) name: Arc<str>,
    pub(super) year: Year,
    pub(super) handle: GameHandle<Game>,
    /// Held while a command of 2017 is submitted, so that a client that repeats it finds the first one in the game.
    pub(super) submitting: tokio::sync::Mutex<()>,
    polls: Mutex<Polls>,
}

/// A player of a game of 2017.
#[derive(Clone)]
pub(super) struct Participant {
    pub(super) game: Arc<KnownGame>,
    pub(super) client: CommId,
}

/// The answers to status requests.
#[derive(Default)]
struct Polls {
    /// The number of the entry that the answers belong to.
    sequence: u64,
    participants: Vec<Polled>,
}

struct Polled {
    id: Arc<str>,
    answer: Bytes,
    last: Option<Instant>,
}

impl KnownGames {
    /// Finds all open games, and the games that ended recently.
    pub(super) async fn open(host: Arc<Host>) -> Result<Self, GatewayError> {
        // Reads the open games first: a game that ends in between is then in both lists, and its first entry counts.
        let open = host.handles();
        let past = host.past_handles::<Treasure>(LATELY).await.map_err(GatewayError::Log)?;
        let games = Self { host, known: RwLock::default(), participants: RwLock::default() };
        past.into_iter().chain(open).for_each(|(name, handle)| drop(games.insert(name, handle)));
        games.evict();
        Ok(games)
    }

    pub(super) fn host(&self) -> &Arc<Host> {
        &self.host
    }

    /// All served games, oldest first.
    pub(super) fn all(&self) -> Vec<Arc<KnownGame>> {
        let mut all: Vec<_> = self.known().values().cloned().collect();
        all.sort_unstable_by_key(|game| game.handle.key());
        all
    }

    /// Finds a game of 2022 by its id.
    pub(super) async fn find(&self, id: &str) -> Option<Arc<KnownGame>> {
        let known = self.known().get(id).cloned();
        let found = match known {
            Some(found) => self.reopen(found).await,
            None => match self.host.handle(id) {
                // A web page may have created the game, or another host may have played it before.
                Some(handle) => {
                    let found = self.insert(id.into(), handle);
                    self.evict();
                    found
                }
                None => self.find_past(id).await?,
            },
        };
        (found.year == Year::Y2022 && found.is_known()).then_some(found)
    }

    /// Finds a game of 2017 of this host.
    pub(super) fn find_2017(&self, name: &str) -> Option<Arc<KnownGame>> {
        self.adopt();
        self.known().get(name).filter(|game| game.year == Year::Y2017).cloned()
    }

    /// Finds a game that ended on another host a short time ago.
    pub(super) async fn find_past(&self, id: &str) -> Option<Arc<KnownGame>> {
        let record = self.host.log().find(id).await.ok()??.record;
        let past_ms = self.host.world().now().saturating_sub(record.end.as_ref()?.at);
        let is_old = u64::try_from(past_ms).is_ok_and(|past_ms| Duration::from_millis(past_ms) >= LATELY);
        if record.about.rulebook != Game::NAME || is_old {
            return None;
        }
        let (name, handle) = self.host.past_handle::<Treasure>(&record).await.ok()??;
        let found = self.replace(name, handle);
        self.evict();
        Some(found)
    }

    /// Opens a game again whose room has ended because of a fault of the log. If the game has ended on another host, finds its end.
    async fn reopen(&self, game: Arc<KnownGame>) -> Arc<KnownGame> {
        if game.is_current() {
            return game;
        }
        match self.host.reopen(&game.name).await {
            Ok(Some(handle)) => self.replace(game.name.clone(), handle),
            // Otherwise the last state is still known.
            Ok(None) | Err(_) => self.find_past(&game.name).await.unwrap_or(game),
        }
    }

    /// Finds a player of 2017 by its id, and opens its game again if its room has ended because of a fault of the log.
    pub(super) async fn find_participant(&self, id: i32) -> Option<Participant> {
        let Participant { game, client } = self.participant(id)?;
        Some(Participant { game: self.reopen(game).await, client })
    }

    /// A player of 2017 by its id.
    pub(super) fn participant(&self, id: i32) -> Option<Participant> {
        let find = || self.participants.read().unwrap_or_else(PoisonError::into_inner).get(&id).cloned();
        find().filter(|participant| participant.game.is_current()).or_else(|| {
            self.adopt();
            find()
        })
    }

    pub(super) fn add_participant(&self, id: i32, participant: Participant) {
        self.participants.write().unwrap_or_else(PoisonError::into_inner).insert(id, participant);
    }

    /// Creates a game. It is durable when this returns.
    pub(super) async fn create(&self, scenario: &str, seed: Option<i64>) -> Result<Arc<KnownGame>, Refused> {
        let create =
            Create { rulebook: Some(Game::NAME.into()), scenario: scenario.into(), edition: None, seed, timeout: None };
        loop {
            let name: Arc<str> = self.host.create_later(create.clone()).await?.into();
            // The game may be closed at once if the host stops.
            let Some(handle) = self.host.handle(&name) else { continue };
            handle.stored().await?;
            let game = self.insert(name, handle);
            self.evict();
            return Ok(game);
        }
    }

    /// Adds a game, unless it is known.
    fn insert(&self, name: Arc<str>, handle: GameHandle<Game>) -> Arc<KnownGame> {
        let known = self.known().get(&name).cloned();
        known.unwrap_or_else(|| self.replace(name, handle))
    }

    /// Adds a game, or its new handle.
    fn replace(&self, name: Arc<str>, handle: GameHandle<Game>) -> Arc<KnownGame> {
        let (year, players) = handle.look(|last| (last.game.public().setup().year, last.game.players()));
        let (submitting, polls) = Default::default();
        let game = Arc::new(KnownGame { name: name.clone(), year, handle, submitting, polls });
        if year == Year::Y2017 {
            for player in players {
                if let Ok(id) = player.id.parse() {
                    self.add_participant(id, Participant { game: game.clone(), client: player.client });
                }
            }
        }
        self.known_mut().insert(name, game.clone());
        game
    }

    /// Adds the games of the host that the gateway does not know: web pages create games, and so do clients of the host's own
    /// port. Another host may have played a game before, and a game may have got another room.
    pub(super) fn adopt(&self) {
        for (name, handle) in self.host.handles() {
            let is_new = !self.known().get(&name).is_some_and(|known| known.is_current());
            if is_new {
                self.replace(name, handle);
            }
        }
    }

    /// Removes games that are too many or too old, the oldest first. Finished games have a limit of their own, so they never
    /// remove a running one.
    fn evict(&self) {
        self.adopt();
        let mut known = self.known_mut();
        known.retain(|_, game| game.is_known());
        let (past, running): (Vec<_>, Vec<_>) = known.values().cloned().partition(|game| game.is_past());
        let (of_2022, of_2017) = by_year(running);
        let deserted = of_2017.into_iter().filter(|game| game.is_deserted());
        // Several hosts count the games of 2022 together.
        let most = if self.host.is_one_of_several() { usize::MAX } else { MOST_GAMES };
        for game in of_2022.into_iter().skip(most).chain(deserted) {
            known.remove(&game.name);
            game.remove();
        }
        let (past_2022, past_2017) = by_year(past);
        past_2022.iter().skip(MOST_PAST).for_each(|game| drop(known.remove(&game.name)));
        if past_2017.len() > MOST_PAST {
            past_2017.iter().skip(MOST_PAST).for_each(|game| drop(known.remove(&game.name)));
            let mut participants = self.participants.write().unwrap_or_else(PoisonError::into_inner);
            participants.retain(|_, participant| known.contains_key(&participant.game.name));
        }
    }

    fn known(&self) -> RwLockReadGuard<'_, HashMap<Arc<str>, Arc<KnownGame>>> {
        self.known.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn known_mut(&self) -> RwLockWriteGuard<'_, HashMap<Arc<str>, Arc<KnownGame>>> {
        self.known.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The games of 2022 and those of 2017, the newest first.
fn by_year(mut games: Vec<Arc<KnownGame>>) -> (Vec<Arc<KnownGame>>, Vec<Arc<KnownGame>>) {
    games.sort_unstable_by_key(|game| Reverse(game.handle.key()));
    games.into_iter().partition(|game| game.year == Year::Y2022)
}

/// The result of a status request.
pub(super) enum Poll {
    Answer(Bytes),
    /// The request came too soon after the player's last one.
    TooSoon,
    UnknownPlayer,
}

impl KnownGame {
    /// Whether the gateway still serves it.
    fn is_known(&self) -> bool {
        let (removed, most_ms) = self.handle.look(|last| {
            (matches!(last.game.outcome(), Some(Outcome::Removed { .. })), last.game.public().profile().game_ms)
        });
        !removed && most_ms.is_none_or(|most_ms| self.handle.age() < Duration::from_millis(most_ms))
    }

    /// Whether the game is over, or has no room any more.
    fn is_past(&self) -> bool {
        !self.handle.is_open() || self.is_over()
    }

    /// Whether the game is over.
    fn is_over(&self) -> bool {
        self.handle.look(|last| last.game.outcome().is_some())
    }

    /// Whether the handle has the state of the game. A game without a room that is not over may have another room later, perhaps
    /// on another host.
    pub(super) fn is_current(&self) -> bool {
        self.handle.is_open() || self.is_over()
    }

    /// Whether this is a game of 2017 without players. By its rules, it would wait without end.
    fn is_deserted(&self) -> bool {
        let is_empty = self.handle.look(|last| last.game.outcome().is_none() && last.game.players().is_empty());
        is_empty && self.handle.age() >= LONGEST_EMPTY
    }

    /// Ends the game, if it is running.
    pub(super) fn remove(&self) {
        let handle = self.handle.clone();
        tokio::spawn(async move { handle.submit(HOST, Command::Remove {}).await });
    }

    /// Answers a status request with the state of the game for a player. Each state is serialized once.
    pub(super) fn poll(&self, player: &str, at: Option<Instant>, shuffle: bool) -> Poll {
        let mut polls = lock(&self.polls);
        let known = polls.sequence;
        let states = self.handle.look(|last| {
            let states = |game: &Game| {
                let players = game.players().into_iter();
                players.map(|player| (player.id, status::state(game, player.client, shuffle))).collect()
            };
            (last.sequence != known).then(|| (last.sequence, states(&last.game)))
        });
        if let Some((sequence, states)) = states {
            polls.renew(sequence, states);
        }
        let Some(polled) = polls.participants.iter_mut().find(|polled| *polled.id == *player) else {
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
        let participants = states.into_iter().map(|(id, state)| {
            let last = self.participants.iter().find(|polled| polled.id == id).and_then(|polled| polled.last);
            Polled { id, answer: state.write().into(), last }
        });
        *self = Self { sequence, participants: participants.collect() };
    }
}
