//! The outcomes of a game.

use core::fmt;

use serde::{Deserialize, Serialize};

use crate::piece::Side;

/// The end of a game. Without a winner it is a draw, or the game was never played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// The winner.
    pub winner: Option<Side>,
    /// Why the game is over.
    pub reason: Reason,
}

/// The reasons why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The loser is mated.
    Checkmate,
    /// The loser resigned.
    Resignation,
    /// The loser took too long.
    Time,
    /// A draw was offered and accepted.
    Agreement,
    /// The game reached its limit of moves.
    MoveLimit,
    /// The players did not come.
    NobodyCame,
    /// A player ended the game before it was really played.
    Aborted,
    /// The loser left, and the winner claimed the win.
    Left,
}

impl Outcome {
    /// A win.
    pub fn won(winner: Side, reason: Reason) -> Self {
        Self { winner: Some(winner), reason }
    }

    /// A draw.
    pub fn drawn(reason: Reason) -> Self {
        Self { winner: None, reason }
    }
}

impl Reason {
    /// Whether a game that ends like this counts as played, so that its players have results.
    pub(crate) fn counts(self) -> bool {
        match self {
            Self::Checkmate | Self::Resignation | Self::Time | Self::Agreement | Self::MoveLimit | Self::Left => true,
            Self::NobodyCame | Self::Aborted => false,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.winner, self.reason) {
            (Some(winner), reason) => write!(f, "{winner} wins: {reason}"),
            (None, Reason::NobodyCame) => write!(f, "abandoned: the players did not come"),
            (None, Reason::Aborted) => write!(f, "aborted: no result"),
            (None, reason) => write!(f, "draw: {reason}"),
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Checkmate => "checkmate",
            Self::Resignation => "resignation",
            Self::Time => "time is up",
            Self::Agreement => "by agreement",
            Self::MoveLimit => "as many moves as this game may have",
            Self::NobodyCame => "the players did not come",
            Self::Aborted => "no result",
            Self::Left => "the opponent left",
        })
    }
}
