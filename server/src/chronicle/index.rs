//! The index of a chronicle.

use engine::Moment;
use serde::{Serialize, Serializer};

/// The positions of rounds, turns and entries in a chronicle, and the figures of each round.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Index {
    /// The number of the last step.
    pub steps: u64,
    /// The number of steps of each visible entry.
    pub entries: Vec<u32>,
    /// Each round with its first step.
    pub rounds: Vec<(u32, u64)>,
    /// Each turn: its player and its first step.
    pub turns: Vec<(String, u64)>,
    /// The names of the figures.
    pub figures: &'static [&'static str],
    /// The figures as each round begins, and after the last step.
    pub points: Vec<Point>,
}

/// Figures at a step. In JSON `[round, step, [values ..]]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// The round.
    pub round: u32,
    /// The step.
    pub step: u64,
    /// A value for each figure.
    pub values: Vec<i64>,
}

impl Serialize for Point {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (self.round, self.step, &self.values).serialize(serializer)
    }
}

/// Builds the index while a game is folded.
#[derive(Clone, Debug)]
pub(super) struct Indexer {
    pub(super) index: Index,
    moment: Moment,
    /// Whether the last point belongs to the last step and not to the beginning of a round.
    ended: bool,
}

impl Indexer {
    pub(super) fn new(figures: &'static [&'static str]) -> Self {
        Self { index: Index { figures, ..Index::default() }, moment: Moment::default(), ended: false }
    }

    /// Adds a public event.
    pub(super) fn step(&mut self, step: u64, now: Moment, figures: impl FnOnce() -> Vec<i64>) {
        self.index.steps = step;
        let new_round = now.round != self.moment.round;
        if new_round {
            self.index.rounds.push((now.round, step));
            self.index.points.push(Point { round: now.round, step, values: figures() });
        }
        if let Some(turn) = &now.turn
            && (new_round || self.moment.turn.as_ref() != Some(turn))
        {
            self.index.turns.push((turn.clone(), step));
        }
        self.moment = now;
    }

    /// Removes the last point that [`end`](Self::end) added, because more entries follow.
    pub(super) fn go_on(&mut self) {
        if std::mem::take(&mut self.ended) {
            self.index.points.pop();
        }
    }

    /// Adds a point after the last entry so far.
    pub(super) fn end(&mut self, figures: Vec<i64>) {
        let Index { points, steps, .. } = &mut self.index;
        if points.last().is_none_or(|point| point.step != *steps) {
            points.push(Point { round: self.moment.round, step: *steps, values: figures });
            self.ended = true;
        }
    }
}
