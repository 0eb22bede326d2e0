//! What the commands of every game share.
//!
//! [`Game`] is what a game brings to the program besides its rules; [`output`] alone prints; [`serving`] runs a host with its
//! ports until somebody stops it. The program's own commands and those of games are built from the same parts.

pub mod ansi;
mod bots;
pub mod elo;
mod game;
pub mod logging;
mod moment;
pub mod output;
pub mod plural;
pub mod schedule;
pub mod serving;
pub mod threads;
pub mod wilson;

pub use bots::{BotServer, HostBots, Playing, thinkers};
pub use game::{Command, Game, HostOptions, Opening, Program, command};
pub use moment::moment;
pub use output::{Answer, Out};
