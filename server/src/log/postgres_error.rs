//! What goes wrong with a PostgreSQL server, with the facts of it.

use std::{error::Error, fmt, path::PathBuf, time::Duration};

/// Why a PostgreSQL server did not do what it was asked to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PostgresError {
    /// The server refused a statement.
    Refused {
        /// The SQLSTATE.
        code: String,
        /// The words of the server.
        message: String,
    },
    /// The connection could not be made, or was lost.
    Connection {
        /// The cause.
        message: String,
    },
    /// The server did not answer in time. It may still do what it was asked to.
    Silent {
        /// How long it had.
        after: Duration,
    },
    /// A later connection of this host took the place of this one.
    Superseded,
    /// An answer does not have the expected form.
    Unreadable {
        /// The cause.
        message: String,
    },
    /// The address of the store cannot be used.
    Address(AddressError),
}

/// Why the address of a store cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AddressError {
    /// It is not an address of a PostgreSQL server.
    Malformed {
        /// What is wrong with it.
        message: String,
    },
    /// The mode of encryption is not one that this program knows.
    SslMode {
        /// The mode.
        mode: String,
    },
    /// The certificates of the authorities cannot be read.
    Certificates {
        /// The file, if one was named.
        path: Option<PathBuf>,
        /// The cause.
        message: String,
    },
    /// The file with the password cannot be read.
    PasswordFile {
        /// The file.
        path: PathBuf,
        /// The cause.
        message: String,
    },
    /// This program was built without PostgreSQL.
    NotBuilt,
}

impl PostgresError {
    /// Whether only the rows of this statement are wrong. Everything else may pass: a server that starts, stops, is full, or
    /// lacks a right damages no game.
    pub(super) fn concerns_rows(&self) -> bool {
        // Cardinality, data, integrity constraints, limits of the program.
        matches!(self, Self::Refused { code, .. } if ["21", "22", "23", "54"].iter().any(|class| code.starts_with(class)))
    }
}

impl fmt::Display for PostgresError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused { code, message } => write!(f, "{message} ({code})"),
            Self::Connection { message } | Self::Unreadable { message } => f.write_str(message),
            Self::Silent { after } => write!(f, "the server does not answer within {} ms", after.as_millis()),
            Self::Superseded => f.write_str("a later connection of this host took the place of this one"),
            Self::Address(error) => error.fmt(f),
        }
    }
}

impl fmt::Display for AddressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed { message } => f.write_str(message),
            Self::SslMode { mode } => write!(f, "sslmode {mode} is none of disable, require and verify-full"),
            Self::Certificates { path: Some(path), message } => {
                write!(f, "the certificates in {} cannot be read: {message}", path.display())
            }
            Self::Certificates { path: None, message } => {
                write!(f, "the certificates of this system cannot be read: {message}; `sslrootcert=FILE` names others")
            }
            Self::PasswordFile { path, message } => write!(f, "the password file {}: {message}", path.display()),
            Self::NotBuilt => f.write_str("this program was built without PostgreSQL (feature `postgres`)"),
        }
    }
}

impl Error for PostgresError {}

impl Error for AddressError {}
