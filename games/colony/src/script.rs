//! Scripted games of colony.
//!
//! [`Colony`] connects the game with the script language. A [`Wish`] describes a game that an author wants. [`Search`] finds
//! seeds of such games, and [`minimise()`] shortens such a game. [`generate`] generates scenarios.

pub mod generate;
mod language;
mod minimise;
mod search;
mod watch;
mod wish;
mod wishes;

use script::Wishes;

pub use crate::Colony;
pub use minimise::minimise;
pub use search::{Games, NoGames, Search};
pub use watch::Watch;
pub use wish::{CardWish, Happening, Which, Wish};

/// A recorded game.
pub type Recording = script::Recording<Colony>;
/// A command or a timer.
pub type Act = script::Act<Colony>;

fn wishes() -> Option<&'static dyn Wishes> {
    Some(&wishes::ColonyWishes)
}
