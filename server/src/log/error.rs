//! Faults of a store.

use std::{error::Error, fmt, io, path::PathBuf};

use crate::log::{GameKey, RecordError};

/// Why a store cannot do what it was asked.
#[derive(Debug)]
pub enum StoreError {
    Io {
        path: PathBuf,
        source: io::Error,
    },
    /// SQLite says no, with what was tried.
    Sqlite {
        doing: &'static str,
        source: rusqlite::Error,
    },
    /// Somebody else writes this log.
    Locked {
        path: PathBuf,
        holder: String,
    },
    /// A file of another program.
    Foreign {
        path: PathBuf,
        application: i32,
    },
    /// A file of a later version of this program.
    Newer {
        path: PathBuf,
        found: i32,
        known: i32,
    },
    /// A file without tables: nothing was ever stored in it.
    Empty {
        path: PathBuf,
    },
    NameTaken {
        name: String,
    },
    ClientTaken {
        game: GameKey,
        client: u32,
    },
    NoSuchGame {
        game: GameKey,
    },
    NotOpen {
        game: GameKey,
    },
    /// The writer is not where the store is.
    Sequence {
        game: GameKey,
        expected: u64,
        found: u64,
    },
    /// A record does not fit the tables of the store.
    Record(RecordError),
    /// The store was closed, or its thread is gone.
    Closed,
    /// A test asked for it.
    Injected {
        write: u64,
    },
}

impl StoreError {
    pub(super) fn sqlite(doing: &'static str) -> impl FnOnce(rusqlite::Error) -> Self {
        move |source| Self::Sqlite { doing, source }
    }
}

impl From<RecordError> for StoreError {
    fn from(error: RecordError) -> Self {
        Self::Record(error)
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { path, source } => write!(f, "{}: {source}", path.display()),
            Self::Sqlite { doing, source } => write!(f, "{doing}: {source}"),
            Self::Locked { path, holder } => write!(f, "{} is being written by {holder}", path.display()),
            Self::Foreign { path, application } => {
                write!(f, "{} is no log: its application id is {application:#x}", path.display())
            }
            Self::Newer { path, found, known } => write!(
                f,
                "{} has version {found} of the schema; this program knows the versions up to {known}",
                path.display()
            ),
            Self::Empty { path } => write!(f, "{} is empty: nothing was stored in it", path.display()),
            Self::NameTaken { name } => write!(f, "there is a game {name} already"),
            Self::ClientTaken { game, client } => write!(f, "game {game} has a client {client} already"),
            Self::NoSuchGame { game } => write!(f, "there is no game {game}"),
            Self::NotOpen { game } => write!(f, "game {game} is not open for writing"),
            Self::Sequence { game, expected, found } => {
                write!(f, "the next entry of game {game} is {expected}, not {found}")
            }
            Self::Record(error) => error.fmt(f),
            Self::Closed => f.write_str("the store is closed"),
            Self::Injected { write } => write!(f, "write {write} fails because a test wants it to"),
        }
    }
}

impl Error for StoreError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source),
            Self::Sqlite { source, .. } => Some(source),
            Self::Record(error) => Some(error),
            Self::Locked { .. }
            | Self::Foreign { .. }
            | Self::Newer { .. }
            | Self::Empty { .. }
            | Self::NameTaken { .. }
            | Self::ClientTaken { .. }
            | Self::NoSuchGame { .. }
            | Self::NotOpen { .. }
            | Self::Sequence { .. }
            | Self::Closed
            | Self::Injected { .. } => None,
        }
    }
}
