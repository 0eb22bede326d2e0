//! The host: rooms, the log store, gateways and recovery: everything with a clock, a disk or a socket. It depends on no game.
//!
//! Start with [`Host`]: it creates games, recovers them, and runs their rooms. A [`Gateway`] accepts connections and passes
//! their messages to rooms. [`Http`] serves pages and operators. Each game implements an [`Adapter`].
//!
//! Each layer uses only the layers before it: [`log`] and [`cluster`], then rooms and their services, then games of any rulebook
//! ([`HostedGame`]), recovery and chronicles, then the host, then gateways and HTTP, then the
//! port for other hosts.

mod access;
pub mod accounts;
mod adapter;
mod address_limits;
mod bots;
pub mod chronicle;
mod client_address;
mod clock;
pub mod cluster;
mod cluster_port;
mod counters;
mod erased;
mod fork;
mod gateway;
mod handle;
mod host;
mod host_name;
pub mod host_store;
mod http;
mod interner;
mod limits;
mod local;
pub mod log;
mod metrics;
mod moderation;
mod names;
mod peer;
mod presence;
mod progress;
mod recovery;
mod redaction;
mod replacing;
mod retention;
mod room;
mod standalone;
mod story;
mod stream;
pub mod sync;
#[cfg(feature = "tls")]
mod tls;
mod web_origin;
mod web_sources;
mod whole;
#[cfg(not(feature = "tls"))]
mod without_tls;
mod world;

pub use adapter::{
    Adapter, AdapterError, Answering, BoardOf, CommandOf, EventOf, HostedRules, InputOf, SetupOf, TimerOf, WebFile,
    read_command,
};
pub use address_limits::AddressLimits;
pub use bots::{Offered, Opponent, Opponents};
pub use client_address::{Network, NetworkError};
pub use cluster_port::{ClusterLinks, ClusterPort};
pub use erased::{Erased, GameTable, HostedGame};
pub use fork::{ForkError, fork};
pub use gateway::{Gateway, OpenConnections};
pub use handle::{Committed, Durable, GameHandle};
pub use host::{ClusterOptions, Host, HostError, NamedHandle, Options, OtherGame, Shared};
pub use host_name::{HostName, HostNameError};
pub use http::{Http, HttpStreams, NamePlace, PassedGame, RequestClient, RequestGame, RulebookPort, body};
pub use interner::SetupInterner;
pub use limits::{AbandonedLimits, ChatLimits, Limits, RefusalLimits};
pub use local::LocalGame;
pub use moderation::Moderation;
pub use names::{NameTooLong, check_player_name};
pub use presence::{CommandSender, Presence};
pub use progress::{FollowedGame, GameProgress};
pub use redaction::{PlannedRedaction, RedactedGame, RedactionError};
pub use replacing::Replacement;
pub use retention::{Kept, Retention};
pub use room::{Rebuilding, RoomEnd, RoomServices, StartedRoom};
pub use standalone::StandalonePage;
pub use story::Story;
pub use tls::{CertificateInfo, ServerTls, TlsError};
pub use web_origin::{WebOrigin, WebOriginError};
pub use web_sources::WebSources;
pub use world::{Dialed, Dialing, RealWorld, Stream, Unfinished, World};

#[cfg(not(feature = "tls"))]
use without_tls as tls;
