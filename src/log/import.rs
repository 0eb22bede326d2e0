//! `holdfast log import`: games from another store.

use std::path::{Path, PathBuf};

use serde_json::json;
use server::log::{Copied, EventLog, GameRecord, StoreError, copy_game, open_for_tool, shown};

use super::{
    error::{GameError, LogError},
    games::Log,
};
use cli::{
    Program,
    output::{Out, ReportArgs},
    plural::{ENTRIES, GAMES, counted},
    progress::Progress,
    serving::LogFileError,
};

/// Copies games from one store into another, with the same entries and digests.
///
/// Both can be a log file, which is created if it is missing, or the address of a PostgreSQL database. A game that is there already is left
/// out. Stop the host of the first store before its unfinished games are copied: only one host may continue a game. Hosts of the database go on
/// meanwhile, and find unfinished games when they start next. Tables of rulebooks are not copied.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The store that has the games.
    #[arg(value_name = "FROM")]
    from: PathBuf,
    /// The store that gets them.
    #[arg(value_name = "INTO")]
    into: PathBuf,
    /// The names of the games; without any, all games.
    #[arg(value_name = "GAME")]
    games: Vec<String>,
    #[command(flatten)]
    report: ReportArgs,
}

const EXAMPLES: &str = "\
Examples:
  holdfast log import games.log postgres://holdfast@db.example/games
  holdfast log import postgres://holdfast@db.example/games one.log ab3dk29xyz && holdfast log verify one.log";

pub(super) fn run(program: &Program, arguments: &Arguments, out: &mut Out) -> Result<bool, LogError> {
    let Arguments { from, into, games, report } = arguments;
    if from == into {
        return Err(LogError::OntoItself { path: shown(into) });
    }
    let log = Log::open(program, from)?;
    let records: Vec<GameRecord> = match &games[..] {
        [] => log.list()?,
        names => names.iter().map(|name| Ok(log.game(Some(name))?.record)).collect::<Result<_, LogError>>()?,
    };
    let store = open_into(into)?;
    let (mut copied, mut there, mut entries) = (0, 0, 0);
    let bar = Progress::new("games", records.len() as u64);
    for (record, done) in records.iter().zip(1..) {
        match log.wait(copy_game(&*log.reader, record.key, &*store)) {
            Ok(Copied::New { entries: more }) => {
                copied += 1;
                entries += more;
            }
            Ok(Copied::There) => there += 1,
            Err(error) => return Err(log.of_game(&record.name, GameError::Copy(error))),
        }
        bar.show(done);
    }
    drop(bar);
    store.close().map_err(|error| LogFileError::new(into, error))?;
    let place = shown(into).display().to_string();
    out.write(report.report(
        || {
            let (games, entries) = (counted(copied, GAMES), counted(entries, ENTRIES));
            let left = if there == 0 { String::new() } else { format!(", {there} were there already") };
            format!("{place}: {games} with {entries} copied{left}\n")
        },
        || json!({ "into": place, "games": copied, "entries": entries, "there": there }),
    ));
    Ok(true)
}

/// Opens the store that gets games.
pub(super) fn open_into(path: &Path) -> Result<std::sync::Arc<dyn EventLog>, LogError> {
    open_for_tool(path).map_err(|error| {
        let is_locked = matches!(error, StoreError::Locked { .. });
        let error = LogFileError::new(path, error);
        if is_locked { LogError::Locked(error) } else { LogError::Store(error) }
    })
}
