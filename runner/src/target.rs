//! The place where scripts are played, and the interface of a game there.

use std::fmt;

use script::ReceivedEvent;

use crate::play::{Play, Sent};

/// A place where scripts are played: this process, or a server.
pub trait Target: Sync {
    /// Opens a game for one run of a script.
    ///
    /// # Errors
    /// If the target does not start the game.
    fn open<'a>(&'a self, play: &'a Play<'_>) -> Result<Box<dyn GameUnderTest + 'a>, Failure>;

    /// Checks that the target refuses the script's scenario, with this exit code and a message that contains `message`.
    ///
    /// # Errors
    /// If the target does not refuse it in this way.
    fn refuses(&self, play: &Play<'_>, code: Option<i32>, message: &str) -> Result<(), Failure>;
}

/// One game, with the clients of a script.
pub trait GameUnderTest {
    /// Sends a command. When the call returns, all events that the command causes are in the clients' queues.
    ///
    /// # Errors
    /// If the target fails, or does not accept the command.
    fn send(&mut self, client: u32, sent: &Sent<'_>) -> Result<(), Failure>;

    /// Waits until the time of the player whose move it is runs out. When the call returns, all resulting events are in the
    /// clients' queues.
    ///
    /// # Errors
    /// If the target fails.
    fn wait_for_deadline(&mut self) -> Result<(), Failure>;

    /// Takes the next event from the client's queue.
    ///
    /// # Errors
    /// If the target fails.
    fn next(&mut self, client: u32) -> Result<Option<ReceivedEvent>, Failure>;

    /// Checks, after the last step, that the game is over.
    ///
    /// # Errors
    /// If the game is not over, or the target fails.
    fn ended(&mut self) -> Result<(), Failure>;
}

/// The outcome of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// The target behaved as the script expects.
    Ok,
    /// The target behaved differently.
    Fail,
    /// The server crashed, or did not start.
    ServerFail,
    /// The server did not answer in time.
    TimeOut,
    /// The server sent a message that is not part of the protocol.
    ProtocolError,
}

/// Why a script stopped: the outcome, and a message for the script's author.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The outcome, which is not [`Outcome::Ok`].
    pub outcome: Outcome,
    /// The message, in one or more lines.
    pub message: String,
}

impl Failure {
    /// A failure with this message.
    pub fn new(outcome: Outcome, message: impl Into<String>) -> Self {
        Self { outcome, message: message.into() }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.outcome, self.message)
    }
}

impl std::error::Error for Failure {}

impl Outcome {
    /// All outcomes.
    pub const ALL: [Self; 5] = [Self::Ok, Self::Fail, Self::ServerFail, Self::TimeOut, Self::ProtocolError];

    /// The name in reports.
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
