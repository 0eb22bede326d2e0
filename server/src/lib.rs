//! The host: rooms, the log store, gateways and recovery: everything with a clock, a disk or a socket. It names no game.
//!
//! Start with [`Host`]: it makes games, brings them back, and knows their rooms. A [`Gateway`] takes connections and hands
//! their messages to rooms. [`Http`] answers pages and operators. What a game brings to be hosted is its [`Adapter`].
//!
//! Layers, each of which knows only those before it: [`log`], then rooms with what they need, then games of any rulebook
//! ([`HostedGame`]), recovery and chronicles, then the host, then gateways and HTTP.

mod adapter;
mod bots;
pub mod chronicle;
mod clock;
mod counters;
mod erased;
mod fork;
mod gateway;
mod handle;
mod host;
mod http;
mod interner;
mod limits;
pub mod log;
mod metrics;
mod names;
mod peer;
mod recovery;
mod room;
mod stream;
pub mod sync;
mod world;

pub use adapter::{
    Adapter, AdapterError, Answering, BoardOf, CommandOf, EventOf, HostedRules, InputOf, SetupOf, TimerOf, WebFile,
};
pub use bots::{Offered, Opponent, Opponents};
pub use erased::{Erased, GameTable, HostedGame};
pub use fork::{ForkError, fork};
pub use gateway::{Gateway, OpenConnections};
pub use handle::{Committed, Durable, GameHandle};
pub use host::{Host, HostError, NamedHandle, Options, OtherGame};
pub use http::{Http, body};
pub use limits::Limits;
pub use names::{NameTooLong, check_player_name};
pub use room::{Rebuilding, RoomEnd, RoomServices, StartedRoom};
pub use world::{Dialed, Dialing, RealWorld, Stream, Unfinished, World};
