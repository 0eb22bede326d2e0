//! The bots of the treasure game.
//!
//! - `halves`: the halves that they build.
//! - `strength`: which bots beat which, on the rulebook itself.
//! - `http`: the HTTP client.
//! - `network2022`, `network2017`: games over real sockets, on a server that fails as a test requires.

mod gateway;
mod halves;
mod http;
mod network2017;
mod network2022;
mod strength;
mod world;

use treasure_rules::{Profile, Year};

const Y2022: &Profile = Year::Y2022.profile();
const Y2017: &Profile = Year::Y2017.profile();
