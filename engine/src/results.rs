//! How a game ended, for programs.

use alloc::string::String;

use serde::{Deserialize, Serialize};

use crate::CommId;

/// How a game ended for one seat. Ratings, tournaments and statistics read these; the outcome's words are for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatResult {
    /// The client that held the seat when the game ended, or last.
    pub client: CommId,
    /// The name that the player took.
    pub name: String,
    /// The side or team, where the game has them. Seats with the same side won or lost together.
    pub side: Option<String>,
    /// Whether the seat won.
    pub verdict: Verdict,
    /// Points as the rulebook counts them: what a table of a tournament adds up.
    pub points: i64,
}

/// Whether a seat won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It won, alone, with its side, or with everybody in a game that is won together.
    Won,
    /// Neither won nor lost.
    Drawn,
    /// It lost.
    Lost,
}
