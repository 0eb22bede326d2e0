//! The errors of colony's commands.

use std::{error::Error, fmt, io, net::SocketAddr, path::PathBuf};

use colony_rules::{SetupError, scenario::ScenarioProblem};

use crate::{STRATEGIES, remote::RemoteError};

/// An error that colony's own commands find. Errors of other crates are passed to the command line unchanged.
#[derive(Debug)]
pub(crate) enum CommandError {
    /// The scenario is faulty.
    Scenario {
        label: String,
        problems: Vec<ScenarioProblem>,
    },
    /// The scenario cannot be played in this edition.
    Setup {
        label: String,
        error: SetupError,
    },
    /// The scenario does not allow this number of players.
    Players {
        label: String,
        most: u16,
        asked: u16,
    },
    UnknownStrategy {
        name: String,
    },
    /// None of these strategies looks ahead.
    NoneThinks {
        strategies: Vec<&'static str>,
    },
    /// The number of strategies is neither one nor the number of players.
    StrategyCount {
        strategies: usize,
        players: u16,
    },
    /// The file for the figures has an unknown extension.
    ReportFormat {
        file: PathBuf,
    },
    Unwritable {
        file: PathBuf,
        error: io::Error,
    },
    /// The demo cannot create a folder for its log.
    NoFolder(io::Error),
    HttpPort {
        address: SocketAddr,
        error: io::Error,
    },
    /// The bots of the demo cannot continue.
    Demo(RemoteError),
    /// The server for one game cannot create it.
    NotCreated {
        label: String,
        message: String,
    },
    /// The log of the server for one game has several unfinished games.
    SeveralGames,
    /// The server for one game could not store it.
    NotStored {
        cause: String,
    },
    /// The game of the server for one game broke an invariant.
    Broken,
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scenario { label, problems } => {
                for (at, problem) in problems.iter().enumerate() {
                    write!(f, "{}{label}: {problem}", if at == 0 { "" } else { "\n" })?;
                }
                Ok(())
            }
            Self::Setup { label, error } => write!(f, "{label}: {error}"),
            Self::Players { label, most, asked } => write!(f, "{label} is for 1 to {most} players, not for {asked}"),
            Self::UnknownStrategy { name } => {
                let known: Vec<&str> = STRATEGIES.iter().map(|strategy| strategy.name).collect();
                write!(f, "no strategy {name}; there are {}", known.join(", "))
            }
            Self::NoneThinks { strategies } => write!(f, "{}: only planner can --think", strategies.join(", ")),
            Self::StrategyCount { strategies, players } => {
                write!(f, "{strategies} strategies for {players} players: name one for all, or one for each")
            }
            Self::ReportFormat { file } => write!(f, "{}: figures are saved as .json or .csv", file.display()),
            Self::Unwritable { file, error } => write!(f, "cannot write {}: {error}", file.display()),
            Self::NoFolder(error) => write!(f, "cannot make a folder for the log: {error}"),
            Self::HttpPort { address, error } => {
                let any = SocketAddr::new(address.ip(), 0);
                writeln!(f, "cannot listen for HTTP on {address}: {error}")?;
                write!(f, "--http chooses another address; --http {any} takes any free port")
            }
            Self::Demo(error) => write!(f, "the bots cannot play on: {error}"),
            Self::NotCreated { label, message } => write!(f, "{label}: {message}"),
            Self::SeveralGames => f.write_str("the log holds several unfinished games; serve it with `holdfast host`"),
            Self::NotStored { cause } => write!(f, "the game could not be stored: {cause}"),
            Self::Broken => f.write_str("the game broke an invariant; its log shows where"),
        }
    }
}

impl Error for CommandError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Setup { error, .. } => Some(error),
            Self::Unwritable { error, .. } | Self::NoFolder(error) | Self::HttpPort { error, .. } => Some(error),
            Self::Demo(error) => Some(error),
            Self::Scenario { .. }
            | Self::Players { .. }
            | Self::UnknownStrategy { .. }
            | Self::NoneThinks { .. }
            | Self::StrategyCount { .. }
            | Self::ReportFormat { .. }
            | Self::NotCreated { .. }
            | Self::SeveralGames
            | Self::NotStored { .. }
            | Self::Broken => None,
        }
    }
}
