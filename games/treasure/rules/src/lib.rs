//! The treasure rulebook: two players build half a map each, look for their own treasure and then for the opponent's fort.
//!
//! [`half::check`] checks a half. [`Game`] is the hosted rulebook: start with its `fold` in `rules`. [`View`] has the facts that one
//! player may know. The years of the protocol differ only in their [`Profile`].
#![no_std]
#![warn(clippy::too_many_lines, clippy::cognitive_complexity, clippy::excessive_nesting, clippy::too_many_arguments)]

extern crate alloc;

mod asked;
mod board;
mod border;
mod chart;
mod command;
mod event;
mod fields;
mod game;
pub mod half;
mod map;
mod mask;
mod node;
mod offers;
mod outcome;
mod player;
mod private;
mod profile;
mod refusal;
mod rulebook;
mod rules;
mod setup;
mod shown;
mod view;

pub use asked::{LONGEST_PROBLEM, MOST_NOTED, Turn};
pub use board::{Board, Entrant, Last};
pub use chart::{Chart, Placement};
pub use command::{Coding, Command};
pub use event::Event;
pub use fields::Fields;
pub use game::{Game, HOST, Member, Timer};
pub use map::{Direction, Field, Position, Terrain};
pub use mask::Key;
pub use node::{FortState, Node, PlayersState, Standing, TreasureState};
pub use outcome::{Outcome, Reason};
pub use player::Player;
pub use private::{Private, Progress};
pub use profile::{Profile, ProfileError, Year};
pub use refusal::{Named, Refusal};
pub use setup::{SCENARIOS, Setup, SetupError};
pub use view::{PlayerState, View, ViewRef};
