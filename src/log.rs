//! `holdfast log`: looking into a log file.

use std::{fmt::Write, path::PathBuf};

use server::log::verify;

use crate::{Answer, output::Progress};

/// Looks into a log file, also while a host writes it.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, clap::Subcommand)]
enum Task {
    /// Checks the chain of digests of every game: finds what was changed, removed, moved or cut off.
    Verify { file: PathBuf },
}

pub(crate) fn run(arguments: &Arguments) -> Result<Answer, String> {
    let Task::Verify { file } = &arguments.task;
    let mut bar: Option<Progress> = None;
    let report = verify(file, |progress| {
        bar.get_or_insert_with(|| Progress::new("entries", progress.total)).show(progress.done);
    });
    drop(bar);
    let report = report.map_err(|error| error.to_string())?;
    let mut text = String::new();
    if report.is_sound() {
        let (games, entries) = (report.games.len(), report.entries);
        writeln!(text, "{}: ok ({games} games, {entries} entries)", file.display()).expect("a string takes everything");
    } else {
        writeln!(text, "{report}").expect("a string takes everything");
    }
    Ok(Answer { text, ok: report.is_sound() })
}
