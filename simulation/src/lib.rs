//! A whole host by seeds: its clock, its network and its disk are driven, faults happen, and every promise of the host is checked
//! at every step.
//!
//! [`simulate`] plays one seed in a runtime with one thread and a paused clock, so that a minute passes in milliseconds and two
//! runs of a seed are the same to the byte. `world` is the host's world, `store` its log, `link` a connection, `site` starts and
//! crashes the host. Players (`player`, and those of `games` with a protocol of their own) keep their places over all faults (`faults`). `ledger` has the truth: every stored entry,
//! folded a second time. `docs/simulation.md` describes the checks.

mod batch;
mod bot;
mod coverage;
mod faults;
mod freeze;
mod games;
mod host_links;
mod http;
mod ledger;
mod link;
#[cfg(feature = "mutants")]
pub mod mutants;
mod network;
mod observer;
mod planted;
mod player;
mod port;
mod random;
mod run;
mod site;
mod store;
mod table;
mod wire;
mod world;

pub use batch::{Batch, simulate_all};
pub use coverage::{Coverage, Covered};
pub use observer::{Check, Failure, Outcome, Recording};
pub use planted::Planted;
pub use run::{Hosts, simulate};
