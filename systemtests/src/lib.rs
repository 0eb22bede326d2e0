//! The harness for system tests: scripts from files, played in process or against any server.
//!
//! [`files::find`] reads scripts, [`play::Play`] makes one ready, and [`run::run`] plays it on a [`table::Target`]: the
//! engine in process ([`local::InProcess`]), a fresh server process ([`remote::FreshServer`]) or a host that runs
//! ([`remote::RunningHost`]).
//!
//! [`recording`] reads games of a log that become scripts, [`minimise::minimise`] makes such a game short, and
//! [`seeds::Search`] finds games worth a script: a [`watch::Watch`] says whether a game shows what somebody wants to see.

pub mod batch;
mod connection;
pub mod files;
pub mod generate;
pub mod local;
pub mod minimise;
#[cfg(feature = "mutants")]
pub mod mutants;
pub mod play;
pub mod process;
pub mod recording;
pub mod remote;
pub mod report;
pub mod run;
pub mod seeds;
pub mod table;
pub mod watch;
