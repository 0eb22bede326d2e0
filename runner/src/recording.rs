//! Reads games of a log file, to turn them into scripts.

use std::{
    fmt,
    fs::File,
    io::{self, Read as _},
    path::{Path, PathBuf},
};

use script::{Games, NoScripts, RecordedGame, RecordingError, ScriptedGame, SourceError};
use server::log::{GameRecord, LogReader, StoreError, open_reader};

/// Why a game of a log file cannot be recorded.
#[derive(Debug)]
pub enum LogError {
    /// The file cannot be read.
    Source(SourceError),
    /// The runtime for reading the log does not start.
    Runtime(io::Error),
    /// The file is not a log of a host.
    NotALog(PathBuf),
    /// Reading the log failed.
    Store(PathBuf, StoreError),
    /// The log has no games.
    Empty(PathBuf),
    /// The log has several games, and the caller named none of them.
    NotNamed(PathBuf, GameList),
    /// The log has no game with this name.
    UnknownGame(PathBuf, String, GameList),
    /// The game's rulebook has no scripts.
    NoScripts(PathBuf, String, NoScripts),
    /// The game differs from the rules.
    Recording(PathBuf, String, RecordingError),
}

/// The games of a log, to choose from.
#[derive(Debug)]
pub struct GameList(Vec<GameRecord>);

impl fmt::Display for GameList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MOST: usize = 20;
        let Self(games) = self;
        let shown: Vec<String> =
            games.iter().take(MOST).map(|game| format!("{} ({} entries)", game.name, game.tail.entries)).collect();
        let more = if games.len() > MOST { format!(" and {} more", games.len() - MOST) } else { String::new() };
        write!(f, "there are {}{more}", shown.join(", "))
    }
}

impl fmt::Display for LogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Source(error) => error.fmt(f),
            Self::Runtime(error) => error.fmt(f),
            Self::NotALog(file) => {
                let help = "this is not a log of a host; `holdfast host --log games.log` writes one";
                write!(f, "{}: {help}", file.display())
            }
            Self::Store(file, error) => write!(f, "{}: {error}", file.display()),
            Self::Empty(file) => write!(f, "{}: the log has no games", file.display()),
            Self::NotNamed(file, games) => {
                write!(f, "{}: name one of the games with --game; {games}", file.display())
            }
            Self::UnknownGame(file, name, games) => write!(f, "{}: there is no game {name}; {games}", file.display()),
            Self::NoScripts(file, name, error) => write!(f, "{}: game {name}: {error}", file.display()),
            Self::Recording(file, name, error) => write!(f, "{}: game {name}: {error}", file.display()),
        }
    }
}

impl std::error::Error for LogError {}

/// Reads a game from a log file; without a name, the log must have only one game. Also returns the rules of the game.
///
/// # Errors
/// If the file is not a log or has no such game, or if the game differs from the rules.
pub fn read(
    file: &Path,
    game: Option<&str>,
    games: &Games,
) -> Result<(&'static dyn ScriptedGame, Box<dyn RecordedGame>), LogError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.map_err(LogError::Runtime)?.block_on(read_game(file, game, games))
}

async fn read_game(
    file: &Path,
    game: Option<&str>,
    games: &Games,
) -> Result<(&'static dyn ScriptedGame, Box<dyn RecordedGame>), LogError> {
    let failed = |error| LogError::Store(file.to_owned(), error);
    if !is_log(file).map_err(|error| LogError::Source(SourceError::new(file, error)))? {
        return Err(LogError::NotALog(file.to_owned()));
    }
    let log = open_reader(file).await.map_err(failed)?;
    let name = match game {
        Some(name) => name.to_owned(),
        None => only_game(file, &*log).await?,
    };
    let Some(head) = log.find(&name).await.map_err(failed)? else {
        let games = GameList(log.list().await.map_err(failed)?);
        return Err(LogError::UnknownGame(file.to_owned(), name, games));
    };
    let rules = games
        .find(Some(&head.record.about.rulebook))
        .map_err(|error| LogError::NoScripts(file.to_owned(), name.clone(), error))?;
    let rows = log.rows(head.record.key, 1).await.map_err(failed)?;
    let recorded = rules.record(&head.header, &mut rows.iter().map(|row| &*row.bytes));
    Ok((rules, recorded.map_err(|error| LogError::Recording(file.to_owned(), name, error))?))
}

/// Whether the file can be a log. A log is an SQLite database.
fn is_log(file: &Path) -> io::Result<bool> {
    const FIRST: &[u8] = b"SQLite format 3\0";
    let mut start = Vec::new();
    File::open(file)?.take(FIRST.len() as u64).read_to_end(&mut start)?;
    Ok(start == FIRST)
}

async fn only_game(file: &Path, log: &dyn LogReader) -> Result<String, LogError> {
    let games = log.list().await.map_err(|error| LogError::Store(file.to_owned(), error))?;
    match games.as_slice() {
        [only] => Ok(only.name.clone()),
        [] => Err(LogError::Empty(file.to_owned())),
        [_, _, ..] => Err(LogError::NotNamed(file.to_owned(), GameList(games))),
    }
}
