//! Tests over whole games, in one binary.
//!
//! - `golden`: whole games and all bytes, compared with files
//! - `explorers`, `agents`: players of the treasure and the project game, for those and for `protocol`
//! - `bots`: they play any scenario to its end
//! - `laws`: what every rulebook promises, over thousands of random games of every edition, with their coverage
//! - `coverage`: what those games have shown
//! - `commands`: colony's commands in JSON are read as values say
//! - `chronicle`: what people are shown of a game is what the rules have
//! - `transcripts`: the runner on transcripts, right ones and wrong ones
//! - `scripts`: our own scripts, the language, and that no form of a script loses anything
//! - `servers`: the runner against servers with a fault each (`faulty_server.rs`)
//! - `reports`: verdicts for other programs, and which scripts are played
//! - `rulebooks`: the table of rulebooks that tests go through
//! - `any_game`: scripts of a game that brings little more than its types
//! - `seeds`: what is found is what was wished for
//! - `folder`: files of a test
//! - `chaos`: who sends what in them
//! - `mutants`: which scripts notice which faulty rules, with the feature `mutants`
//! - `protocol`: the description of all messages

mod agents;
mod any_game;
mod bots;
mod chaos;
mod chronicle;
mod commands;
mod coverage;
mod explorers;
mod folder;
mod golden;
mod laws;
#[cfg(feature = "mutants")]
mod mutants;
mod protocol;
mod reports;
mod rulebooks;
mod scripts;
mod seeds;
mod servers;
mod transcripts;
