//! The outcomes of a game.

use core::fmt;

use serde::{Deserialize, Serialize};

use crate::player::Player;

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the line of a variant explains its fields")]
pub enum Outcome {
    /// One player has won, and the other has lost.
    Won { winner: Player, reason: Reason },
    /// All registered players have lost.
    NobodyWon { reason: Reason },
    /// The game was removed without a winner or a loser.
    Removed { reason: Reason },
}

/// The reasons why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reason {
    /// The winner brought its treasure to the opponent's fort.
    FortEntered,
    /// The loser sent a half that breaks the rules.
    InvalidHalf,
    /// The loser sent a second half.
    SecondHalf,
    /// The loser moved before both halves were there.
    MoveBeforeHalves,
    /// The loser acted out of turn.
    OutOfTurn,
    /// The loser went into water.
    IntoWater,
    /// The loser left the map.
    OffTheMap,
    /// The loser named a wrong position.
    WrongPosition,
    /// The loser wanted to go to a field that is not next to its own.
    NotANeighbour,
    /// The loser counted wrongly.
    WrongCount,
    /// The loser thought too long.
    ThinkTime,
    /// The time of the game ran out.
    GameTime,
    /// All actions are made.
    ActionLimit,
    /// There were not two players in time.
    NobodyCame,
    /// There were newer games.
    GaveWay,
}

impl Outcome {
    /// Why the game is over.
    pub fn reason(&self) -> Reason {
        match self {
            Self::Won { reason, .. } | Self::NobodyWon { reason } | Self::Removed { reason } => *reason,
        }
    }

    /// The winner, if there is one.
    pub fn winner(&self) -> Option<Player> {
        match self {
            Self::Won { winner, .. } => Some(*winner),
            Self::NobodyWon { .. } | Self::Removed { .. } => None,
        }
    }

    /// Whether a registered player has lost.
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
            // Logs store these words, and a replay compares them.
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
