//! The outcome of a game.

use alloc::sync::Arc;
use core::fmt;

use serde::{Deserialize, Serialize};

use crate::{team::Team, words::EndReason};

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// The reason in the terms of the wire protocol.
    pub reason: EndReason,
    /// The exact reason.
    pub why: Why,
    /// The team with more goals. In a tie the only team that still has players, otherwise Blue.
    pub winner: Team,
    /// Whether both teams have the same number of goals.
    pub tie: bool,
    /// The number of completed goals, Blue first.
    pub goals: [u32; 2],
}

/// Why the game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Why {
    /// A team has completed all its goals.
    AllGoals {
        /// The team.
        team: Team,
    },
    /// An unexpected error.
    Error {
        /// The description of the error.
        because: Arc<str>,
    },
    /// No team can complete its goals, because too few pieces are left.
    NobodyCanWin,
    /// The game made no progress for too long.
    NoProgress,
    /// A team has no players left.
    TeamGone {
        /// The team.
        team: Team,
    },
    /// Not all players joined in time.
    LobbyNotFull,
}

impl Outcome {
    /// An outcome. `has_players` says which team still has players, Blue first.
    pub(crate) fn new(why: Why, goals: [u32; 2], has_players: [bool; 2]) -> Self {
        let reason = match why {
            Why::AllGoals { .. } => EndReason::Success,
            Why::Error { .. } => EndReason::Failure,
            Why::NobodyCanWin | Why::NoProgress | Why::TeamGone { .. } | Why::LobbyNotFull => EndReason::Timeout,
        };
        let [blue, red] = goals;
        let only_red_is_there = has_players == [false, true];
        let winner = if red > blue || red == blue && only_red_is_there { Team::Red } else { Team::Blue };
        Self { reason, why, winner, tie: blue == red, goals }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [blue, red] = self.goals;
        write!(f, "{}: {}; ", self.reason, self.why)?;
        if self.tie {
            write!(f, "tie")?
        } else {
            write!(f, "{} wins", self.winner)?
        }
        write!(f, ", Blue {blue}, Red {red}")
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AllGoals { team } => write!(f, "{team} has completed all its goals"),
            Self::Error { because } => write!(f, "unexpected error: {because}"),
            Self::NobodyCanWin => write!(f, "too few pieces are left for either team"),
            Self::NoProgress => write!(f, "no progress for too long"),
            Self::TeamGone { team } => write!(f, "{team} has no players left"),
            Self::LobbyNotFull => write!(f, "not all players came in time"),
        }
    }
}

impl fmt::Display for EndReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Success => "Success",
            Self::Failure => "Failure",
            Self::Timeout => "Timeout",
        })
    }
}
