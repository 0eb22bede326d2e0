//! Errors of a Game Master.

use std::{fmt, net::SocketAddr, sync::Arc};

use commlib::Refused;
use server::log::StoreError;

use crate::LinkError;

/// Why a Game Master cannot start, or cannot continue.
#[derive(Debug)]
pub enum MasterError {
    /// The log holds several unfinished games.
    SeveralGames,
    /// The unfinished game of the log has another configuration.
    OtherConfiguration {
        /// The name of the game.
        game: Arc<str>,
    },
    /// The unfinished game of the log has another seed.
    OtherSeed {
        /// The name of the game.
        game: Arc<str>,
    },
    /// The log does not hold the game.
    NotInLog,
    /// The host refuses to create the game, or the game has ended.
    Refused(Refused),
    /// The log cannot be read.
    Log(StoreError),
    /// The Communication Server cannot be reached.
    Unreachable {
        /// The address of the server.
        server: SocketAddr,
        /// The number of attempts to connect.
        attempts: u32,
        /// Why the last attempt failed.
        last: LinkError,
    },
    /// The log or the rules of the running game failed.
    GameFailed,
}

impl fmt::Display for MasterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SeveralGames => f.write_str("the log holds several unfinished games"),
            Self::OtherConfiguration { game } => {
                write!(f, "the log holds the unfinished game {game} with another configuration")
            }
            Self::OtherSeed { game } => write!(f, "the log holds the unfinished game {game} with another seed"),
            Self::NotInLog => f.write_str("the game is not in the log"),
            Self::Refused(refused) => f.write_str(&refused.message),
            Self::Log(error) => error.fmt(f),
            Self::Unreachable { server, attempts, last } => {
                write!(f, "cannot reach the Communication Server at {server} in {attempts} attempts: {last}")
            }
            Self::GameFailed => f.write_str("the game cannot go on: its log failed, or its rules did"),
        }
    }
}

impl std::error::Error for MasterError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Log(error) => Some(error),
            Self::Unreachable { last, .. } => Some(last),
            Self::SeveralGames
            | Self::OtherConfiguration { .. }
            | Self::OtherSeed { .. }
            | Self::NotInLog
            | Self::Refused(_)
            | Self::GameFailed => None,
        }
    }
}

impl From<Refused> for MasterError {
    fn from(refused: Refused) -> Self {
        Self::Refused(refused)
    }
}

impl From<StoreError> for MasterError {
    fn from(error: StoreError) -> Self {
        Self::Log(error)
    }
}
