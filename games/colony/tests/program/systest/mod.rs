//! The runner on scripts of colony.
//!
//! - `transcripts`: the runner on transcripts, right ones and wrong ones
//! - `scripts`: the project's own scripts, the language, and conversions between the forms of a script
//! - `servers`: the runner against faulty servers (`systemtests/tests/systest/faulty_server.rs`)
//! - `foreign`: servers of other authors: plain ones, and the small servers of the libraries in Python and Java
//! - `grading`: the table of many teams, killed runs, and `serve-mutant`
//! - `reports`: reports for other programs, and the selection of scripts
//! - `seeds`: seeds and scripts that the runner finds
//! - `kits`: tests in Python and Java, beside scripts
//! - `language`: variables, any order, `never .. until`, fragments with parameters
//! - `manners`: exit codes, help, skipped files and JSON reports of the command line
//! - `mutants`: which scripts notice which faulty rules, with the feature `mutants`
//! - `folder`: the folder of a test

mod folder;
mod foreign;
mod grading;
mod kits;
mod language;
mod manners;
#[cfg(feature = "mutants")]
mod mutants;
mod reports;
mod scripts;
mod seeds;
mod servers;
mod transcripts;
