//! A file for each subcommand.

pub(crate) mod convert;
pub(crate) mod fmt;
pub(crate) mod run;
