//! All games of a process: creating, finding, recovering and ending them.

mod making;
mod reopening;

use std::{
    any::Any,
    collections::BTreeMap,
    error::Error,
    fmt,
    net::SocketAddr,
    sync::{Arc, Mutex, MutexGuard},
    time::Duration,
};

use commlib::{Create, GameInfo, Reason, Refused};
use engine::Rulebook;
use slog::{Logger, info, warn};
use tokio::{
    sync::{Semaphore, mpsc, oneshot, watch},
    time::Instant,
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    adapter::{Adapter, HostedRules},
    bots::Opponents,
    chronicle::{ChronicleCache, Feeds, Followed, Viewer, unreadable},
    clock::Clock,
    erased::{GameTable, HostedGame},
    handle::{GameHandle, unavailable},
    host_name::HostName,
    limits::Limits,
    log::{EventLog, GameRecord, Measures, Selection, StoreError, Table},
    metrics::{Metrics, Moment},
    recovery::{self, RecoveredGames},
    room::{RoomEnd, RoomServices, StartedRoom, ToRoom, caught, folded, mark_broken},
    sync::lock,
    world::{RealWorld, World},
};

pub(crate) use reopening::Located;
use reopening::RefusedGame;

/// The configuration of a host.
#[expect(missing_debug_implementations, reason = "a table of rulebooks and a store have nothing to show")]
pub struct Options {
    /// The games on offer.
    pub games: GameTable,
    /// Clock, randomness, threads and the network.
    pub world: Arc<dyn World>,
    /// The log that keeps the games.
    pub log: Arc<dyn EventLog>,
    /// The logger.
    pub logger: Logger,
    /// The limits for clients.
    pub limits: Limits,
    /// Whether the host has exactly one game, which clients need not name. Clients cannot create another.
    pub one_game: bool,
    /// Token required to create or fork games over HTTP. If unset, only clients on this machine may.
    pub admin_token: Option<String>,
    /// Names for which the HTTP ports answer, besides those of this machine: what clients call this host behind a proxy.
    pub host_names: Vec<HostName>,
    /// Bots that take the seats that a game reserves for them.
    pub opponents: Arc<Opponents>,
    /// Whether pages show everything of running games, including secrets. Only for an operator who may see them and who plays
    /// in none of the games.
    pub shows_all: bool,
}

impl Options {
    /// The default options: clients can create games, and spectators see only facts that every player may know.
    pub fn new(games: GameTable, log: Arc<dyn EventLog>, logger: Logger) -> Self {
        Self {
            games,
            log,
            logger,
            world: Arc::new(RealWorld),
            limits: Limits::default(),
            one_game: false,
            admin_token: None,
            host_names: Vec::new(),
            opponents: Arc::default(),
            shows_all: false,
        }
    }
}

/// All games of a process.
#[expect(missing_debug_implementations, reason = "rooms are tasks of their own")]
pub struct Host {
    pub(crate) options: Options,
    pub(crate) services: Arc<RoomServices>,
    pub(crate) metrics: Arc<Metrics>,
    started: Instant,
    /// By name, so that a host stops its rooms in the same order every time.
    games: Mutex<BTreeMap<Arc<str>, OpenGame>>,
    /// Unfinished games of the log that cannot be continued, with the reason for their clients.
    stuck: Mutex<BTreeMap<String, Refused>>,
    /// Opens games again one at a time, so that a game never gets two rooms. Has the games that the store refused.
    reopening: tokio::sync::Mutex<BTreeMap<String, RefusedGame>>,
    /// The tasks of all rooms.
    rooms: TaskTracker,
    /// Creates games one at a time: checking a scenario takes milliseconds, and players need the other cores.
    creating: Arc<Semaphore>,
    /// How the last room ended, for a process that serves one game.
    last_end: watch::Sender<Option<RoomEnd>>,
    pub(crate) viewer: Viewer,
    pub(crate) cache: Arc<ChronicleCache>,
    pub(crate) feeds: Feeds,
    /// Limits spectators and players over WebSockets.
    pub(crate) watching: Arc<Semaphore>,
    /// The addresses of rulebooks that have their own port.
    ports: Mutex<BTreeMap<&'static str, SocketAddr>>,
}

