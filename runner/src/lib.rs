//! The harness for system tests: it reads scripts from files, and plays them in this process or against any server.
//!
//! [`files::find`] reads scripts, [`play::Play`] prepares one, and [`run::run`] plays it on a [`target::Target`]: in this
//! process ([`local::InProcess`]), on a new server process ([`remote::FreshServer`]) or on a running host
//! ([`remote::RunningHost`]).
//!
//! [`recording`] turns games of a log into scripts, and [`seeds::find`] finds games that are useful as scripts.
//!
//! This crate contains no game: [`main()`] is the program `systest` for any list of games, and [`command()`] the same as a command of
//! another program.

pub mod batch;
pub mod broker;
mod commands;
mod connection;
pub mod files;
pub mod grade;
pub mod limits;
pub mod local;
#[cfg(feature = "mutants")]
pub mod mutants;
pub mod play;
pub mod ports;
pub mod process;
pub mod programs;
pub mod recording;
pub mod remote;
pub mod report;
pub mod run;
pub mod seeds;
pub mod selection;
pub mod serve;
pub mod target;

pub use commands::{command, main, run_command};
pub use connection::received_event;
