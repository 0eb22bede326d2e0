//! Tests over whole games, in one binary.
//!
//! - `golden`: whole games and all bytes, compared with files
//! - `bots`: they play any scenario to its end
//! - `laws`: what every rulebook promises, over thousands of random games of every edition, with their coverage
//! - `coverage`: what those games have shown
//! - `transcripts`: the runner on transcripts, right ones and wrong ones
//! - `chaos`: who sends what in them
//! - `mutants`: which scripts notice which faulty rules, with the feature `mutants`
//! - `protocol`: the description of all messages

mod bots;
mod chaos;
mod coverage;
mod golden;
mod laws;
#[cfg(feature = "mutants")]
mod mutants;
mod protocol;
mod transcripts;
