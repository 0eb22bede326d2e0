//! The colony rulebook: a cooperative game of survival in three editions.
//!
//! [`Setup`] is a scenario that was read and checked. [`Game`] is the rulebook: start with its `fold` in `rules`. [`Board`]
//! holds the facts that all players may know, [`View`] the facts that one client knows.
#![no_std]

extern crate alloc;

mod board;
mod command;
mod determinize;
mod dice;
mod edition;
mod event;
mod game;
mod ids;
mod offers;
mod opening;
mod refusal;
mod rulebook;
mod rules;
pub mod scenario;
mod setup;
mod shown;
#[cfg(test)]
mod tests;
mod view;

pub use board::{Board, DEADLY, EntranceState, Life, Outcome, Phase, Player, Survivor, Worn};
pub use command::Command;
pub use dice::Dice;
pub use edition::{Edition, EditionChoice, Switches, UnknownEdition};
pub use event::{Effect, Event, FoodChange, MoralChange};
pub use game::{Game, Timer};
pub use ids::*;
pub use opening::{Opening, Wanted};
pub use refusal::{Few, Refusal};
pub use scenario::{PLACES, Scenario};
pub use setup::{Prepared, Setup, SetupError};
pub use view::{Asked, View};
