//! The harness for system tests: transcripts from files, played against the engine in process.

pub mod files;
pub mod generate;
pub mod local;
pub mod remote;
pub mod run;
pub mod table;
