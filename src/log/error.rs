//! The errors of the tasks of `holdfast log`, and their messages.

use std::{
    error::Error,
    fmt, io,
    path::{Path, PathBuf},
};

use cli::{
    Failure,
    serving::{LogFileError, names_its_file},
};
use server::{
    ForkError,
    log::{CopyError, HeadsError, StoreError},
};

/// An error of a task.
#[derive(Debug)]
pub(crate) enum LogError {
    NoFile {
        path: PathBuf,
    },
    Empty {
        path: PathBuf,
    },
    NotALog {
        path: PathBuf,
    },
    Folder {
        path: PathBuf,
    },
    /// The task is for files, and the store is a database.
    NotAFile {
        path: PathBuf,
    },
    Io {
        path: PathBuf,
        cause: io::Error,
    },
    Store(LogFileError),
    NoGames {
        path: PathBuf,
    },
    /// The file has several games, and the command line names none.
    Unnamed {
        path: PathBuf,
        games: Vec<String>,
    },
    NoSuchGame {
        path: PathBuf,
        game: String,
        suggestion: String,
    },
    Game {
        path: PathBuf,
        game: String,
        error: Box<GameError>,
    },
    /// The export would overwrite the log.
    OntoItself {
        path: PathBuf,
    },
    /// The file of kept heads cannot be read.
    Heads {
        path: PathBuf,
        error: HeadsError,
    },
    /// A host writes the file into which the game should be forked.
    Locked(LogFileError),
    /// A host writes the file that should be changed.
    Live(LogFileError),
    /// The command line does not confirm what is to be changed.
    Unconfirmed {
        what: String,
    },
    Thread(io::Error),
}

/// An error of one game.
#[derive(Debug)]
pub(crate) enum GameError {
    NoRulebook {
        rulebook: String,
        here: Vec<&'static str>,
    },
    OtherRules {
        rulebook: String,
        version: u32,
        here: Vec<u32>,
    },
    Store(StoreError),
    /// The rules cannot read the entries.
    Unreadable(Failure),
    /// The rules panicked on the entries.
    Panicked {
        message: String,
    },
    /// The rules give a different result than the log.
    Difference(String),
    OtherEnd {
        log: String,
        rules: Option<String>,
    },
    NoEntries,
    NoSuchEntries {
        from: u64,
        to: u64,
        entries: u64,
    },
    NoScripts {
        rulebook: String,
    },
    /// A page is for other people, and would reveal secrets of a running game.
    NoPage,
    /// A fork would reveal secrets of a running game.
    NotOver,
    /// Only finished games are removed or redacted.
    StillRunning,
    Fork(ForkError),
    Copy(CopyError),
}

impl LogError {
    /// An error of the file system.
    pub(super) fn io(path: &Path, cause: io::Error) -> Self {
        let path = path.into();
        if cause.kind() == io::ErrorKind::NotFound {
            Self::NoFile { path }
        } else if cause.kind() == io::ErrorKind::IsADirectory {
            Self::Folder { path }
        } else {
            Self::Io { path, cause }
        }
    }
}

impl fmt::Display for LogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoFile { path } => write!(f, "there is no file {}", path.display()),
            Self::Empty { path } => write!(f, "{} is empty: nothing was stored in it", path.display()),
            Self::NotALog { path } => {
                write!(f, "{} is not a log; `holdfast host --log games.log` writes one", path.display())
            }
            Self::Folder { path } => write!(f, "{} is a folder, not a file", path.display()),
            Self::NotAFile { path } => {
                write!(f, "{} is a database; PostgreSQL has its own backups (pg_basebackup, pg_dump)", path.display())
            }
            Self::Io { path, cause } => write!(f, "{}: {cause}", path.display()),
            Self::Store(error) => error.fmt(f),
            Self::NoGames { path } => write!(f, "{}: there are no games in it", path.display()),
            Self::Unnamed { path, games } => {
                let (path, count, names) = (path.display(), games.len(), first_few(games));
                write!(f, "{path}: name one of its {count} games: {names} (`holdfast log list {path}` shows them)")
            }
            Self::NoSuchGame { path, game, suggestion } => {
                write!(f, "{}: there is no game {game}; {suggestion}", path.display())
            }
            Self::Game { game, error, .. } if error.names_its_file() => write!(f, "game {game}: {error}"),
            Self::Game { path, game, error } => write!(f, "{}: game {game}: {error}", path.display()),
            Self::OntoItself { path } => write!(f, "{} is the log itself; name another file", path.display()),
            Self::Heads { path, error } => write!(f, "{}: {error}", path.display()),
            Self::Locked(error) => write!(f, "{error}; stop that host, or name another file with --into"),
            Self::Live(error) => write!(
                f,
                "{error}; stop that host, or ask it (host --keep, and the API: DELETE /api/v1/games/GAME, POST ../archive, ../redact)"
            ),
            Self::Unconfirmed { what } => write!(f, "this would {what}; say --yes to do it, or --dry-run to see more"),
            Self::Thread(cause) => write!(f, "cannot start a thread: {cause}"),
        }
    }
}

