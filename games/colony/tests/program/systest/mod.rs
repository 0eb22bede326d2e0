//! The runner on scripts of colony.
//!
//! - `transcripts`: the runner on transcripts, right ones and wrong ones
//! - `scripts`: our own scripts, the language, and that no form of a script loses anything
//! - `servers`: the runner against servers with a fault each (`systemtests/tests/systest/faulty_server.rs`)
//! - `reports`: verdicts for other programs, and which scripts are played
//! - `seeds`: seeds and scripts that the runner finds
//! - `manners`: exit codes, help, skipped files and JSON reports of the command line
//! - `mutants`: which scripts notice which faulty rules, with the feature `mutants`
//! - `folder`: files of a test

mod folder;
mod manners;
#[cfg(feature = "mutants")]
mod mutants;
mod reports;
mod scripts;
mod seeds;
mod servers;
mod transcripts;
