//! The configuration of a host.

use std::sync::{Arc, Mutex};

use slog::Logger;

use crate::{
    accounts::AccountsMode,
    bots::Opponents,
    client_address::Network,
    cluster::{ClusterSecret, ClusterTls, Membership},
    erased::GameTable,
    host_name::HostName,
    host_store::{HostStore, MemoryHostStore},
    interner::SetupInterner,
    limits::Limits,
    log::EventLog,
    moderation::Moderation,
    retention::Retention,
    web_origin::WebOrigin,
    web_sources::WebSources,
    world::{RealWorld, World},
};

/// The configuration of a host.
#[expect(missing_debug_implementations, reason = "a table of rulebooks and a store have nothing to show")]
pub struct Options {
    /// The games on offer.
    pub games: GameTable,
    /// Clock, randomness, threads and the network.
    pub world: Arc<dyn World>,
    /// The log that keeps the games.
    pub log: Arc<dyn EventLog>,
    /// What the host keeps beside the log. [`Options::new`] keeps it in memory.
    pub host_store: Arc<dyn HostStore>,
    /// The setups of games. Hosts of one process can share them, so that each is decoded once.
    pub setups: Arc<Mutex<SetupInterner>>,
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
    /// Origins of pages of other sites that may use the API and play over the WebSocket.
    pub allowed_origins: Vec<WebOrigin>,
    /// Proxies whose `X-Forwarded-For` names the clients. Without any, every connection is that of its own client.
    pub trusted_proxies: Vec<Network>,
    /// Whether people can have accounts, and whether they need one.
    pub accounts: AccountsMode,
    /// What may be written in chat.
    pub moderation: Moderation,
    /// Whether `/health` and `/metrics` have a port of their own. Then the port of the pages does not have them.
    pub has_operator_port: bool,
    /// Bots that take the seats that a game reserves for them.
    pub opponents: Arc<Opponents>,
    /// The rulebooks whose running games pages show with all their secrets. Only for an operator who may see them and who plays
    /// in none of these games.
    pub shows_all: Vec<&'static str>,
    /// Files of pages and drawings besides those of the games.
    pub web: WebSources,
    /// The name of this program, for the commands that pages show.
    pub program: String,
    /// Which finished games are kept.
    pub retention: Retention,
    /// The log that gets the games that are archived. With it, games that are not kept are archived, too.
    pub archive: Option<Arc<dyn EventLog>>,
    /// Set for a host that shares its log with others. Such a host has no game before [`Host::join`](super::Host::join).
    pub cluster: Option<ClusterOptions>,
}

/// What a host needs to be one of several.
#[derive(Clone, Debug)]
pub struct ClusterOptions {
    /// The table of hosts. It belongs to the same store as the log.
    pub membership: Arc<dyn Membership>,
    /// The name of this host, which no other host of the store has.
    pub name: String,
    /// The version of the program.
    pub version: String,
    /// The secret that all hosts share. Without it, this host passes no clients on, and tells them to go to another host.
    pub secret: Option<ClusterSecret>,
    /// Certificates for encrypted connections between hosts. All hosts have some, or none has.
    pub tls: Option<ClusterTls>,
}

impl Options {
    /// The default options: clients can create games, and spectators see only facts that every player may know.
    pub fn new(games: GameTable, log: Arc<dyn EventLog>, logger: Logger) -> Self {
        Self {
            games,
            log,
            host_store: Arc::new(MemoryHostStore::default()),
            setups: Arc::default(),
            logger,
            world: Arc::new(RealWorld),
            limits: Limits::default(),
            one_game: false,
            admin_token: None,
            host_names: Vec::new(),
            allowed_origins: Vec::new(),
            trusted_proxies: Vec::new(),
            accounts: AccountsMode::Off,
            moderation: Moderation::default(),
            has_operator_port: false,
            opponents: Arc::default(),
            shows_all: Vec::new(),
            web: WebSources::default(),
            program: "holdfast".into(),
            retention: Retention::default(),
            archive: None,
            cluster: None,
        }
    }
}
