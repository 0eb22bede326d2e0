//! The host: rooms, the log store, gateways and recovery: everything with a clock, a disk or a socket.
//!
//! Start with [`Host`]: it makes games, brings them back, and knows their rooms. A [`Gateway`] takes connections and hands
//! their messages to rooms. [`Http`] answers those who look after the host. [`communication`]
//! is a program of its own: it passes messages between a Game Master and players of the project game.

pub mod chronicle;
mod clock;
pub mod communication;
mod desk;
mod feed;
mod fork;
mod gateway;
mod host;
mod hosted;
mod http;
mod limits;
pub mod log;
mod metrics;
mod opponents;
mod peer;
mod playable;
mod recovery;
mod room;
mod rulebooks;
mod setups;
mod shelf;
mod stream;

pub use desk::{Desk, Durable};
pub use fork::{ForkError, fork};
pub use gateway::{Gateway, OpenConnections};
pub use host::{Host, NamedDesk, Options};
pub use hosted::{Hosted, InputOf};
pub use http::Http;
pub use limits::Limits;
pub use opponents::{Offered, Opponent, Opponents};
pub use playable::{Playable, Rules};
pub use recovery::Recovering;
pub use room::RoomEnd;
pub use rulebooks::project;
pub use rulebooks::{DUMMY_ACCOUNT, Dummy, RULEBOOKS, TreasureGateway, TreasureOptions};
