//! The program at a terminal, as a person uses it.
#![allow(dead_code, reason = "what the tests of games share, whichever games there are")]

#[cfg(all(feature = "colony", feature = "terminal"))]
#[path = "../../games/colony/tests/program/terminal/mod.rs"]
mod colony;
#[path = "../support/port.rs"]
mod port;