impl Error for LogError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Io { cause, .. } | Self::Thread(cause) => Some(cause),
            Self::Store(error) | Self::Locked(error) | Self::Live(error) => Some(error),
            Self::Heads { error, .. } => Some(error),
            Self::Game { error, .. } => Some(&**error),
            Self::NoFile { .. }
            | Self::Empty { .. }
            | Self::NotALog { .. }
            | Self::Folder { .. }
            | Self::NotAFile { .. }
            | Self::NoGames { .. }
            | Self::Unnamed { .. }
            | Self::NoSuchGame { .. }
            | Self::Unconfirmed { .. }
            | Self::OntoItself { .. } => None,
        }
    }
}

impl From<LogFileError> for LogError {
    fn from(error: LogFileError) -> Self {
        Self::Store(error)
    }
}

impl GameError {
    fn names_its_file(&self) -> bool {
        matches!(self, Self::Store(error) if names_its_file(error))
    }
}

impl fmt::Display for GameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoRulebook { rulebook, here } => {
                write!(f, "its rulebook {rulebook} is not in this program, which has {}", here.join(", "))
            }
            Self::OtherRules { rulebook, version, here } => {
                let is = if here.len() == 1 { "is" } else { "are" };
                let here: Vec<String> = here.iter().map(ToString::to_string).collect();
                let here = here.join(", ");
                write!(f, "it was played with version {version} of the rules of {rulebook}; here {is} {here}")
            }
            Self::Store(error) => error.fmt(f),
            Self::Unreadable(error) => error.fmt(f),
            Self::Panicked { message } => write!(
                f,
                "its entries do not fit together ({message}); `holdfast log verify` says whether they were changed"
            ),
            Self::Difference(difference) => f.write_str(difference),
            Self::OtherEnd { log, rules } => {
                let rules = rules.as_deref().unwrap_or("no end yet");
                write!(f, "another end when folded again; the log has: {log}; the rules give: {rules}")
            }
            Self::NoEntries => f.write_str("it has no entries yet"),
            Self::NoSuchEntries { from, to, entries } => {
                write!(f, "from entry {from} to {to}: it has the entries 1 to {entries}")
            }
            Self::NoScripts { rulebook } => write!(f, "the rulebook {rulebook} has no scripts"),
            Self::NoPage => {
                f.write_str("it is not over; a page of a game is for other people, and would show its secrets")
            }
            Self::NotOver => f.write_str("it is not over; a fork of it goes into another file: --into FILE"),
            Self::StillRunning => f.write_str("it is not over; only finished games are removed or redacted"),
            Self::Fork(error) => error.fmt(f),
            Self::Copy(error) => error.fmt(f),
        }
    }
}

impl Error for GameError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Store(error) => Some(error),
            Self::Unreadable(error) => Some(&**error),
            Self::Fork(error) => Some(error),
            Self::Copy(error) => Some(error),
            Self::NoRulebook { .. }
            | Self::OtherRules { .. }
            | Self::Panicked { .. }
            | Self::Difference(_)
            | Self::OtherEnd { .. }
            | Self::NoEntries
            | Self::NoSuchEntries { .. }
            | Self::NoScripts { .. }
            | Self::NoPage
            | Self::NotOver
            | Self::StillRunning => None,
        }
    }
}

/// The first few of many names.
pub(super) fn first_few(names: &[String]) -> String {
    const MOST: usize = 8;
    let more = names.len().saturating_sub(MOST);
    let first = names[..names.len() - more].join(", ");
    if more == 0 { first } else { format!("{first} and {more} more") }
}
