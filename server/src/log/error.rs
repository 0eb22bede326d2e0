//! Errors of a store, and the three kinds of them.

use std::{error::Error, fmt, io, path::PathBuf, sync::Arc};

use commlib::{Reason, Refused};
use rusqlite::ErrorCode;

use crate::log::{GameKey, PostgresError, RecordError};

/// Why a store fails.
#[derive(Debug)]
pub enum StoreError {
    /// A file cannot be read or written.
    Io {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// SQLite failed.
    Sqlite {
        /// The operation that failed.
        doing: &'static str,
        /// The cause.
        source: rusqlite::Error,
    },
    /// PostgreSQL failed.
    Postgres {
        /// The operation that failed.
        doing: &'static str,
        /// The cause.
        source: PostgresError,
    },
    /// Another process writes this log.
    Locked {
        /// The file.
        path: PathBuf,
        /// The process that holds the lock.
        holder: String,
    },
    /// The file belongs to another program.
    Foreign {
        /// The file.
        path: PathBuf,
        /// The application id of the file.
        application: i32,
    },
    /// The file was written by a later version of this program.
    Newer {
        /// The file.
        path: PathBuf,
        /// The version of the file.
        found: i32,
        /// The newest version that this program supports.
        known: i32,
    },
    /// The file has no tables: nothing was ever stored in it.
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// A game with this name exists already.
    NameTaken {
        /// The name of the game.
        name: String,
    },
    /// The game already has a client with this number.
    ClientTaken {
        /// The key of the game.
        game: GameKey,
        /// The number of the client.
        client: u32,
    },
    /// The store has no such game.
    NoSuchGame {
        /// The key of the game.
        game: GameKey,
    },
    /// The game is not open for writing.
    NotOpen {
        /// The key of the game.
        game: GameKey,
    },
    /// The game is not over, so it can be neither removed nor redacted.
    NotOver {
        /// The key of the game.
        game: GameKey,
    },
    /// The caller and the store expect different sequences.
    Sequence {
        /// The key of the game.
        game: GameKey,
        /// The sequence that the store expects.
        expected: u64,
        /// The sequence that the caller gave.
        found: u64,
    },
    /// The store has another entry than the caller wrote, or lacks one that it had acknowledged.
    Diverged {
        /// The key of the game.
        game: GameKey,
        /// The number of the entry.
        sequence: u64,
    },
    /// A record does not fit the tables of the store.
    Record(RecordError),
    /// The store cannot be written now, so it takes no new game. The cause may pass.
    Unavailable(Arc<StoreError>),
    /// Another host owns the game.
    Fenced {
        /// The key of the game.
        game: GameKey,
    },
    /// The store was closed, or its thread is gone.
    Closed,
    /// A test injected this fault.
    Injected {
        /// The number of the write.
        write: u64,
    },
}

/// The kinds of store errors. They need different answers, so they are never mixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// The store is full, silent or cannot be reached. Trying again can help, and no game is damaged.
    Passing,
    /// The rows of one game are not what its writer expects. Other games are not affected.
    Game,
    /// Another host owns the game.
    Fenced,
}

impl StoreError {
    /// The kind of this error.
    pub fn fault(&self) -> Fault {
        match self {
            Self::Sqlite { source, .. } if !may_pass(source) => Fault::Game,
            Self::Postgres { source, .. } if source.concerns_rows() => Fault::Game,
            Self::Sqlite { .. }
            | Self::Postgres { .. }
            | Self::Io { .. }
            | Self::Locked { .. }
            | Self::Foreign { .. }
            | Self::Newer { .. }
            | Self::Empty { .. }
            | Self::Unavailable(_)
            | Self::Closed => Fault::Passing,
            Self::NameTaken { .. }
            | Self::ClientTaken { .. }
            | Self::NoSuchGame { .. }
            | Self::NotOpen { .. }
            | Self::NotOver { .. }
            | Self::Sequence { .. }
            | Self::Diverged { .. }
            | Self::Record(_)
            | Self::Injected { .. } => Fault::Game,
            Self::Fenced { .. } => Fault::Fenced,
        }
    }

    pub(crate) fn sqlite(doing: &'static str) -> impl FnOnce(rusqlite::Error) -> Self {
        move |source| Self::Sqlite { doing, source }
    }
}

/// The refusal for clients. The words of the error are for the operator.
impl From<&StoreError> for Refused {
    fn from(error: &StoreError) -> Self {
        match error.fault() {
            Fault::Passing => {
                Self::new(Reason::StoreUnavailable, "The log cannot be written or read now; try again later.")
            }
            Fault::Game => Self::new(Reason::StoreFailed, "The log takes no more of this game."),
            Fault::Fenced => Self::new(Reason::ShuttingDown, "Another server continues this game; resume."),
        }
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
            Self::Postgres { doing, source } => write!(f, "{doing}: {source}"),
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
            Self::NotOver { game } => write!(f, "game {game} is not over"),
            Self::Sequence { game, expected, found } => {
                write!(f, "the next entry of game {game} is {expected}, not {found}")
            }
            Self::Diverged { game, sequence } => {
                write!(f, "entry {sequence} of game {game} in the store is not the one that was written")
            }
            Self::Record(error) => error.fmt(f),
            Self::Unavailable(cause) => write!(f, "the store cannot be written now: {cause}"),
            Self::Fenced { game } => write!(f, "another host owns game {game}"),
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
            Self::Postgres { source, .. } => Some(source),
            Self::Record(error) => Some(error),
            Self::Unavailable(cause) => Some(cause),
            Self::Locked { .. }
            | Self::Foreign { .. }
            | Self::Newer { .. }
            | Self::Empty { .. }
            | Self::NameTaken { .. }
            | Self::ClientTaken { .. }
            | Self::NoSuchGame { .. }
            | Self::NotOpen { .. }
            | Self::NotOver { .. }
            | Self::Sequence { .. }
            | Self::Diverged { .. }
            | Self::Fenced { .. }
            | Self::Closed
            | Self::Injected { .. } => None,
        }
    }
}

/// Whether the same write may succeed later. Everything that SQLite reports about the disk, memory or locks may pass; what it
/// reports about the content of the file or the statement does not.
fn may_pass(error: &rusqlite::Error) -> bool {
    match error.sqlite_error_code() {
        Some(
            ErrorCode::DatabaseBusy
            | ErrorCode::DatabaseLocked
            | ErrorCode::OutOfMemory
            | ErrorCode::ReadOnly
            | ErrorCode::PermissionDenied
            | ErrorCode::SystemIoFailure
            | ErrorCode::DiskFull
            | ErrorCode::CannotOpen
            | ErrorCode::FileLockingProtocolFailed
            | ErrorCode::OperationInterrupted,
        ) => true,
        Some(_) | None => false,
    }
}
