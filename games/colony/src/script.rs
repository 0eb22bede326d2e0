//! Colony for scripted games.
//!
//! [`Colony`] is what scripts need of the game. [`Wish`] is what an author wants to see in a game, [`Search`] finds seeds that show
//! it, and [`minimise()`] makes such a game short. [`generate`] makes up scenarios.

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

/// A game that was played.
pub type Recording = script::Recording<Colony>;
/// Whatever moves a game on.
pub type Act = script::Act<Colony>;

fn wishes() -> Option<&'static dyn Wishes> {
    Some(&wishes::ColonyWishes)
}
