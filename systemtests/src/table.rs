//! A game as a script sees it, wherever it is played.

use std::fmt;

use script::ReceivedEvent;

use crate::play::{Play, Sent};

/// Where scripts are played.
pub trait Target: Sync {
    /// Opens a game for one run of a script.
    fn open<'a>(&'a self, play: &'a Play<'_>) -> Result<Box<dyn Table + 'a>, Failure>;

    /// Checks that there is no game to be had with the script's scenario.
    fn refuses(&self, play: &Play<'_>, code: Option<i32>, message: &str) -> Result<(), Failure>;
}

/// Plays one game for the clients of a script.
pub trait Table {
    /// Sends a command. When it returns, everything that it makes the server say is there.
    fn send(&mut self, client: u32, sent: &Sent<'_>) -> Result<(), Failure>;

    /// Lets the awaited player's time run out. When it returns, everything that this makes the server say is there.
    fn wait_for_deadline(&mut self) -> Result<(), Failure>;

    /// The next event that the client has not looked at.
    fn next(&mut self, client: u32) -> Result<Option<ReceivedEvent>, Failure>;

    /// After the last step: whether the game is over.
    fn ended(&mut self) -> Result<(), Failure>;
}

/// How a script came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    Ok,
    /// Something else happened than the script says.
    Fail,
    /// The server crashed, or did not start.
    ServerFail,
    /// The server did not answer in time.
    TimeOut,
    /// The server sent what the protocol does not have.
    ProtocolError,
}

/// Why a script is not played to its end, in words for its author.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    pub outcome: Outcome,
    pub message: String,
}

impl Failure {
    pub fn new(outcome: Outcome, message: impl Into<String>) -> Self {
        Self { outcome, message: message.into() }
    }
}

impl Outcome {
    pub const ALL: [Self; 5] = [Self::Ok, Self::Fail, Self::ServerFail, Self::TimeOut, Self::ProtocolError];

    pub fn name(self) -> &'static str {
        match self {
            Self::Ok => "OK",
            Self::Fail => "FAIL",
            Self::ServerFail => "SERVER_FAIL",
            Self::TimeOut => "TIME_OUT",
            Self::ProtocolError => "PROTOCOL_ERROR",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
