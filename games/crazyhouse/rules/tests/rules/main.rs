//! Tests of the rulebook through its public interface.
//!
//! - `vectors`: positions and games from other sources, in `../shared/vectors`, if that folder exists
//! - `rows`: a position, a player and a move, and the result
//! - `texts`: positions and moves as text, valid and invalid
//! - `counts`: perft of our own positions, also through texts
//! - `hosted`: seats, draws, clocks and limits of a hosted game
//! - `laws`: the laws of every rulebook, over random games
//! - `offers`: what players can do, and games that are played by offers
//! - `page`: RULES.md, its examples and its messages
#![allow(clippy::too_many_lines, reason = "the limit of this crate is for rules; tests are tables")]
#![expect(clippy::print_stderr, reason = "says what was skipped")]

mod counts;
mod hosted;
mod laws;
mod offers;
mod page;
mod rows;
mod texts;
mod vectors;
