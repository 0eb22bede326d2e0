//! Seats, and whose turn it is.

use alloc::vec::Vec;
use core::fmt;

use serde::{Deserialize, Serialize};

/// A place of a player: 0 is the first. Seats are given in the order in which players join.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seat(pub usize);

impl fmt::Display for Seat {
    /// People count from 1.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seat {}", self.0.saturating_add(1))
    }
}

/// The seats that may move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Turn {
    /// One seat.
    Of(Seat),
    /// Several seats, in any order. Each of them has its own time.
    Any(Vec<Seat>),
}

impl Turn {
    /// All seats that may move.
    pub fn seats(&self) -> &[Seat] {
        match self {
            Self::Of(seat) => core::slice::from_ref(seat),
            Self::Any(seats) => seats,
        }
    }

    /// Whether a seat may move.
    pub fn has(&self, seat: Seat) -> bool {
        self.seats().contains(&seat)
    }
}
