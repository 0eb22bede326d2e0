//! The interface of a game's own wire: how a runner plays a script against a server that does not speak the common protocol.

use std::{error::Error, fmt, io, net::SocketAddr, path::Path, time::Duration};

use serde_json::Value;

use crate::{step::Call, wanted::GameError};

/// The wire of a game's own protocol. The game implements it; this crate opens no connection.
pub trait Wire: Sync {
    /// Opens a game on a server for the clients of a script.
    ///
    /// # Errors
    ///
    /// [`WireError::Away`] while nothing listens there. The runner then tries again for a while.
    fn open(&self, wanted: &WantedGame<'_>) -> Result<Box<dyn WireGame>, WireError>;

    /// Runs the game's own server by the rules in this process, until the process or the game ends.
    ///
    /// # Errors
    ///
    /// The server cannot be started.
    fn serve(&self, served: &ServedGame<'_>) -> Result<(), GameError>;
}

/// The game that a server of a script plays.
#[derive(Clone, Copy, Debug)]
pub struct ServedGame<'s> {
    /// The port on this machine.
    pub port: u16,
    /// The file with the scenario.
    pub config: &'s Path,
    /// The seed.
    pub seed: i64,
}

/// The game that a script requests of a server.
#[derive(Clone, Copy, Debug)]
pub struct WantedGame<'s> {
    /// The address of the server.
    pub address: SocketAddr,
    /// How long the server may take for an answer.
    pub patience: Duration,
    /// The text of the scenario.
    pub scenario: &'s str,
    /// The clients of the script.
    pub clients: &'s [u32],
}

/// A game on a server, with the clients of a script.
pub trait WireGame {
    /// Sends a request of a client. When the call returns, the server has answered it, if the protocol has an answer.
    ///
    /// # Errors
    ///
    /// The server fails, or the call is not a request of the protocol.
    fn send(&mut self, client: u32, call: &Call) -> Result<(), WireError>;

    /// Waits until the server has told the clients something, at most so long.
    ///
    /// # Errors
    ///
    /// The server fails.
    fn wait(&mut self, longest: Duration) -> Result<(), WireError>;

    /// The next message that the client has received, as an event of the script: `["Okay"]`.
    ///
    /// # Errors
    ///
    /// The server fails.
    fn next(&mut self, client: u32) -> Result<Option<Value>, WireError>;

    /// Whether the game is over, as far as its clients can find out.
    ///
    /// # Errors
    ///
    /// The server fails.
    fn is_over(&mut self) -> Result<bool, WireError>;
}

/// Why a script cannot go on against a server.
#[derive(Debug)]
pub enum WireError {
    /// Nothing listens on the port, or the server has closed the connection.
    Away(io::Error),
    /// The server does not answer in time.
    Late(String),
    /// The server sent something that is not part of the protocol.
    Protocol(String),
    /// The script asks for something that this wire cannot send.
    Unsendable(String),
}

impl fmt::Display for WireError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Away(cause) => write!(f, "no connection to the server: {cause}"),
            Self::Late(what) => write!(f, "the server hangs: a client has waited too long for {what}"),
            Self::Protocol(what) => f.write_str(what),
            Self::Unsendable(what) => write!(f, "this cannot be sent: {what}"),
        }
    }
}

impl Error for WireError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Away(cause) => Some(cause),
            Self::Late(_) | Self::Protocol(_) | Self::Unsendable(_) => None,
        }
    }
}
