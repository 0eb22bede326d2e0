//! All games of a process: creating, finding, recovering and ending them.

mod access;
mod accounts;
mod claiming;
mod error;
mod forwarding;
mod handles;
mod health;
mod housekeeping;
mod lists;
mod making;
mod membership;
mod options;
mod reopening;
mod sharing;

use std::{
    any::Any,
    collections::{BTreeMap, BTreeSet},
    net::{IpAddr, SocketAddr},
    sync::{Arc, Mutex, MutexGuard, OnceLock},
    time::SystemTime,
};

use axum::Router;
use commlib::{Create, Reason, Refused, Token};
use slog::Logger;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot, watch},
    time::Instant,
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    access::GameAccess,
    accounts::Accounts,
    address_limits::{AddressLimits, Addresses, Used},
    chronicle::{ChronicleCache, Feeds, Followed, Viewer, unreadable},
    client_address::ClientAddress,
    cluster::Certainty,
    erased::HostedGame,
    handle::unavailable,
    limits::Limits,
    log::{EventLog, Selection, Table},
    metrics::Metrics,
    recovery::{self, RecoveredGames},
    room::{EndsAt, RoomEnd, RoomServices, StartedRoom, ToRoom, Watermark, mark_broken},
    sync::lock,
    tls::CertificateInfo,
    world::World,
};

pub(crate) use access::NewGameIsHidden;
pub use error::{HostError, OtherGame};
pub(crate) use forwarding::{Link, Linked};
pub use handles::NamedHandle;
pub(crate) use health::{Condition, Health};
pub(crate) use housekeeping::HousekeepingError;
use membership::Cluster;
pub use options::{ClusterOptions, Options};
pub(crate) use reopening::Located;
use reopening::RefusedGame;
pub use sharing::Shared;

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
    watching: Arc<Semaphore>,
    /// The addresses of rulebooks that have their own port.
    ports: Mutex<BTreeMap<&'static str, SocketAddr>>,
    /// The address for clients, once it is open.
    clients: OnceLock<SocketAddr>,
    /// The routes of these ports, for requests that other hosts pass on.
    routes: Mutex<BTreeMap<&'static str, Router>>,
    /// Games that lists leave out, and new ones that lists do not have yet.
    hidden: Mutex<BTreeSet<String>>,
    coming: Mutex<BTreeSet<String>>,
    /// Held while a creator or the operator changes who may come into a game.
    managing: tokio::sync::Mutex<()>,
    /// Set for one of several hosts.
    cluster: Option<Cluster>,
}

/// A game that has a room.
struct OpenGame {
    inbox: mpsc::Sender<ToRoom>,
    rulebook: &'static str,
    edition: String,
    players: Arc<Mutex<Vec<String>>>,
    followed: Followed,
    /// Who may come in, once it was asked.
    access: Option<Arc<GameAccess>>,
    /// When it ends if no player comes back.
    ends_at: EndsAt,
    /// Wakes the room.
    watermark: Arc<Watermark>,
    /// The players that other hosts know of.
    published: Vec<String>,
    /// The [`GameHandle`](crate::GameHandle), if the rulebook uses one.
    handle: Option<Box<dyn Any + Send + Sync>>,
}

/// The place of a spectator or a player over HTTP.
#[derive(Debug)]
pub(crate) struct WatchPlace {
    _permit: OwnedSemaphorePermit,
    _used: Used,
}

/// Why there is no place for a spectator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Crowded {
    /// The host has too many.
    Host,
    /// The address has too many.
    Address,
}

/// The address of a room.
#[derive(Clone, Debug)]
pub(crate) struct RoomAddress {
    pub(crate) inbox: mpsc::Sender<ToRoom>,
    /// Cancelled when the host has removed the room. From then on, the log has the game.
    pub(crate) gone: CancellationToken,
}

