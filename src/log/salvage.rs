//! `holdfast log salvage`: what can still be read of a damaged file.

use std::path::PathBuf;

use serde_json::{Value, json};
use server::log::{LeftBehind, Salvaged, salvage};

use super::{error::LogError, games::check_file, words::plain};
use cli::{
    output::{Out, ReportArgs},
    plural::{ENTRIES, GAMES, counted},
    progress::Progress,
    serving::LogFileError,
};

/// Copies every game that can be read and verifies from a damaged log to a new one.
///
/// Use it if SQLite calls the file malformed. It reads game by game and table by table, and goes on behind pages that cannot be read.
/// It never writes the damaged file. The exit code is 1 if anything is left behind.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The damaged log file.
    from: PathBuf,
    /// The new file.
    to: PathBuf,
    #[command(flatten)]
    report: ReportArgs,
}

const EXAMPLES: &str = "\
Examples:
  holdfast log verify games.log                  # database disk image is malformed
  holdfast log salvage games.log salvaged.log
  holdfast log verify salvaged.log";

pub(super) fn run(arguments: &Arguments, out: &mut Out) -> Result<bool, LogError> {
    let Arguments { from, to, report } = arguments;
    check_file(from)?;
    let mut bar: Option<Progress> = None;
    let salvaged = salvage(from, to, |done, total| {
        bar.get_or_insert_with(|| Progress::new("games", total)).show(done);
    });
    drop(bar);
    let salvaged = salvaged.map_err(|error| LogFileError::new(from, error))?;
    let to = to.display().to_string();
    out.write(report.report(|| text(&to, &salvaged), || json(&to, &salvaged)));
    Ok(salvaged.left.is_empty())
}

fn text(to: &str, Salvaged { games, entries, left }: &Salvaged) -> String {
    let left: String = left.iter().map(|left| format!("left behind: {}\n", plain(&left.to_string()))).collect();
    format!("{left}{to}: {} with {} copied\n", counted(*games, GAMES), counted(*entries, ENTRIES))
}

fn json(to: &str, Salvaged { games, entries, left }: &Salvaged) -> Value {
    let game = |left: &LeftBehind| match left {
        LeftBehind::Game { name, .. } => name.clone(),
        LeftBehind::Clients { name, .. } => Some(name.clone()),
        LeftBehind::Rows { .. } => None,
    };
    let left = left.iter().map(|left| json!({ "game": game(left), "why": left.to_string() }));
    json!({ "file": to, "games": games, "entries": entries, "leftBehind": left.collect::<Value>() })
}
