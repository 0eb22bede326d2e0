//! The project game over sockets.
//!
//! - `relay`: the Communication Server, compared with a bare relay of frames
//! - `agents`: 16 players on slow links, 64 players, and 50 games at once

mod agents;
mod relay;

use crate::Measured;

pub(crate) const MEASURED: Measured = Measured { parts: &[("relay", relay::run), ("agents", agents::run)], role };

fn role(words: &[&str]) -> bool {
    match *words {
        ["relay"] => relay::relay(),
        ["messages", address, whom, seconds] => relay::messages(address, whom, seconds),
        _ => return false,
    }
    true
}
