//! Runs every `holdfast log` command on a log of many finished games, and prints its time and its output.
//!
//! Run it with `cargo xtask bench log [GAMES]`.
#![allow(clippy::print_stdout, reason = "a benchmark is its output")]

#[cfg(feature = "colony")]
#[path = "../../games/colony/benches/log/mod.rs"]
mod colony;

fn main() {
    #[cfg(feature = "colony")]
    colony::run();
}
