//! The time of a player.

use serde::{Deserialize, Serialize};

/// The time of a player for a whole game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clock {
    /// Seconds at the beginning.
    pub initial: u64,
    /// Seconds that each move adds.
    #[serde(default)]
    pub increment: u64,
}

impl Clock {
    /// A clock with this many seconds at the beginning and for each move.
    pub const fn seconds(initial: u64, increment: u64) -> Self {
        Self { initial, increment }
    }

    pub(crate) fn initial_ms(self) -> u64 {
        self.initial.saturating_mul(1000)
    }

    pub(crate) fn increment_ms(self) -> u64 {
        self.increment.saturating_mul(1000)
    }
}
