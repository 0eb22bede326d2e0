//! `holdfast log fork`: a new game that begins in the middle of another.

use std::path::PathBuf;

use server::{
    ForkError, RealWorld, fork,
    log::{EventLog, MemoryLog, Options, SqliteLog, StoreError},
};

use super::games::Log;
use cli::{Program, output::Out};

/// Starts a new game with the state after an entry of another one, and the same dice and cards to come.
///
/// It is written into the same file, or into another one, which is made where there is none. A host that is started on that
/// file goes on with it, and its seats wait for players to join. A file that a host is writing cannot be written by
/// anybody else; the game in it can be forked into another file.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// A log of a host.
    file: PathBuf,
    /// The name of the game.
    game: String,
    /// The last entry that both games share; with 0, only the setup and the seed.
    #[arg(long, value_name = "ENTRY")]
    at: u64,
    /// The log that gets the new game; without it, the same file.
    #[arg(long, value_name = "FILE")]
    into: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  holdfast log fork games.log ab3dk29xyz --at 120
  holdfast log fork games.log ab3dk29xyz --at 120 --into what-if.log && holdfast host --log what-if.log";

pub(super) fn run(program: &Program, arguments: &Arguments, out: &mut Out) -> Result<bool, String> {
    let Arguments { file, game, at, into } = arguments;
    let log = Log::open(program, file)?;
    let head = log.game(Some(game))?;
    let of_game = |error: &dyn std::fmt::Display| log.of_game(game, error);
    log.rules(&head.record.about).map_err(|error| of_game(&error))?;
    let forked = |into: &dyn EventLog| {
        let forked = log.wait(fork(&RealWorld, &program.hosted(), &*log.reader, game, *at, into));
        forked.map_err(|error: ForkError| of_game(&error))
    };
    // Where it cannot be done, no file is made or changed.
    forked(&MemoryLog::new())?;

    // Beside the game that is still played, the fork would tell what its players must not know: its draws and, at its end, the seed.
    if head.record.end.is_none() && into.is_none() {
        return Err(of_game(&"it is not over; a fork of it goes into another file: --into FILE"));
    }
    let path = into.as_ref().unwrap_or(file);
    let store = SqliteLog::open(path, Options::default()).map_err(|error| {
        let is_locked = matches!(error, StoreError::Locked { .. });
        let help = if is_locked { "; stop that host, or name another file with --into" } else { "" };
        format!("{error}{help}")
    })?;
    let name = forked(&store)?;
    store.close().map_err(|error| format!("{}: {error}", path.display()))?;
    out.write(format!(
        "{name} goes on after entry {at} of {game}; `holdfast host --log {}` plays it\n",
        path.display()
    ));
    Ok(true)
}
