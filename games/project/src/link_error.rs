//! Errors of a connection to the Communication Server.

use std::{fmt, io, time::Duration};

/// Why a connection to the Communication Server fails or ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkError {
    /// The operating system reports an error.
    Io(io::ErrorKind),
    /// The server closed the connection.
    Closed,
    /// The connection broke while a document was sent.
    Broken,
    /// The server sent nothing for this long.
    Silent(Duration),
    /// The server does not read.
    NotReading,
    /// The server does not answer the request to join.
    NoAnswer,
    /// The server or the Game Master refuses the request to join.
    Refused {
        /// The reason, for people.
        description: String,
    },
    /// The configuration allows no attempts.
    NoAttempts,
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(kind) => kind.fmt(f),
            Self::Closed => f.write_str("the server closed the connection"),
            Self::Broken => f.write_str("the connection is broken"),
            Self::Silent(time) => write!(f, "the server sent nothing for {} s", time.as_secs_f32()),
            Self::NotReading => f.write_str("the server does not read"),
            Self::NoAnswer => f.write_str("the server does not answer"),
            Self::Refused { description } => write!(f, "refused: {description}"),
            Self::NoAttempts => f.write_str("the configuration allows no attempt"),
        }
    }
}

impl std::error::Error for LinkError {}

impl From<io::Error> for LinkError {
    fn from(error: io::Error) -> Self {
        Self::Io(error.kind())
    }
}
