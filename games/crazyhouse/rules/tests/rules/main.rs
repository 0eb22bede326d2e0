//! Tests of the rulebook through its public face.
//!
//! - `vectors`: positions and games that others found, from `../shared/vectors`, when it is there
//! - `rows`: a position, a player and a move, and what comes of it
//! - `texts`: positions and moves as text, right ones and wrong ones
//! - `counts`: perft, of our own positions and through texts
//! - `hosted`: seats, draws, clocks and limits of a hosted game
//! - `laws`: what every rulebook promises, over random games
#![allow(clippy::too_many_lines, reason = "the limit of this crate is for rules; tests are tables")]
#![expect(clippy::print_stderr, reason = "says what was skipped")]

mod counts;
mod hosted;
mod laws;
mod rows;
mod texts;
mod vectors;
