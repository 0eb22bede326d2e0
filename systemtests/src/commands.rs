//! A file for each subcommand.

pub(crate) mod convert;
pub(crate) mod fmt;
mod output;
pub(crate) mod record;
pub(crate) mod run;
pub(crate) mod seeds;
