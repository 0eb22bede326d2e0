//! How a game ends.

use alloc::{sync::Arc, vec::Vec};
use core::fmt;

use serde::{Deserialize, Serialize};

use crate::seat::Seat;

/// The result of a game by its rules.
///
/// ```
/// use short::{Outcome, Seat};
///
/// assert_eq!(Outcome::score([3, 7]).winners, [Seat(1)]);
/// assert_eq!(Outcome::score([7, 7]).winners, [Seat(0), Seat(1)]);
/// assert!(Outcome::draw().is_drawn);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Outcome {
    /// The seats that won.
    pub winners: Vec<Seat>,
    /// Whether no seat won or lost.
    pub is_drawn: bool,
    /// The points of each seat, if the game counts them.
    pub points: Vec<i64>,
}

impl Outcome {
    /// One seat won.
    pub fn won(seat: Seat) -> Self {
        Self::won_by([seat])
    }

    /// These seats won: a team, or all players of a cooperative game.
    pub fn won_by(seats: impl IntoIterator<Item = Seat>) -> Self {
        Self { winners: seats.into_iter().collect(), is_drawn: false, points: Vec::new() }
    }

    /// No seat won or lost.
    pub fn draw() -> Self {
        Self { winners: Vec::new(), is_drawn: true, points: Vec::new() }
    }

    /// All seats lost, as players of a cooperative game do.
    pub fn lost() -> Self {
        Self::won_by([])
    }

    /// The points of each seat. The seats with the most points won.
    pub fn score(points: impl IntoIterator<Item = i64>) -> Self {
        let points: Vec<i64> = points.into_iter().collect();
        let most = points.iter().max();
        let winners = points.iter().enumerate().filter(|(_, count)| Some(*count) == most).map(|(at, _)| Seat(at));
        Self { winners: winners.collect(), is_drawn: false, points }
    }

    /// The same result without these seats: they have left the game, keep their points, and cannot win. In a game of points the others
    /// with the most points won.
    ///
    /// ```
    /// use short::{Outcome, Seat};
    ///
    /// let left = Outcome::score([3, 9, 5]).without([Seat(1)]);
    /// assert_eq!((left.winners, left.points), (vec![Seat(2)], vec![3, 9, 5]));
    /// ```
    #[must_use]
    pub fn without(mut self, left: impl IntoIterator<Item = Seat>) -> Self {
        let left: Vec<Seat> = left.into_iter().collect();
        if !self.points.is_empty() {
            let stayed = |at: &usize| !left.contains(&Seat(*at));
            let most = (0..self.points.len()).filter(stayed).map(|at| self.points[at]).max();
            let winners = (0..self.points.len()).filter(stayed).filter(|at| Some(self.points[*at]) == most);
            self.winners = winners.map(Seat).collect();
        }
        self.winners.retain(|seat| !left.contains(seat));
        self
    }

    /// The same result with the points of each seat, for games in which the most points do not decide:
    /// `Outcome::won(seat).with_points(points)`.
    #[must_use]
    pub fn with_points(self, points: impl IntoIterator<Item = i64>) -> Self {
        Self { points: points.into_iter().collect(), ..self }
    }

    /// All seats but one won.
    pub(crate) fn lost_by(seat: Seat, seats: usize) -> Self {
        Self::won_by((0..seats).map(Seat).filter(|other| *other != seat))
    }
}

/// How a game ended, with the names of its players.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ending {
    /// The result.
    pub outcome: Outcome,
    /// What ended the game.
    pub how: How,
    /// The players, in the order of their seats.
    pub names: Vec<Arc<str>>,
}

/// What ended a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum How {
    /// The rules.
    Rules,
    /// A seat gave up.
    Resigned {
        /// The seat.
        seat: Seat,
    },
    /// A seat had no time left.
    Late {
        /// The seat.
        seat: Seat,
    },
    /// Not enough players came.
    NeverBegan,
    /// The rules refused to begin with the options of the scenario.
    Unplayable {
        /// The refusal in words.
        because: Arc<str>,
    },
}

impl Ending {
    fn name(&self, seat: Seat) -> &str {
        self.names.get(seat.0).map_or("?", |name| name)
    }

    fn write_winners(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Outcome { winners, is_drawn, points } = &self.outcome;
        match winners.as_slice() {
            [] if *is_drawn => write!(f, "a draw")?,
            [] => write!(f, "all players lost")?,
            [.., last] => {
                for (at, seat) in winners.iter().enumerate() {
                    let gap = if at == 0 {
                        ""
                    } else if seat == last {
                        " and "
                    } else {
                        ", "
                    };
                    write!(f, "{gap}{}", self.name(*seat))?;
                }
                write!(f, " won")?;
            }
        }
        for (at, count) in points.iter().enumerate() {
            write!(f, "{}{count}", if at == 0 { ", " } else { ":" })?;
        }
        Ok(())
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.how {
            How::Rules => self.write_winners(f),
            How::Resigned { seat } => {
                self.write_winners(f)?;
                write!(f, "; {} gave up", self.name(*seat))
            }
            How::Late { seat } => {
                self.write_winners(f)?;
                write!(f, "; {} had no time left", self.name(*seat))
            }
            How::NeverBegan => write!(f, "not enough players came"),
            How::Unplayable { because } => write!(f, "the game could not begin: {because}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn endings_in_words() {
        let check = |outcome: Outcome, how: How, expected: &str| {
            let names = ["Ana", "Bo", "Cy"].map(Arc::from).to_vec();
            assert_eq!(Ending { outcome, how, names }.to_string(), expected);
        };
        check(Outcome::won(Seat(1)), How::Rules, "Bo won");
        check(Outcome::won_by([Seat(0), Seat(1), Seat(2)]), How::Rules, "Ana, Bo and Cy won");
        check(Outcome::draw(), How::Rules, "a draw");
        check(Outcome::lost(), How::Rules, "all players lost");
        check(Outcome::score([3, -1, 3]), How::Rules, "Ana and Cy won, 3:-1:3");
        check(Outcome::lost_by(Seat(0), 3), How::Resigned { seat: Seat(0) }, "Bo and Cy won; Ana gave up");
        check(Outcome::lost_by(Seat(2), 3), How::Late { seat: Seat(2) }, "Ana and Bo won; Cy had no time left");
    }
}
