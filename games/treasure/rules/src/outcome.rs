//! How a game ends.

use core::fmt;

use serde::{Deserialize, Serialize};

use crate::player::Player;

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// One has won, the other has lost.
    Won { winner: Player, reason: Reason },
    /// All who play have lost.
    NobodyWon { reason: Reason },
    /// The game is gone, and nobody has won or lost.
    Removed { reason: Reason },
}

/// Why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reason {
    /// The winner came to the other's fort with its treasure.
    FortEntered,
    InvalidHalf,
    SecondHalf,
    MoveBeforeHalves,
    OutOfTurn,
    IntoWater,
    OffTheMap,
    /// The loser said that it is where it is not.
    WrongPosition,
    /// The loser wanted to go to a field that is not next to its own.
    NotANeighbour,
    /// The loser counted wrongly.
    WrongCount,
    ThinkTime,
    GameTime,
    ActionLimit,
    /// The players did not come.
    NobodyCame,
    /// There were newer games.
    GaveWay,
}

impl Outcome {
    pub fn reason(&self) -> Reason {
        match self {
            Self::Won { reason, .. } | Self::NobodyWon { reason } | Self::Removed { reason } => *reason,
        }
    }

    pub fn winner(&self) -> Option<Player> {
        match self {
            Self::Won { winner, .. } => Some(*winner),
            Self::NobodyWon { .. } | Self::Removed { .. } => None,
        }
    }

    /// Whether somebody who plays has lost.
    pub fn has_lost(&self, player: Player) -> bool {
        match self {
            Self::Won { winner, .. } => *winner != player,
            Self::NobodyWon { .. } => true,
            Self::Removed { .. } => false,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Won { winner, reason: Reason::FortEntered } => {
                write!(f, "{winner} wins: {}", Reason::FortEntered)
            }
            Self::Won { winner, reason } => write!(f, "{winner} wins: {} {reason}", winner.other()),
            Self::NobodyWon { reason } => write!(f, "nobody wins: {reason}"),
            Self::Removed { reason } => write!(f, "removed: {reason}"),
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::FortEntered => "brought the treasure to the other's fort",
            Self::InvalidHalf => "sent a half that breaks the rules",
            Self::SecondHalf => "sent a second half",
            Self::MoveBeforeHalves => "moved before both halves were there",
            Self::OutOfTurn => "acted out of turn",
            Self::IntoWater => "went into water",
            Self::OffTheMap => "left the map",
            Self::WrongPosition => "named a position where it is not",
            Self::NotANeighbour => "wanted to go to a field that is not next to its own",
            Self::WrongCount => "counted wrongly",
            Self::ThinkTime => "thought too long",
            Self::GameTime => "ran out of the game's time",
            Self::ActionLimit => "had no action left",
            Self::NobodyCame => "there were not two players in time",
            Self::GaveWay => "it gave way to newer games",
        })
    }
}
