//! `holdfast log verify`: whether a file is as it was written.

use std::path::PathBuf;

use server::log::verify;

use super::games::Log;
use cli::{
    Program,
    output::{Out, Progress},
    plural::{ENTRIES, GAMES, counted},
};

/// Checks the chain of digests of every game: finds what was changed, removed, moved or cut off.
///
/// It does not fold the games again; `replay` does. The exit code is 1 where something is found.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// A log of a host.
    file: PathBuf,
}

pub(super) fn run(program: &Program, Arguments { file }: &Arguments, out: &mut Out) -> Result<bool, String> {
    let log = Log::open(program, file)?;
    let mut bar: Option<Progress> = None;
    let report = log.wait(verify(&*log.reader, |progress| {
        bar.get_or_insert_with(|| Progress::new("entries", progress.total)).show(progress.done);
    }));
    drop(bar);
    let report = report.map_err(|error| error.to_string())?;
    if report.is_sound() {
        let (games, entries) = (counted(report.games.len(), GAMES), counted(report.entries, ENTRIES));
        out.write(format!("{}: ok ({games}, {entries})\n", file.display()));
    } else {
        out.write(format!("{report}\n"));
    }
    Ok(report.is_sound())
}
