//! The bodies of the fuzz targets. Each takes any bytes, and panics if our code breaks a promise.
//!
//! The targets in `fuzz_targets/` call them under libFuzzer. The suite of the whole project includes this file, too, and calls
//! them with the corpus and with every input that ever failed. `docs/fuzzing.md` describes the targets.

pub mod config;
mod game;
pub mod http;
mod inputs;
pub mod log_entry;
mod ready;
pub mod scenario;
pub mod scripts;
mod stream;
pub mod wire;
pub mod xml;

use game::Game;

#[cfg(feature = "colony")]
#[path = "../../games/colony/tests/fuzz/mod.rs"]
mod colony;
#[cfg(feature = "crazyhouse")]
#[path = "../../games/crazyhouse/tests/fuzz/mod.rs"]
mod crazyhouse;
#[cfg(feature = "project")]
#[path = "../../games/project/tests/fuzz/mod.rs"]
mod project;
#[cfg(feature = "treasure")]
#[path = "../../games/treasure/tests/fuzz/mod.rs"]
mod treasure;

/// A target: its name and its body.
type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const TARGETS: &[Target] = &[
    ("config", config::run),
    ("http", http::run),
    ("log_entry", log_entry::run),
    ("scenario", scenario::run),
    ("scripts", scripts::run),
    ("wire", wire::run),
    ("xml", xml::run),
];

/// The games, each with the letter by which an input chooses it.
const GAMES: &[(u8, Game)] = &[
    #[cfg(feature = "colony")]
    (b'c', Game::of::<colony::Colony>()),
    #[cfg(feature = "crazyhouse")]
    (b'z', Game::of::<crazyhouse::Crazyhouse>()),
    #[cfg(feature = "project")]
    (b'p', Game::of::<project::Project>()),
    #[cfg(feature = "treasure")]
    (b't', Game::of::<treasure::Treasure>()),
];

/// The choice with this letter. Any other byte chooses one, too, so that no input is lost.
fn choose<T>(choices: &[(u8, T)], byte: u8) -> Option<&T> {
    let other = || choices.get(usize::from(byte) % choices.len().max(1));
    choices.iter().find(|(letter, _)| *letter == byte).or_else(other).map(|(_, choice)| choice)
}