/// The maximum number of open games in the answer to a hello without a game name.
const MOST_NAMED: usize = 5;

/// A handle and the name of its game.
pub type NamedHandle<R> = (Arc<str>, GameHandle<R>);

/// The state of a host.
#[derive(Debug)]
pub(crate) struct Health {
    pub(crate) condition: Condition,
    /// Why the log cannot be written, for the operator.
    pub(crate) problem: Option<String>,
    pub(crate) games: usize,
    /// Unfinished games of the log that cannot be continued.
    pub(crate) damaged: usize,
    /// The names of some of them.
    pub(crate) damaged_names: Vec<String>,
    pub(crate) connections: u64,
    /// In seconds.
    pub(crate) uptime: u64,
}

/// Whether a host accepts new games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    Ok,
    Stopping,
    /// The last commit failed, or one takes very long. The store tries again by itself.
    LogFailed,
}

/// A game that has a room.
struct OpenGame {
    inbox: mpsc::Sender<ToRoom>,
    rulebook: &'static str,
    edition: String,
    players: Arc<Mutex<Vec<String>>>,
    followed: Followed,
    /// The [`GameHandle`], if the rulebook uses one.
    handle: Option<Box<dyn Any + Send + Sync>>,
}

/// The address of a room.
#[derive(Clone, Debug)]
pub(crate) struct RoomAddress {
    pub(crate) inbox: mpsc::Sender<ToRoom>,
    /// Cancelled when the host has removed the room. From then on, the log has the game.
    pub(crate) gone: CancellationToken,
}

/// Why the unfinished game of a log is not the requested one.
#[derive(Debug)]
pub enum OtherGame {
    /// The log cannot be read.
    Store(StoreError),
    /// The log has no unfinished game.
    None,
    /// The game has another seed.
    Seed {
        /// The name of the game.
        game: String,
        /// Its seed.
        seed: i64,
    },
    /// The game has another scenario.
    Scenario {
        /// The name of the game.
        game: String,
    },
    /// The game has another edition.
    Edition {
        /// The name of the game.
        game: String,
        /// Its edition.
        edition: String,
    },
}

impl fmt::Display for OtherGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let holds = "the log holds the unfinished game";
        match self {
            Self::Store(error) => error.fmt(f),
            Self::None => f.write_str("the log has no unfinished game"),
            Self::Seed { game, seed } => write!(f, "{holds} {game} with seed {seed}"),
            Self::Scenario { game } => write!(f, "{holds} {game} of another scenario"),
            Self::Edition { game, edition } => write!(f, "{holds} {game} in the {edition} edition"),
        }
    }
}

impl Error for OtherGame {}

impl From<StoreError> for OtherGame {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// Why a host cannot be opened or closed.
#[derive(Debug)]
pub enum HostError {
    /// The log cannot be read or written.
    Store(StoreError),
    /// Closing the log panicked.
    Unfinished,
}

impl fmt::Display for HostError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Store(error) => error.fmt(f),
            Self::Unfinished => f.write_str("the log was not closed; please report it"),
        }
    }
}

impl Error for HostError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Store(error) => Some(error),
            Self::Unfinished => None,
        }
    }
}

impl Host {
    /// Rebuilds and continues every unfinished game of the log.
    ///
    /// # Errors
    ///
    /// If the log cannot be read, or the tables of a game cannot be created.
    pub async fn open(options: Options) -> Result<Arc<Self>, HostError> {
        let metrics = Arc::new(Metrics::new());
        let Options { log, world, logger, games, shows_all, .. } = &options;
        let tables: Vec<&'static Table> = games.iter().flat_map(HostedGame::tables).copied().collect();
        log.add_tables(&tables).await.map_err(HostError::Store)?;
        let services = Arc::new(RoomServices {
            log: log.clone(),
            world: world.clone(),
            metrics: metrics.clone(),
            opponents: options.opponents.clone(),
            setups: Mutex::default(),
            logger: logger.clone(),
            store_patience: options.limits.store_patience,
            stopping: CancellationToken::new(),
        });
        let viewer = Viewer::new(log.clone(), world.clone(), Arc::new(games.clone()), logger.clone(), *shows_all);
        let host = Arc::new(Self {
            watching: Arc::new(Semaphore::new(options.limits.watchers)),
            options,
            services,
            metrics,
            started: Instant::now(),
            games: Mutex::default(),
            stuck: Mutex::default(),
            reopening: tokio::sync::Mutex::default(),
            rooms: TaskTracker::new(),
            creating: Arc::new(Semaphore::new(1)),
            last_end: watch::Sender::new(None),
            viewer,
            cache: Arc::default(),
            feeds: Feeds::default(),
            ports: Mutex::default(),
        });
        let recovered = recovery::run(&host.services, &host.options.games, Selection::Unfinished);
        let RecoveredGames { ready, stuck } = recovered.await.map_err(HostError::Store)?;
        lock(&host.stuck).extend(stuck);
        for (key, game) in ready {
            host.start(game.start(&host.services, key));
        }
        host.rooms.spawn(report_store(host.services.clone()));
        Ok(host)
    }

