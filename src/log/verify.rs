//! `holdfast log verify`: checks that a file is as the host wrote it.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use server::log::{Report, verify};

use super::{error::LogError, games::Log};
use cli::{
    Program,
    output::{Out, ReportArgs},
    plural::{ENTRIES, GAMES, counted},
    progress::Progress,
};

/// Checks the chain of digests of every game: finds entries that were changed, removed, moved or cut off.
///
/// It does not fold the games again; `replay` does. The exit code is 1 if it finds damage.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The log file that `holdfast host --log FILE` writes.
    file: PathBuf,
    #[command(flatten)]
    report: ReportArgs,
}

pub(super) fn run(program: &Program, arguments: &Arguments, out: &mut Out) -> Result<bool, LogError> {
    let file = &arguments.file;
    let log = Log::open(program, file)?;
    let mut bar: Option<Progress> = None;
    let report = log.wait(verify(&*log.reader, |progress| {
        bar.get_or_insert_with(|| Progress::new("entries", progress.total)).show(progress.done);
    }));
    drop(bar);
    let report = report.map_err(|error| log.failed(error))?;
    out.write(arguments.report.report(|| text(file, &report), || json(file, &report)));
    Ok(report.is_sound())
}

fn text(file: &Path, report: &Report) -> String {
    if report.is_sound() {
        let (games, entries) = (counted(report.games.len(), GAMES), counted(report.entries, ENTRIES));
        format!("{}: ok ({games}, {entries})\n", file.display())
    } else {
        format!("{report}\n")
    }
}

fn json(file: &Path, report: &Report) -> Value {
    let store = report.store.iter().map(|damage| json!({ "game": null, "damage": damage.to_string() }));
    let games = report.games.iter().filter_map(|game| {
        let damage = game.damage.as_ref()?;
        Some(json!({ "game": game.name, "damage": damage.to_string() }))
    });
    json!({
        "file": file.display().to_string(),
        "ok": report.is_sound(),
        "games": report.games.len(),
        "entries": report.entries,
        "damage": store.chain(games).collect::<Value>(),
    })
}
