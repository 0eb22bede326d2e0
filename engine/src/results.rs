//! The results of a game, for programs.

use alloc::string::String;

use serde::{Deserialize, Serialize};

use crate::CommId;

/// The result of one seat. Ratings, tournaments and statistics use it; the text of the outcome is for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatResult {
    /// The last client that held the seat.
    pub client: CommId,
    /// The player's name.
    pub name: String,
    /// The side or team, if the game has them. All seats of a side have the same verdict.
    pub side: Option<String>,
    /// Whether the seat won.
    pub verdict: Verdict,
    /// Points as the rulebook counts them. Tournaments add them up.
    pub points: i64,
}

/// Whether a seat won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The seat won: alone, with its side, or together with all players in a cooperative game.
    Won,
    /// The seat neither won nor lost.
    Drawn,
    /// The seat lost.
    Lost,
}
