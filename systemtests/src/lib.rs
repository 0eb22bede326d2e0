//! The harness for system tests: scripts from files, played in process or against any server.
//!
//! [`files::find`] reads scripts, [`play::Play`] makes one ready, and [`run::run`] plays it on a [`table::Target`]: the
//! engine in process ([`local::InProcess`]), a fresh server process ([`remote::FreshServer`]) or a host that runs
//! ([`remote::RunningHost`]).
//!
//! [`recording`] reads games of a log that become scripts, and [`seeds::find`] finds games worth a script.
//!
//! No game is named here: [`games()`] has those of the program, and [`main()`] is `systest` for any list of them.

pub mod batch;
mod commands;
mod connection;
pub mod files;
mod games;
pub mod local;
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

pub use commands::main;
pub use games::games;
