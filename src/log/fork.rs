//! `holdfast log fork`: starts a new game in the middle of another.

use std::path::PathBuf;

use serde_json::json;
use server::{
    ForkError, RealWorld, fork,
    log::{EventLog, MemoryLog, shown},
};

use super::{
    error::{GameError, LogError},
    games::Log,
    import::open_into,
};
use cli::{
    Program,
    output::{Out, ReportArgs},
    serving::LogFileError,
};

/// Starts a new game with the state after an entry of another one, and the same dice and cards to come.
///
/// The new game is written into the same file, or into another one, which is created if it is missing. A host that is started on that
/// file plays it, and its seats wait for players to join. Only one process can write a file: while a host runs on it, fork its games
/// into another file.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The log file that `holdfast host --log FILE` writes.
    file: PathBuf,
    /// The name of the game.
    game: String,
    /// The last entry that both games share; with 0, only the setup and the seed.
    #[arg(long, value_name = "ENTRY")]
    at: u64,
    /// The log that gets the new game; without it, the same file.
    #[arg(long, value_name = "FILE")]
    into: Option<PathBuf>,
    #[command(flatten)]
    report: ReportArgs,
}

const EXAMPLES: &str = "\
Examples:
  holdfast log fork games.log ab3dk29xyz --at 120
  holdfast log fork games.log ab3dk29xyz --at 120 --into what-if.log && holdfast host --log what-if.log";

pub(super) fn run(program: &Program, arguments: &Arguments, out: &mut Out) -> Result<bool, LogError> {
    let Arguments { file, game, at, into, report } = arguments;
    let log = Log::open(program, file)?;
    let head = log.game(Some(game))?;
    let of_game = |error| log.of_game(game, error);
    log.rules(&head.record.about).map_err(of_game)?;
    let forked = |into: &dyn EventLog| {
        let forked = log.wait(fork(&RealWorld, &program.hosted(), &*log.reader, game, *at, into));
        forked.map_err(|error: ForkError| of_game(GameError::Fork(error)))
    };
    // Tries the fork in memory first: if it fails, no file is created or changed.
    forked(&MemoryLog::new())?;

    // In the log of a running host, the fork would reveal secrets of the game to its players: the next draws and, at the end,
    // the seed.
    if head.record.end.is_none() && into.is_none() {
        return Err(of_game(GameError::NotOver));
    }
    let path = into.as_ref().unwrap_or(file);
    let store = open_into(path)?;
    let name = forked(&*store)?;
    store.close().map_err(|error| LogFileError::new(path, error))?;
    let file = shown(path).display().to_string();
    out.write(report.report(
        || format!("{name} goes on after entry {at} of {game}; `{} host --log {file}` plays it\n", cli::program_name()),
        || json!({ "game": name, "parent": game, "entry": at, "file": file }),
    ));
    Ok(true)
}
