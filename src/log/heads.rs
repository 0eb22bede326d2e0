//! `holdfast log heads`: the end of each game, to keep elsewhere.

use std::path::PathBuf;

use server::log::Heads;

use super::{error::LogError, games::Log};
use cli::{Program, output::Out};

/// Prints the number of entries and the last digest of every game, for `verify --heads`.
///
/// Keep the output where the writer of the log cannot change it. Later, `verify --heads` finds games that are missing, shorter or
/// rewritten, even with new digests. Games that have grown since are fine. Removed games have a line, too.
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
    // The removed games are read last: a game that a host removes meanwhile is in both lists, and counts as removed.
    let mut records = log.list()?;
    let removed = log.wait(log.reader.removed()).map_err(|error| log.failed(error))?;
    records.retain(|record| removed.iter().all(|stone| stone.key != record.key));
    out.write(Heads::of(&records, removed).to_string());
    Ok(true)
}
