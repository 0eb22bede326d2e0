//! The crazyhouse rulebook: chess for two in which captured pieces change sides.
//!
//! [`Position`] generates moves, [`Contest`] is a game between two sides, and [`Game`] is the hosted rulebook: start with its `fold`
//! in `rules`.
#![no_std]
#![warn(clippy::too_many_lines, clippy::cognitive_complexity, clippy::excessive_nesting, clippy::too_many_arguments)]

extern crate alloc;

pub mod attacks;
mod board;
mod command;
mod contest;
mod event;
mod game;
mod generate;
mod moves;
mod notation;
mod offers;
mod outcome;
mod perft;
mod piece;
mod position;
mod reach;
mod refusal;
mod rulebook;
mod rules;
mod setup;
mod shown;
mod square;
mod texts;
mod view;

pub use board::Board;
pub use command::Command;
pub use contest::{Contest, Played};
pub use event::Event;
pub use game::{Game, Timer};
pub use moves::{Move, MoveList, Origin};
pub use notation::{PositionError, Problem};
pub use outcome::{Outcome, Reason};
pub use perft::{divide, perft};
pub use piece::{Kind, Piece, Side};
pub use position::Position;
pub use refusal::Refusal;
pub use rules::LONGEST_REASON;
pub use setup::{Pace, SCENARIOS, Setup, SetupError};
pub use square::{Square, Squares};
pub use view::View;
