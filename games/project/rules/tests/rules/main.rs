//! Tests of the rulebook through its public interface.
//!
//! - `table`: a game for tests, which takes commands and answers as text
//! - `setups`: problems of configurations
//! - `lobby`: hashes, seats, teams, leaders and the start
//! - `moving`: moves, distances and discoveries
//! - `pieces`: picking up, testing and placing
//! - `queue`: requests that wait, cost time, or are repeated
//! - `faults`: lost players, and new pieces
//! - `ending`: every way in which a game ends
//! - `chance`: random positions, and the information in start positions
//! - `knowing`: the knowledge of computer players, and exchanges
//! - `exchanges`: exchanges that the Game Master reports
//! - `shown`: pictures, words and figures for people
//! - `laws`: the laws of every rulebook, over random games
//! - `secrecy`: no player learns a secret, over random games
//! - `page`: RULES.md, its example and its messages
#![allow(clippy::too_many_lines, reason = "the limit of this crate is for rules; tests are tables")]

mod chance;
mod ending;
mod exchanges;
mod faults;
mod knowing;
mod laws;
mod lobby;
mod moving;
mod page;
mod pieces;
mod queue;
mod secrecy;
mod setups;
mod shown;
mod table;
