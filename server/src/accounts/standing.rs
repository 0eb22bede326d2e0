//! What a player has reached in games of a rulebook.

use engine::Verdict;
use serde::{Deserialize, Serialize};

use super::rating;

/// What an account has reached in games of a rulebook.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standing {
    /// The rulebook.
    pub rulebook: String,
    /// The name of the account.
    pub name: String,
    /// Finished games.
    pub played: u32,
    /// Games that were won.
    pub won: u32,
    /// Games that were lost.
    pub lost: u32,
    /// Games that were drawn.
    pub drawn: u32,
    /// The points of all games.
    pub points: i64,
    /// The rating, in thousandths of a point.
    pub rating: i64,
    /// Games against at least one other account, which count for the rating.
    pub rated: u32,
}

impl Standing {
    pub(super) fn new(rulebook: &str, name: &str) -> Self {
        let (rulebook, name) = (rulebook.to_owned(), name.to_owned());
        Self { rulebook, name, played: 0, won: 0, lost: 0, drawn: 0, points: 0, rating: rating::FIRST, rated: 0 }
    }

    /// Counts a finished game.
    pub(super) fn count(&mut self, verdict: Verdict, points: i64, rating_change: Option<i64>) {
        self.played += 1;
        match verdict {
            Verdict::Won => self.won += 1,
            Verdict::Drawn => self.drawn += 1,
            Verdict::Lost => self.lost += 1,
        }
        self.points = self.points.saturating_add(points);
        if let Some(change) = rating_change {
            self.rating += change;
            self.rated += 1;
        }
    }

    /// The average points of a game, in hundredths.
    pub fn average_points(&self) -> i64 {
        self.points.saturating_mul(100).checked_div(i64::from(self.played)).unwrap_or_default()
    }
}