impl Host {
    /// Rebuilds and continues every unfinished game of the log. One of several hosts has no game before [`join`](Self::join).
    ///
    /// # Errors
    ///
    /// If the log cannot be read, or the tables of a game cannot be created.
    pub async fn open(options: Options) -> Result<Arc<Self>, HostError> {
        let metrics = Arc::new(Metrics::new());
        let Options { log, world, logger, games, shows_all, .. } = &options;
        let tables: Vec<&'static Table> = games.iter().flat_map(HostedGame::tables).copied().collect();
        log.add_tables(&tables).await.map_err(HostError::Store)?;
        let certainty = options.cluster.as_ref().map(|_| Arc::new(Certainty::new()));
        // The rules alone decide on a server of a single game.
        let per_address = if options.one_game { AddressLimits::none() } else { options.limits.per_address };
        let services = Arc::new(RoomServices {
            log: log.clone(),
            world: world.clone(),
            metrics: metrics.clone(),
            opponents: options.opponents.clone(),
            setups: options.setups.clone(),
            logger: logger.clone(),
            certainty: certainty.clone(),
            host_store: options.host_store.clone(),
            limits: options.limits,
            addresses: Addresses::new(per_address, options.trusted_proxies.clone()),
            accounts: Accounts::new(options.accounts, options.host_store.clone(), world.clone(), options.one_game),
            moderation: options.moderation.clone(),
            one_game: options.one_game,
            stopping: CancellationToken::new(),
        });
        services.accounts.load().await.map_err(HostError::Accounts)?;
        let hidden = options.host_store.hidden().await.map_err(HostError::Store)?.into_iter().collect();
        let viewer =
            Viewer::new(log.clone(), world.clone(), Arc::new(games.clone()), logger.clone(), shows_all.clone());
        let host = Arc::new(Self {
            watching: Arc::new(Semaphore::new(options.limits.watchers)),
            cluster: options
                .cluster
                .as_ref()
                .zip(certainty)
                .map(|(options, certainty)| Cluster::new(options.membership.clone(), certainty)),
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
            clients: OnceLock::new(),
            routes: Mutex::default(),
            hidden: Mutex::new(hidden),
            coming: Mutex::default(),
            managing: tokio::sync::Mutex::default(),
        });
        if host.cluster.is_none() {
            let recovered = recovery::run(&host.services, &host.options.games, Selection::Unfinished);
            let RecoveredGames { ready, stuck } = recovered.await.map_err(HostError::Store)?;
            lock(&host.stuck).extend(stuck);
            for (key, game) in ready {
                host.start(game.start(&host.services, key, None));
            }
        }
        host.rooms.spawn(health::report_store(host.services.clone()));
        if !host.options.one_game && !host.options.retention.is_all() {
            host.rooms.spawn(host.clone().keep_house());
        }
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

    /// Adds a bot of this host to a game that waits for players.
    pub(crate) async fn add_bot(&self, game: &str, token: Token, bot: String, by: IpAddr) -> Result<(), Refused> {
        let room = self.room(game).ok_or_else(unavailable)?;
        let (answer, added) = oneshot::channel();
        room.inbox.send(ToRoom::AddBot { token, bot, by, answer }).await.map_err(|_| unavailable())?;
        added.await.map_err(|_| unavailable())?
    }

    /// A place for a spectator or a player over HTTP, until the result is dropped.
    pub(crate) fn watch_place(&self, address: IpAddr) -> Result<WatchPlace, Crowded> {
        let used = self.services.addresses.watcher(address).ok_or(Crowded::Address)?;
        let permit = self.watching.clone().try_acquire_owned().map_err(|_| Crowded::Host)?;
        Ok(WatchPlace { _permit: permit, _used: used })
    }

    /// The address of a connection as connections are counted. A trusted proxy has none.
    pub(crate) fn counted(&self, address: IpAddr) -> Option<ClientAddress> {
        (!self.services.addresses.is_proxy(address)).then(|| address.into())
    }

    /// Counts a game that a client of this address creates.
    ///
    /// # Errors
    /// If the address creates too many.
    pub fn may_create(&self, address: IpAddr) -> Result<(), Refused> {
        self.services.addresses.create(address)
    }

    /// The key of an open game and the signals for readers of its log.
    pub(crate) fn followed(&self, game: &str) -> Option<Followed> {
        self.games().get(game).map(|game| game.followed.clone())
    }

    /// Records the address of a rulebook that has its own port, so that pages can show it.
    pub fn opened_port(&self, rulebook: &'static str, address: SocketAddr) {
        lock(&self.ports).insert(rulebook, address);
    }

    /// Records when the certificate of the encrypted ports expires, for the operator.
    pub fn uses_certificate(&self, certificate: CertificateInfo) {
        let since = certificate.expires.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        self.metrics.certificate_expires.set(since.as_secs());
    }

    /// Records the address for clients, so that pages can show it. The first one counts.
    pub fn opened_clients_port(&self, address: SocketAddr) {
        let _first_counts = self.clients.set(address);
    }

    /// The address for clients.
    pub(crate) fn clients_port(&self) -> Option<SocketAddr> {
        self.clients.get().copied()
    }

    /// The addresses of rulebooks that have their own port.
    pub(crate) fn ports(&self) -> BTreeMap<&'static str, SocketAddr> {
        lock(&self.ports).clone()
    }

