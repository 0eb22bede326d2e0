//! A file for each subcommand.

pub(crate) mod convert;
pub(crate) mod fmt;
#[cfg(feature = "mutants")]
pub(crate) mod mutants;
pub(crate) mod run;
