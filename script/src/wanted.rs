//! The game that a script requests.

use std::error::Error;

/// The game that a script requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted<'s> {
    /// The text of the scenario.
    pub scenario: &'s str,
    /// The edition; `None` means the edition of the scenario.
    pub edition: Option<&'s str>,
    /// How many milliseconds a player may be silent; `None` means a time that is too long to matter.
    pub timeout_ms: Option<u64>,
}

/// A game's own error.
pub type GameError = Box<dyn Error + Send + Sync>;
