//! A file for each subcommand.

pub(crate) mod convert;
pub(crate) mod fmt;
#[cfg(feature = "mutants")]
pub(crate) mod mutants;
mod output;
pub(crate) mod record;
pub(crate) mod run;
pub(crate) mod seeds;
