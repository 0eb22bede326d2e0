//! Errors of the programs.

use std::{fmt, io, net::SocketAddr, path::PathBuf};

use project_rules::SetupError;

use crate::{ConfigurationError, LinkError, MasterError, players::network::Failure};

/// Why a program fails, besides the errors of the library.
#[derive(Debug)]
pub(super) enum ProgramError {
    /// The name is neither a built-in configuration nor a readable file.
    Read { name: String, cause: io::Error },
    /// The configuration of a player cannot be read.
    ReadPlayer { file: PathBuf, cause: io::Error },
    /// A configuration in XML has problems.
    Xml { name: String, error: ConfigurationError },
    /// A configuration in JSON has problems.
    Json { name: String, error: SetupError },
    /// The configuration has no server address.
    NoServer,
    /// The port cannot be opened.
    Listen { address: SocketAddr, cause: io::Error },
    /// Several players cannot write the same trace.
    SharedTrace { count: u16 },
    /// The operating system provides no random numbers.
    NoRandomness(io::Error),
    /// The Communication Server has lost its Game Master.
    MasterLost,
    /// The game ended with a failure.
    GameFailed(String),
    /// Nothing listens at the address of the Communication Server.
    NoCommunicationServer { server: SocketAddr, attempts: u32 },
}

impl fmt::Display for ProgramError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read { name, cause } => {
                write!(f, "cannot read {name}: {cause}; built-in configurations: {}", super::config::names())
            }
            Self::ReadPlayer { file, cause } => write!(f, "cannot read {}: {cause}", file.display()),
            Self::Xml { name, error } => prefix_lines(f, name, &error.to_string()),
            Self::Json { name, error } => prefix_lines(f, name, &error.to_string()),
            Self::NoServer => f.write_str("the configuration has no server address"),
            Self::Listen { address, cause } => write!(f, "cannot listen on {address}: {cause}"),
            Self::SharedTrace { count } => write!(f, "{count} players cannot write one --trace-file; only off works"),
            Self::NoRandomness(cause) => write!(f, "the operating system has no random numbers: {cause}"),
            Self::MasterLost => f.write_str("the Game Master was lost and did not come back"),
            Self::GameFailed(outcome) => f.write_str(outcome),
            Self::NoCommunicationServer { server, attempts } => {
                let port = server.port();
                write!(f, "nothing listens on {server} ({attempts} attempts); start a Communication Server with ")?;
                write!(f, "`holdfast project cs --listen {port}`, or with a Game Master: `holdfast project serve`")
            }
        }
    }
}

impl std::error::Error for ProgramError {}

/// If no server listens at the address, returns an error that explains how to start one.
pub(super) fn explain_unreachable(server: SocketAddr, attempts: u32, last: &LinkError) -> Option<ProgramError> {
    let is_refused = *last == LinkError::Io(io::ErrorKind::ConnectionRefused);
    is_refused.then_some(ProgramError::NoCommunicationServer { server, attempts })
}

/// The message for an error of a Game Master.
pub(super) fn explain_master(error: MasterError) -> cli::Failure {
    let explained = match &error {
        MasterError::Unreachable { server, attempts, last } => explain_unreachable(*server, *attempts, last),
        MasterError::SeveralGames
        | MasterError::OtherConfiguration { .. }
        | MasterError::OtherSeed { .. }
        | MasterError::NotInLog
        | MasterError::Refused(_)
        | MasterError::Log(_)
        | MasterError::GameFailed => None,
    };
    explained.map_or_else(|| error.into(), Into::into)
}

/// The message for an error of a player.
pub(super) fn explain_player(failure: Failure) -> cli::Failure {
    let explained = match &failure {
        Failure::Unreachable { server, attempts, last } => explain_unreachable(*server, *attempts, last),
        Failure::Refused(_) | Failure::Trace(_) => None,
    };
    explained.map_or_else(|| failure.into(), Into::into)
}

fn prefix_lines(f: &mut fmt::Formatter<'_>, name: &str, lines: &str) -> fmt::Result {
    for (number, line) in lines.lines().enumerate() {
        let end = if number == 0 { "" } else { "\n" };
        write!(f, "{end}{name}: {line}")?;
    }
    Ok(())
}