    /// Keeps the routes of a rulebook that has its own port.
    pub(crate) fn keep_routes(&self, rulebook: &'static str, router: Router) {
        lock(&self.routes).insert(rulebook, router);
    }

    /// The routes of a rulebook that has its own port.
    pub(crate) fn kept_routes(&self, rulebook: &str) -> Option<Router> {
        lock(&self.routes).get(rulebook).cloned()
    }

    /// Runs a room until it ends.
    pub(crate) fn start(self: &Arc<Self>, room: StartedRoom) {
        let StartedRoom {
            name,
            key,
            rulebook,
            edition,
            players,
            inbox,
            ends_at,
            progress,
            handle,
            clock,
            watermark,
            run,
        } = room;
        let gone = CancellationToken::new();
        let followed = Followed { key, progress: progress.clone(), gone: gone.clone() };
        let (published, players_of_room) = (Vec::new(), players.clone());
        let open = OpenGame {
            access: None,
            inbox: inbox.clone(),
            rulebook,
            edition,
            players,
            followed,
            ends_at,
            watermark,
            published,
            handle,
        };
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
                host.release(key, end, &clock).await;
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
                    mark_broken(&host.services, key, &players_of_room).await;
                    RoomEnd::Broken
                }
            };
            progress.notify_one();
            host.count(&end);
            if let RoomEnd::Over { .. } = &end
                && let Err(error) = host.services.accounts.count_game(&*host.options.log, &name).await
            {
                slog::warn!(host.options.logger, "a game is not counted yet"; "game" => &*name, "cause" => %error);
            }
            host.last_end.send_replace(Some(end));
        });
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

    /// Stops accepting games, ends all rooms after sending durable events, and flushes the log. One of several hosts hands its games
    /// over to the others.
    ///
    /// # Errors
    ///
    /// If the log cannot be flushed.
    pub async fn stop(&self) -> Result<(), HostError> {
        self.services.stopping.cancel();
        self.stop_claiming().await;
        let open: Vec<_> = self.games().values().map(|game| game.inbox.clone()).collect();
        for inbox in open {
            // A room whose store is silent may not read its inbox.
            let _room_is_gone = self.services.until_stopped(inbox.send(ToRoom::Stop)).await;
        }
        self.rooms.close();
        self.rooms.wait().await;
        self.leave().await;
        // The routes of a rulebook refer to this host.
        lock(&self.routes).clear();
        let log = self.options.log.clone();
        let archive = self.options.archive.clone();
        let close = move || log.close().and(archive.map_or(Ok(()), |archive| archive.close()));
        let closed = self.options.world.blocking(close).await;
        closed.map_err(|_| HostError::Unfinished)?.map_err(HostError::Store)
    }

    fn games(&self) -> MutexGuard<'_, BTreeMap<Arc<str>, OpenGame>> {
        lock(&self.games)
    }
}
