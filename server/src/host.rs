//! All games of a process: making them, finding them, bringing them back, ending them.

mod making;

use std::{
    any::Any,
    collections::{BTreeMap, HashMap, HashSet},
    net::SocketAddr,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use commlib::{Create, GameInfo, Reason, Refused};
use slog::Logger;
use tokio::sync::{Notify, Semaphore, mpsc, oneshot, watch};

use crate::{
    chronicle::Sight,
    clock::Clock,
    desk::Desk,
    feed::Feeds,
    hosted::Hosted,
    limits::Limits,
    log::{EventLog, GameKey, GameRecord, Measures},
    metrics::{Metrics, Moment},
    opponents::Opponents,
    playable::{Playable, folded},
    recovery::{self, caught},
    room::{LONGEST_INBOX, Room, RoomEnd, ToRoom, mark_broken, now},
    setups::Setups,
    shelf::Shelf,
};

pub(crate) use making::random_name;

/// What a host is made of.
#[expect(missing_debug_implementations, reason = "a table of rulebooks and a store have nothing to show")]
pub struct Options {
    /// The rulebooks on offer; the first is meant where a client names none.
    pub rulebooks: &'static [&'static dyn Playable],
    pub log: Arc<dyn EventLog>,
    pub logger: Logger,
    pub limits: Limits,
    /// Exactly one game, which clients need not name: nobody can create another.
    pub one_game: bool,
    /// Lets whoever has it make and fork games over HTTP from elsewhere.
    pub admin_token: Option<String>,
    /// Bots that take seats where a game asks for them.
    pub opponents: Arc<Opponents>,
    /// Whoever looks at a running game sees everything, secrets too. Only for a process whose operator owns the truth of its
    /// games and plays in none of them.
    pub shows_all: bool,
}

/// All games of a process.
#[expect(missing_debug_implementations, reason = "rooms are tasks of their own")]
pub struct Host {
    pub(crate) options: Options,
    pub(crate) metrics: Arc<Metrics>,
    started: Instant,
    games: Mutex<HashMap<Arc<str>, OpenGame>>,
    pub(crate) setups: Mutex<Setups>,
    stopping: AtomicBool,
    /// Whoever checks a scenario: one at a time, so that many who create games leave a core to those who play.
    creating: Arc<Semaphore>,
    /// How the last room ended, for a process that serves one game.
    last_end: watch::Sender<Option<RoomEnd>>,
    pub(crate) shelf: Shelf,
    pub(crate) feeds: Feeds,
    /// Whoever folds games to look at them: few at a time, so that a core is left to those who play.
    pub(crate) viewing: Arc<Semaphore>,
    /// Whoever watches live, or plays over a WebSocket.
    pub(crate) watching: Arc<Semaphore>,
    /// Where rulebooks are played at a port of their own.
    ports: Mutex<BTreeMap<&'static str, SocketAddr>>,
}

/// How many letters and digits a name has that nobody meets by chance.
pub(crate) const NAME_LENGTH: usize = 10;

/// How many games are read of the log at once.
const PAGE: usize = 100;

/// How many open games are named to who named none of them.
const MOST_NAMED: usize = 5;

/// A desk, with the name of its game.
pub type NamedDesk<R> = (Arc<str>, Desk<R>);

/// How a host is.
#[derive(Debug)]
pub(crate) struct Health {
    pub(crate) condition: Condition,
    pub(crate) games: usize,
    pub(crate) connections: u64,
    /// In seconds.
    pub(crate) uptime: u64,
}

/// Whether a host takes new games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    Ok,
    Stopping,
    /// The last commit failed; this ends with one that does not.
    LogFailed,
}

/// A game that has a room.
struct OpenGame {
    inbox: mpsc::Sender<ToRoom>,
    rulebook: &'static str,
    edition: String,
    players: Arc<Mutex<Vec<String>>>,
    key: GameKey,
    /// Wakes whoever follows the game's log.
    progress: Arc<Notify>,
    /// The [`Desk`] of a game that is played at one.
    desk: Option<Box<dyn Any + Send + Sync>>,
}

