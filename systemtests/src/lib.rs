//! The harness for system tests: transcripts from files, played against the engine in process.

pub mod files;
pub mod generate;
pub mod local;
#[cfg(feature = "mutants")]
pub mod mutants;
pub mod remote;
pub mod run;
pub mod table;
