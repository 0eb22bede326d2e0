//! `holdfast log heads`: the end of each game, to keep elsewhere.

use std::path::PathBuf;

use server::log::Heads;

use super::{error::LogError, games::Log};
use cli::{Program, output::Out};

/// Prints the number of entries and the last digest of every game, for `verify --heads`.
///
/// Keep the output where the writer of the log cannot change it. Later, `verify --heads` finds games that are missing, shorter or
/// rewritten, even with new digests. Games that have grown since are fine.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The log file that `holdfast host --log FILE` writes.
    file: PathBuf,
}

const EXAMPLES: &str = "\
Examples:
  holdfast log heads games.log > heads.txt
  holdfast log verify games.log --heads heads.txt";

pub(super) fn run(program: &Program, arguments: &Arguments, out: &mut Out) -> Result<bool, LogError> {
    let log = Log::open(program, &arguments.file)?;
    out.write(Heads::of(&log.list()?).to_string());
    Ok(true)
}