impl Host {
    /// Rebuilds every unfinished game of the log and goes on with it.
    pub fn open(options: Options) -> Result<Arc<Self>, String> {
        let watchers = options.limits.watchers;
        let host = Arc::new(Self {
            options,
            metrics: Arc::new(Metrics::new()),
            started: Instant::now(),
            games: Mutex::new(HashMap::new()),
            setups: Mutex::default(),
            stopping: AtomicBool::new(false),
            creating: Arc::new(Semaphore::new(1)),
            last_end: watch::Sender::new(None),
            shelf: Shelf::default(),
            feeds: Feeds::default(),
            viewing: Arc::new(Semaphore::new(1)),
            watching: Arc::new(Semaphore::new(watchers)),
            ports: Mutex::default(),
        });
        recovery::run(&host)?;
        Ok(host)
    }

    fn rulebook(&self, name: Option<&str>) -> Result<&'static dyn Playable, Refused> {
        let all = self.options.rulebooks;
        let found = match name {
            None => all.first(),
            Some(name) => all.iter().find(|rulebook| rulebook.name() == name),
        };
        found.copied().ok_or_else(|| {
            let known: Vec<&str> = all.iter().map(|rulebook| rulebook.name()).collect();
            let message = format!("No rulebook {}; there are {}.", name.unwrap_or_default(), known.join(", "));
            Refused { reason: Reason::BadMessage, message }
        })
    }

    pub(crate) fn rulebook_named(&self, name: &str) -> Option<&'static dyn Playable> {
        self.options.rulebooks.iter().copied().find(|rulebook| rulebook.name() == name)
    }

    /// The way into a room.
    pub(crate) fn inbox(&self, game: &str) -> Option<mpsc::Sender<ToRoom>> {
        self.games().get(game).map(|game| game.inbox.clone())
    }

    /// Waits until a new game is durable.
    pub(crate) async fn stored(&self, game: &str) -> Result<(), Refused> {
        let failed = || Refused::new(Reason::StoreFailed, "The game could not be stored.");
        let (answer, stored) = oneshot::channel();
        let inbox = self.inbox(game).ok_or_else(failed)?;
        inbox.send(ToRoom::Stored { answer }).await.map_err(|_| failed())?;
        stored.await.map_err(|_| failed())
    }

    /// The desk of an open game that is played at one.
    pub fn desk<R: Hosted>(&self, game: &str) -> Option<Desk<R>> {
        self.games().get(game)?.desk.as_ref()?.downcast_ref().cloned()
    }

    /// The desks of all open games of a rulebook, oldest first.
    pub fn desks<R: Hosted>(&self) -> Vec<NamedDesk<R>> {
        let games = self.games();
        let desk = |game: &OpenGame| game.desk.as_ref()?.downcast_ref::<Desk<R>>().cloned();
        let found = games.iter().filter_map(|(name, game)| Some((name.clone(), desk(game)?)));
        let mut found: Vec<NamedDesk<R>> = found.collect();
        found.sort_unstable_by_key(|(_, desk)| desk.key());
        found
    }

    /// What desks of a rulebook's games would show that ended lately, whenever they were made. Reads the log.
    pub fn past_desks<R: Hosted>(&self, within: Duration) -> Result<Vec<NamedDesk<R>>, String> {
        let log = &self.options.log;
        let mut found: Vec<NamedDesk<R>> = Vec::new();
        let mut before = None;
        loop {
            let page = log.page(before, PAGE).map_err(|error| error.to_string())?;
            let Some(last) = page.last() else { return Ok(found) };
            before = Some(last.key);
            for record in page {
                let ago = record.end.as_ref().map(|end| u64::try_from(now() - end.at).unwrap_or_default());
                let is_late = ago.is_some_and(|ago| u128::from(ago) < within.as_millis());
                if is_late && record.about.rulebook == R::NAME {
                    found.extend(self.past_desk(&record)?);
                }
            }
        }
    }

    /// What the desk of a finished game would show. One that cannot be folded has none: it has no answers to give. Reads the log.
    pub(crate) fn past_desk<R: Hosted>(&self, record: &GameRecord) -> Result<Option<NamedDesk<R>>, String> {
        let log = &self.options.log;
        let head = log.head(record.key).map_err(|error| error.to_string())?;
        let rows = log.read(record.key, 1).map_err(|error| error.to_string())?;
        let Ok(game) = caught(|| folded::<R>(&head.header, &rows)) else { return Ok(None) };
        let age = u64::try_from(now() - record.created).unwrap_or_default();
        let (desk, _nobody) = Desk::new(record.key, Clock::from(age), record.tail.entries, game);
        Ok(Some((record.name.as_str().into(), desk)))
    }

    /// Which game of the log an open game is, and what wakes whoever follows it.
    pub(crate) fn progress(&self, game: &str) -> Option<(GameKey, Arc<Notify>)> {
        self.games().get(game).map(|game| (game.key, game.progress.clone()))
    }

    /// A rulebook is played at a port of its own, which pages tell people.
    pub(crate) fn opened_port(&self, rulebook: &'static str, address: SocketAddr) {
        lock(&self.ports).insert(rulebook, address);
    }

    /// Where rulebooks are played at a port of their own.
    pub(crate) fn ports(&self) -> BTreeMap<&'static str, SocketAddr> {
        lock(&self.ports).clone()
    }

    /// How much of a game whoever asks may see.
    pub(crate) fn sight(&self, record: &GameRecord) -> Sight {
        if self.options.shows_all { Sight::Everything } else { Sight::of(record) }
    }

    /// Who plays in an open game.
    pub(crate) fn players(&self, game: &str) -> Option<Vec<String>> {
        self.games().get(game).map(|game| lock(&game.players).clone())
    }

    /// The one game of a process that serves one.
    pub(crate) fn only_game(&self) -> Option<String> {
        self.options.one_game.then(|| self.games().keys().next().map(ToString::to_string))?
    }

    pub fn list(&self) -> Vec<GameInfo> {
        let mut list: Vec<GameInfo> = self
            .games()
            .iter()
            .map(|(name, game)| GameInfo {
                game: name.to_string(),
                rulebook: game.rulebook.into(),
                edition: game.edition.clone(),
                players: lock(&game.players).clone(),
                status: "open".into(),
            })
            .collect();
        list.sort_by(|one, other| one.game.cmp(&other.game));
        list
    }

    /// The open games in words, for who named none of them: all, or some.
    pub(crate) fn open_games(&self) -> String {
        let games = self.games();
        let mut names: Vec<Arc<str>> = Vec::with_capacity(MOST_NAMED + 1);
        for name in games.keys() {
            let at = names.partition_point(|known| known < name);
            if at < MOST_NAMED {
                names.insert(at, name.clone());
                names.truncate(MOST_NAMED);
            }
        }
        let more = games.len().saturating_sub(MOST_NAMED);
        match (names.is_empty(), more) {
            (true, _) => "none is open".into(),
            (false, 0) => format!("open: {}", names.join(", ")),
            (false, more) => format!("open: {} and {more} more", names.join(", ")),
        }
    }

    /// Starts the room of a game.
    pub(crate) fn start<R: Hosted>(self: &Arc<Self>, mut room: Room<R>) {
        let (inbox, mut messages) = mpsc::channel(LONGEST_INBOX);
        let name = room.name.clone();
        let (key, players) = (room.key, room.players.clone());
        let named = players.clone();
        room.publish_players();
        let edition = R::edition(&room.setup).to_owned();
        let progress = room.progress.clone();
        let mut desk = None;
        if R::DESK {
            let (made, clerk) = Desk::new(key, room.clock, room.told, room.game.clone());
            room.clerk = Some(clerk);
            desk = Some(Box::new(made) as Box<dyn Any + Send + Sync>);
        }
        let open = OpenGame { inbox, rulebook: R::NAME, edition, players, key, progress: progress.clone(), desk };
        self.games().insert(name.clone(), open);
        let host = self.clone();
        let running = tokio::spawn(async move {
            let end = room.run(&mut messages).await;
            (end, room, messages)
        });
        tokio::spawn(async move {
            let ended = running.await;
            // Before anybody hears of the end: whoever resumes then is answered from the log.
            host.games().remove(&name);
            let end = match ended {
                Ok((end, room, _)) => {
                    room.farewell(&end);
                    end
                }
                // A panic outside the fold; the room is gone, and its connections with it.
                Err(_) => {
                    mark_broken(&*host.options.log, key, &named).await;
                    RoomEnd::Broken
                }
            };
            progress.notify_one();
            host.count(&end);
            host.last_end.send_replace(Some(end));
        });
    }

    /// How the host is, for whoever looks after it.
    pub(crate) fn health(&self) -> Health {
        let condition = if self.stopping.load(Ordering::Acquire) {
            Condition::Stopping
        } else if self.options.log.measures().is_some_and(Measures::is_failing) {
            Condition::LogFailed
        } else {
            Condition::Ok
        };
        Health {
            condition,
            games: self.games().len(),
            connections: self.metrics.connections_open.value(),
            uptime: self.started.elapsed().as_secs(),
        }
    }

    /// What was counted, in the text format of Prometheus.
    pub(crate) fn metrics_page(&self) -> String {
        let no_commits = Measures::default();
        let log = self.options.log.measures().unwrap_or(&no_commits);
        self.metrics.page(&Moment { games_open: self.games().len(), uptime: self.started.elapsed(), log })
    }

    fn count(&self, end: &RoomEnd) {
        match end {
            RoomEnd::Over { .. } => self.metrics.games_finished.add(1),
            RoomEnd::Broken => self.metrics.games_broken.add(1),
            RoomEnd::StoreFailed { .. } => self.metrics.games_store_failed.add(1),
            RoomEnd::Stopped => {}
        }
    }

    /// Whether the one open game is the one that is asked for; otherwise what is different.
    pub fn same_game(&self, create: &Create) -> Result<(), String> {
        let records = self.options.log.list().map_err(|error| error.to_string())?;
        let open = records.iter().find(|record| record.end.is_none()).ok_or("the log has no unfinished game")?;
        let head = self.options.log.head(open.key).map_err(|error| error.to_string())?;
        let name = &open.name;
        if create.seed != Some(open.about.seed) {
            return Err(format!("the log holds the unfinished game {name} with seed {}", open.about.seed));
        }
        if head.scenario.as_deref() != Some(&create.scenario) {
            return Err(format!("the log holds the unfinished game {name} of another scenario"));
        }
        match &create.edition {
            Some(edition) if *edition != open.about.edition => {
                Err(format!("the log holds the unfinished game {name} in the {} edition", open.about.edition))
            }
            Some(_) | None => Ok(()),
        }
    }

    /// Waits until a room ends; for a process that serves one game.
    pub async fn game_end(&self) -> RoomEnd {
        let mut ends = self.last_end.subscribe();
        let end = ends.wait_for(Option::is_some).await;
        end.ok().and_then(|end| end.clone()).unwrap_or(RoomEnd::Stopped)
    }

    /// No new games; all rooms tell what is durable and end; the log is flushed.
    pub async fn stop(&self) -> Result<(), String> {
        self.stopping.store(true, Ordering::Release);
        let mut told: HashSet<Arc<str>> = HashSet::new();
        loop {
            // A game that was being made when the stop came gets its room later.
            let open: Vec<_> = self.games().iter().map(|(name, game)| (name.clone(), game.inbox.clone())).collect();
            if open.is_empty() {
                break;
            }
            for (name, inbox) in open {
                if told.insert(name) {
                    let _room_is_gone = inbox.send(ToRoom::Stop).await;
                }
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let log = self.options.log.clone();
        let closed = tokio::task::spawn_blocking(move || log.close()).await;
        closed.map_err(|error| error.to_string())?.map_err(|error| error.to_string())
    }

    fn games(&self) -> MutexGuard<'_, HashMap<Arc<str>, OpenGame>> {
        lock(&self.games)
    }
}

/// A panic elsewhere does not make what is behind a lock unusable: it is always written whole.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
