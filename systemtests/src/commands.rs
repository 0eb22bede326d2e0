//! A file for each subcommand that is more than a few lines.

pub(crate) mod mutants;
