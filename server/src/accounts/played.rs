//! The games of accounts: who sits where in an open game, and the results of finished ones.

use std::collections::BTreeMap;

use engine::Verdict;
use serde::{Deserialize, Serialize};

use super::AccountId;

/// The accounts of the clients of a game that was not counted yet.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OpenSeats {
    pub(crate) clients: BTreeMap<u32, AccountId>,
}

/// A game of an account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayedGame {
    /// The rulebook.
    pub rulebook: String,
    /// The number of the client in the game.
    pub client: u32,
    /// When it joined, in milliseconds since 1970.
    pub joined: i64,
    /// When the game ended; `None` while it runs.
    #[serde(default)]
    pub ended: Option<i64>,
    /// Whether the player won; `None` without a seat, and in games that no player won or lost.
    #[serde(default)]
    pub verdict: Option<Verdict>,
    /// The points of the player.
    #[serde(default)]
    pub points: Option<i64>,
    /// How the rating changed, in thousandths of a point.
    #[serde(default)]
    pub rating_change: Option<i64>,
}