    fn rulebook(&self, name: Option<&str>) -> Result<&'static dyn HostedGame, Refused> {
        let games = &self.options.games;
        let found = match name {
            None => games.iter().next(),
            Some(name) => games.named(name),
        };
        found.ok_or_else(|| {
            let known: Vec<&str> = games.iter().map(HostedGame::name).collect();
            let message = format!("No rulebook {}; there are {}.", name.unwrap_or_default(), known.join(", "));
            Refused { reason: Reason::BadMessage, message }
        })
    }

    pub(crate) fn rulebook_named(&self, name: &str) -> Option<&'static dyn HostedGame> {
        self.options.games.named(name)
    }

    /// The wall clock, randomness, threads and the network of this host.
    pub fn world(&self) -> &Arc<dyn World> {
        &self.options.world
    }

    /// The log of this host.
    pub fn log(&self) -> &Arc<dyn EventLog> {
        &self.options.log
    }

    /// The logger of this host.
    pub fn logger(&self) -> &Logger {
        &self.options.logger
    }

    /// The limits of this host.
    pub fn limits(&self) -> &Limits {
        &self.options.limits
    }

    /// The address of a room.
    pub(crate) fn room(&self, game: &str) -> Option<RoomAddress> {
        let games = self.games();
        games.get(game).map(|game| RoomAddress { inbox: game.inbox.clone(), gone: game.followed.gone.clone() })
    }

    /// Waits until a game that was just created is durable.
    pub(crate) async fn stored(&self, game: &str) -> Result<(), Refused> {
        if let Some(room) = self.room(game) {
            let (answer, stored) = oneshot::channel();
            if room.inbox.send(ToRoom::Stored { answer }).await.is_ok() && stored.await.is_ok() {
                return Ok(());
            }
        }
        // The room has ended: either the game could not be stored, or it is over already.
        match self.options.log.find(game).await.map_err(unreadable)? {
            Some(_) => Ok(()),
            None => Err(unavailable()),
        }
    }

    /// The handle of an open game, if its rulebook uses handles.
    pub fn handle<R: HostedRules>(&self, game: &str) -> Option<GameHandle<R>> {
        self.games().get(game)?.handle.as_ref()?.downcast_ref().cloned()
    }

    /// The handles of all open games of a rulebook, oldest first.
    pub fn handles<R: HostedRules>(&self) -> Vec<NamedHandle<R>> {
        let games = self.games();
        let handle = |game: &OpenGame| game.handle.as_ref()?.downcast_ref::<GameHandle<R>>().cloned();
        let found = games.iter().filter_map(|(name, game)| Some((name.clone(), handle(game)?)));
        let mut found: Vec<NamedHandle<R>> = found.collect();
        found.sort_unstable_by_key(|(_, handle)| handle.key());
        found
    }

    /// Read-only handles of a rulebook's games that ended within this time.
    ///
    /// # Errors
    ///
    /// If the log cannot be read.
    pub async fn past_handles<A: Adapter>(&self, within: Duration) -> Result<Vec<NamedHandle<A::Rules>>, StoreError> {
        let log = &self.options.log;
        let within = i64::try_from(within.as_millis()).unwrap_or(i64::MAX);
        let since = self.options.world.now().saturating_sub(within).saturating_add(1);
        let mut found: Vec<NamedHandle<A::Rules>> = Vec::new();
        for record in log.ended_since(A::Rules::NAME, since).await? {
            found.extend(self.past_handle::<A>(&record).await?);
        }
        Ok(found)
    }

    /// A read-only handle of a finished game; `None` if the game cannot be folded.
    ///
    /// # Errors
    ///
    /// If the log cannot be read.
    pub async fn past_handle<A: Adapter>(
        &self,
        record: &GameRecord,
    ) -> Result<Option<NamedHandle<A::Rules>>, StoreError> {
        let Options { log, world, .. } = &self.options;
        let head = log.head(record.key).await?;
        let rows = log.rows(record.key, 1).await?;
        let game = world.blocking(move || caught(|| folded::<A>(&head.header, &rows))).await;
        let Ok(Ok(game)) = game else { return Ok(None) };
        let clock = Clock::from(self.since(record.created));
        let (handle, _no_room) = GameHandle::new(record.key, clock, record.tail.entries, game);
        Ok(Some((record.name.as_str().into(), handle)))
    }

    /// Milliseconds from a moment of the wall clock until now.
    fn since(&self, moment: i64) -> u64 {
        u64::try_from(self.options.world.now() - moment).unwrap_or_default()
    }

    /// The key of an open game and the signals for readers of its log.
    pub(crate) fn followed(&self, game: &str) -> Option<Followed> {
        self.games().get(game).map(|game| game.followed.clone())
    }

    /// Records the address of a rulebook that has its own port, so that pages can show it.
    pub fn opened_port(&self, rulebook: &'static str, address: SocketAddr) {
        lock(&self.ports).insert(rulebook, address);
    }

    /// The addresses of rulebooks that have their own port.
    pub(crate) fn ports(&self) -> BTreeMap<&'static str, SocketAddr> {
        lock(&self.ports).clone()
    }

    /// The names of the players in an open game.
    pub(crate) fn players(&self, game: &str) -> Option<Vec<String>> {
        self.games().get(game).map(|game| lock(&game.players).clone())
    }

    /// The game of a process that serves only one.
    pub(crate) fn only_game(&self) -> Option<String> {
        self.options.one_game.then(|| self.games().keys().next().map(ToString::to_string))?
    }

    /// All open games, by name.
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

    /// The names of at most [`MOST_NAMED`] open games in words, for a client that named none.
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

    /// Runs a room until it ends.
    pub(crate) fn start(self: &Arc<Self>, room: StartedRoom) {
        let StartedRoom { name, key, rulebook, edition, players, inbox, progress, handle, run } = room;
        let gone = CancellationToken::new();
        let followed = Followed { key, progress: progress.clone(), gone: gone.clone() };
        let open = OpenGame { inbox: inbox.clone(), rulebook, edition, players: players.clone(), followed, handle };
        self.games().insert(name.clone(), open);
        if self.is_stopping() {
            // The host was stopped while this room was created. The inbox is new, so it has space for a message.
            let _stops_at_once = inbox.try_send(ToRoom::Stop);
        }
        let host = self.clone();
        self.rooms.spawn(async move {
            let ended = tokio::spawn(run).await;
            if let Ok((end, _)) = &ended {
                host.remember(&name, end).await;
            }
            // This happens before any client is told of the end, so that resuming clients are served from the log.
            host.games().remove(&name);
            gone.cancel();
            let end = match ended {
                Ok((end, farewell)) => {
                    farewell(&end);
                    end
                }
                // A panic outside the fold: the room and its connections are gone.
                Err(_) => {
                    mark_broken(&host.services, key, &players).await;
                    RoomEnd::Broken
                }
            };
            progress.notify_one();
            host.count(&end);
            host.last_end.send_replace(Some(end));
        });
    }

    /// The state of the host, for its operator.
    pub(crate) fn health(&self) -> Health {
        let measures = self.options.log.measures();
        let condition = if self.is_stopping() {
            Condition::Stopping
        } else if measures.is_some_and(|log| log.is_failing() || log.is_silent()) {
            Condition::LogFailed
        } else {
            Condition::Ok
        };
        let stuck = lock(&self.stuck);
        Health {
            condition,
            problem: measures.and_then(Measures::problem).map(|problem| problem.to_string()),
            games: self.games().len(),
            damaged: stuck.len(),
            damaged_names: stuck.keys().take(MOST_NAMED).cloned().collect(),
            connections: self.metrics.connections_open.value(),
            uptime: self.started.elapsed().as_secs(),
        }
    }

    /// The metrics in the text format of Prometheus.
    pub(crate) fn metrics_page(&self) -> String {
        let no_commits = Measures::default();
        let log = self.options.log.measures().unwrap_or(&no_commits);
        let (games_open, games_damaged) = (self.games().len(), lock(&self.stuck).len());
        self.metrics.page(&Moment { games_open, games_damaged, uptime: self.started.elapsed(), log })
    }

    fn count(&self, end: &RoomEnd) {
        match end {
            RoomEnd::Over { .. } => self.metrics.games_finished.add(1),
            RoomEnd::Broken => self.metrics.games_broken.add(1),
            RoomEnd::StoreFailed { .. } => self.metrics.games_store_failed.add(1),
            RoomEnd::NotCreated { .. } | RoomEnd::Stopped => {}
        }
    }

    /// Checks that the unfinished game of the log is the requested one.
    ///
    /// # Errors
    /// If it is another one, or the log cannot be read.
    pub async fn same_game(&self, create: &Create) -> Result<(), OtherGame> {
        let open = self.games().keys().next().cloned().ok_or(OtherGame::None)?;
        let head = self.options.log.find(&open).await?.ok_or(OtherGame::None)?;
        let (game, about) = (head.record.name, head.record.about);
        if create.seed != Some(about.seed) {
            return Err(OtherGame::Seed { game, seed: about.seed });
        }
        if head.scenario.as_deref() != Some(&create.scenario) {
            return Err(OtherGame::Scenario { game });
        }
        match &create.edition {
            Some(edition) if *edition != about.edition => Err(OtherGame::Edition { game, edition: about.edition }),
            Some(_) | None => Ok(()),
        }
    }

    /// Waits until a room ends; for a process that serves one game.
    pub async fn game_end(&self) -> RoomEnd {
        let mut ends = self.last_end.subscribe();
        let end = ends.wait_for(Option::is_some).await;
        end.ok().and_then(|end| end.clone()).unwrap_or(RoomEnd::Stopped)
    }

    /// Whether this host has stopped accepting new games.
    pub(crate) fn is_stopping(&self) -> bool {
        self.services.stopping.is_cancelled()
    }

    /// Stops accepting games, ends all rooms after sending durable events, and flushes the log.
    ///
    /// # Errors
    ///
    /// If the log cannot be flushed.
    pub async fn stop(&self) -> Result<(), HostError> {
        self.services.stopping.cancel();
        let open: Vec<_> = self.games().values().map(|game| game.inbox.clone()).collect();
        for inbox in open {
            // A room whose store is silent may not read its inbox.
            let _room_is_gone = self.services.until_stopped(inbox.send(ToRoom::Stop)).await;
        }
        self.rooms.close();
        self.rooms.wait().await;
        let log = self.options.log.clone();
        let closed = self.options.world.blocking(move || log.close()).await;
        closed.map_err(|_| HostError::Unfinished)?.map_err(HostError::Store)
    }

    fn games(&self) -> MutexGuard<'_, BTreeMap<Arc<str>, OpenGame>> {
        lock(&self.games)
    }
}

/// Logs when the store begins and ceases to fail, until the host stops.
async fn report_store(services: Arc<RoomServices>) {
    let Some(measures) = services.log.measures() else { return };
    let mut since = None;
    while services.stopping.run_until_cancelled(measures.changed()).await.is_some() {
        match (measures.problem(), since) {
            (Some(problem), None) => {
                since = Some(Instant::now());
                warn!(services.logger, "the log cannot be written, trying again"; "cause" => %problem);
            }
            (None, Some(begin)) => {
                since = None;
                let seconds = begin.elapsed().as_secs();
                info!(services.logger, "the log can be written again"; "after_seconds" => seconds);
            }
            (Some(_), Some(_)) | (None, None) => {}
        }
    }
}
