//! Errors of a host.

use std::{error::Error, fmt};

use crate::{accounts::AccountError, cluster::MembershipError, log::StoreError};

/// Why the unfinished game of a log is not the requested one.
#[derive(Debug)]
pub enum OtherGame {
    /// The log cannot be read.
    Store(StoreError),
    /// The log has no unfinished game.
    None,
    /// The game has another seed.
    Seed {
        /// The name of the game.
        game: String,
        /// Its seed.
        seed: i64,
    },
    /// The game has another scenario.
    Scenario {
        /// The name of the game.
        game: String,
    },
    /// The game has another edition.
    Edition {
        /// The name of the game.
        game: String,
        /// Its edition.
        edition: String,
    },
}

impl fmt::Display for OtherGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let holds = "the log holds the unfinished game";
        match self {
            Self::Store(error) => error.fmt(f),
            Self::None => f.write_str("the log has no unfinished game"),
            Self::Seed { game, seed } => write!(f, "{holds} {game} with seed {seed}"),
            Self::Scenario { game } => write!(f, "{holds} {game} of another scenario"),
            Self::Edition { game, edition } => write!(f, "{holds} {game} in the {edition} edition"),
        }
    }
}

impl Error for OtherGame {}

impl From<StoreError> for OtherGame {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// Why a host cannot be opened or closed.
#[derive(Debug)]
pub enum HostError {
    /// The log cannot be read or written.
    Store(StoreError),
    /// Closing the log panicked.
    Unfinished,
    /// This host cannot be one of several.
    Membership(MembershipError),
    /// The names of accounts and the bans cannot be read.
    Accounts(AccountError),
}

impl fmt::Display for HostError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Store(error) => error.fmt(f),
            Self::Membership(error) => error.fmt(f),
            Self::Accounts(error) => error.fmt(f),
            Self::Unfinished => f.write_str("the log was not closed; please report it"),
        }
    }
}

impl Error for HostError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Store(error) => Some(error),
            Self::Membership(error) => Some(error),
            Self::Accounts(error) => Some(error),
            Self::Unfinished => None,
        }
    }
}
