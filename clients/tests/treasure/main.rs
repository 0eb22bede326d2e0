//! The players of the treasure game.
//!
//! - `halves`: what they build.
//! - `strength`: who beats whom, by the rulebook itself.

mod halves;
mod strength;
mod world;

use treasure::{Profile, Year};

const Y2022: &Profile = Year::Y2022.profile();
const Y2017: &Profile = Year::Y2017.profile();
