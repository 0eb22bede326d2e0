//! Rulebooks in a few lines.
//!
//! A [`ShortGame`] is one type with four functions: whose turn it is, what a move does, when the game is over, and which moves
//! there are. [`Short`] makes a [`Rulebook`](engine::Rulebook) from it, with everything else: joining, names, seats, refusals out
//! of turn, timeouts and clocks, words for people, and pictures.
//!
//! A game without secrets tells every accepted move, with the numbers that chance drew for it, so that everyone can fold the same
//! state. A game with secrets implements [`ShortGame::view`]: then every seat is told its own view whenever that changes, and
//! nothing else. [`laws`] plays random games and checks all promises.
#![no_std]

extern crate alloc;

mod board;
mod chance;
mod clock;
mod command;
mod event;
mod game;
pub mod laws;
mod offers;
mod outcome;
mod refusal;
mod rulebook;
mod rules;
mod seat;
mod setup;
mod shown;

pub use board::{Board, View};
pub use chance::Chance;
pub use clock::Clock;
pub use command::{Command, Common};
pub use event::Event;
pub use game::{Bot, Late, Resign, ShortGame, Start, Tells, Told};
pub use outcome::{Ending, How, Outcome};
pub use refusal::Refusal;
pub use rules::{Short, Timer};
pub use seat::{Seat, Turn};
pub use setup::{MOST_SEATS, Setup, SetupError};
