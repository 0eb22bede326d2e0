//! Errors when a game is rebuilt from its log.

use std::{error::Error, fmt};

use engine::{Difference, Undecodable};

/// Why a game cannot be rebuilt from its log.
#[derive(Debug)]
pub enum ReplayError {
    /// This program does not have the rulebook of the game.
    NoRulebook {
        /// The name of the rulebook.
        rulebook: String,
    },
    /// The header cannot be decoded.
    Header(Undecodable),
    /// An entry cannot be decoded.
    Entry {
        /// The number of the entry.
        sequence: u64,
        /// The error in its bytes.
        source: Undecodable,
    },
    /// The rules give another result than the log has.
    Differs(Difference),
    /// The rules panicked.
    Panicked,
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoRulebook { rulebook } => write!(f, "no rulebook {rulebook} here"),
            Self::Header(error) => error.fmt(f),
            Self::Entry { sequence, source } => write!(f, "entry {sequence}: {source}"),
            Self::Differs(difference) => difference.fmt(f),
            Self::Panicked => f.write_str("the rules panicked"),
        }
    }
}

impl Error for ReplayError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Entry { source, .. } => Some(source),
            Self::NoRulebook { .. } | Self::Header(_) | Self::Differs(_) | Self::Panicked => None,
        }
    }
}

impl From<Difference> for ReplayError {
    fn from(difference: Difference) -> Self {
        Self::Differs(difference)
    }
}
