//! The game that a script asks for.

use std::error::Error;

/// The game that a script asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted<'s> {
    /// The text of the scenario.
    pub scenario: &'s str,
    /// `None`: what the scenario is written for.
    pub edition: Option<&'s str>,
    /// How long a player may be silent; `None`: so long that it does not matter.
    pub timeout_ms: Option<u64>,
}

/// Why a game does not do what it is asked for: its own error.
pub type GameError = Box<dyn Error + Send + Sync>;
