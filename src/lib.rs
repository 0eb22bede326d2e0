//! Holdfast as a library: [`App`] is the whole program for a list of games.
//!
//! A game in a few lines is a [`short::ShortGame`]. A game with typed events, editions or timers of its own is an
//! [`engine::Rulebook`] with a [`server::Adapter`].

mod account;
mod app;
mod cluster;
mod completions;
mod config;
mod dev;
mod host;
mod host_limits;
mod host_people;
mod hosted;
mod keep;
mod log;
mod new;
mod registry;
mod rng;
mod scripts;
mod shared;
mod short_bots;
mod short_game;
mod short_laws;

pub use app::App;
pub use registry::{GAMES, game_table};

// The crates that a game builds on, so that an author depends on one crate and never on two versions of another.
pub use {cli, commlib, engine, server};

/// Games in a few lines: `use holdfast::short::*` has everything that one needs.
///
/// [`ShortGame`](short::ShortGame) is the trait to implement, with an example of a whole game. [`laws`](short::laws) tests it, and
/// [`App`] is its command line. The guide is `docs/write-a-game.md`.
pub mod short {
    pub use std::{ops::RangeInclusive, process::ExitCode};

    pub use engine::messages;
    pub use serde::{Deserialize, Serialize};
    pub use serde_json::{Value, json};
    pub use server::web_files;
    pub use short::*;

    pub use crate::{App, short_game::ShortAdapter};

    /// Random games that check every promise. One line is a whole test: `println!("{}", laws::random_games::<TicTacToe>(2_000))`.
    pub mod laws {
        pub use short::laws::*;

        pub use crate::short_laws::random_games;
    }
}
