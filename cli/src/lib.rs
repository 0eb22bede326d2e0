//! Shared parts of the commands of every game.
//!
//! A [`Game`] adds its commands and bots to the program. [`serving`] runs a host with its ports until it is stopped. [`address`] and
//! [`duration`] parse options. [`any_game`] has commands for rulebooks without commands of their own. [`output`] alone prints: reports for people and, with `--json`, for programs.

pub mod address;
pub mod ansi;
pub mod any_game;
mod bots;
pub mod browser;
pub mod cluster_port;
pub mod duration;
pub mod elo;
mod game;
pub mod logging;
pub mod measure;
pub mod menu;
mod moment;
pub mod output;
pub mod plural;
pub mod program_name;
pub mod progress;
pub mod schedule;
pub mod secret_file;
pub mod serving;
pub mod threads;
pub mod tls;
pub mod wilson;

pub use bots::{BotFailure, BotServer, HostBots, Playing, thinkers};
pub use game::{Command, Failure, Game, Group, HostOptions, Opening, Program, command};
pub use moment::{MomentError, moment, parse_moment};
pub use output::{Answer, Out};
pub use program_name::{program_name, with_program_name};
