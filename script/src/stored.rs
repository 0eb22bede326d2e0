//! A game in a log, as far as a script needs it.

use std::fmt;

use engine::{Cause, Difference, Undecodable};

/// A game that a log has, as the commands of a script. `S`, `C` and `T` are its setup, commands and timers.
#[derive(Clone, Debug)]
pub struct Stored<S, C, T> {
    /// The name of the game.
    pub name: String,
    /// The setup.
    pub setup: S,
    /// The seed.
    pub seed: i64,
    /// The commands and timers, in their order.
    pub causes: Vec<Cause<C, T>>,
}

/// Why a log cannot be recorded.
#[derive(Debug)]
pub enum RecordingError {
    /// The log cannot be read.
    Undecodable(Undecodable),
    /// A replay of the log differs.
    Difference(Difference),
}

impl From<Undecodable> for RecordingError {
    fn from(error: Undecodable) -> Self {
        Self::Undecodable(error)
    }
}

impl From<Difference> for RecordingError {
    fn from(difference: Difference) -> Self {
        Self::Difference(difference)
    }
}

impl fmt::Display for RecordingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Undecodable(error) => error.fmt(f),
            Self::Difference(difference) => difference.fmt(f),
        }
    }
}

impl std::error::Error for RecordingError {}
