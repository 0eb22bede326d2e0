//! The players of the treasure game.
//!
//! - `halves`: what they build.
//! - `strength`: who beats whom, in a small world of its own.

mod halves;
mod strength;
mod world;
