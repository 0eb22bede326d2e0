//! The harness for system tests: scripts from files, played in process or against any server.
//!
//! [`files::find`] reads scripts, [`play::Play`] makes one ready, and [`run::run`] plays it on a [`table::Target`]: the
//! engine in process ([`local::InProcess`]), a fresh server process ([`remote::FreshServer`]) or a host that runs
//! ([`remote::RunningHost`]).

pub mod batch;
mod connection;
pub mod files;
pub mod generate;
pub mod local;
#[cfg(feature = "mutants")]
pub mod mutants;
pub mod play;
pub mod process;
pub mod remote;
pub mod report;
pub mod run;
pub mod table;
