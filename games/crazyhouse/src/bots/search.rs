//! The bot `search`: searches one move deeper each time, until its budget is used up.
//!
//! [`tree`] searches moves and answers, [`order`] decides which moves come first, [`evaluation`] rates the positions at the end
//! of a line, and [`table`] caches results for positions that come again.

mod evaluation;
mod order;
mod table;
mod tree;

use std::time::{Duration, Instant};

use crazyhouse_rules::{Move, Position};
use engine::JavaRandom;

use super::{Bot, Budget, foreign::Failure};
use tree::{DEEPEST, LIMIT, MATE, Tree};

/// The result of a search.
#[derive(Clone, Debug)]
pub struct Found {
    /// The best move.
    pub best: Move,
    /// Its value.
    pub score: Score,
    /// The principal variation: the best move, the best answer to it, and so on.
    pub line: Vec<Move>,
    /// The depth of the last complete search, in moves of both sides together. Moves that looked bad were searched less deep.
    pub depth: u32,
    /// Positions searched.
    pub nodes: u64,
    /// Time spent.
    pub time: Duration,
}

/// The value of a position for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// In hundredths of a pawn.
    Centipawns(i32),
    /// The side to move mates with this move of its own at the latest. 1 is the next move.
    Mates(u32),
    /// The side to move is mated with this move of the opponent at the latest.
    Mated(u32),
}

/// The bot. It keeps its cache for a whole game, and allocates the cache when it is created.
pub struct Search {
    budget: Budget,
    /// A shorter time limit for the next move, in a game with a clock.
    hurry: Option<Duration>,
    random: JavaRandom,
    tree: Tree,
}

impl Search {
    /// Creates a bot with a budget for each move.
    pub fn new(budget: Budget, seed: i64) -> Self {
        Self { budget, hurry: None, random: JavaRandom::new(seed), tree: Tree::new() }
    }

    /// Searches a position for a move of a game. Returns `None` if it has no legal move.
    pub fn think(&mut self, position: &Position) -> Option<Found> {
        let found = self.examine(position)?;
        self.tree.remember(&position.after(found.best));
        Some(found)
    }

    /// Searches a position that need not belong to a game. Returns `None` if it has no legal move.
    pub fn examine(&mut self, position: &Position) -> Option<Found> {
        let began = Instant::now();
        let time = self.budget.time.into_iter().chain(self.hurry).min();
        let budget = Budget { time, ..self.budget };
        let mut moves = self.tree.begin(position, budget, &mut self.random);
        let mut best = *moves.first()?;
        let (mut line, mut score, mut depth) = (vec![best], 0, 0);
        while depth < DEEPEST {
            let Some(deeper) = self.look(position, &mut moves, depth + 1, score) else { break };
            (best, score) = (moves[0], deeper);
            self.tree.copy_line(&mut line);
            if self.tree.is_over() {
                break;
            }
            depth += 1;
            let is_certain = score.abs() > MATE - DEEPEST && MATE - score.abs() <= depth;
            if is_certain || moves.len() == 1 || time.is_some_and(|time| began.elapsed() > time / 2) {
                break;
            }
        }
        let depth = depth.cast_unsigned();
        Some(Found { best, score: Score::of(score), line, depth, nodes: self.tree.nodes(), time: began.elapsed() })
    }

    /// Searches all moves to a depth, and puts the best move first. First tries a narrow window around the last score, which is
    /// faster if the score is inside it. Returns `None` if the budget ends before the first move is searched.
    fn look(&mut self, position: &Position, moves: &mut [Move], depth: i32, last: i32) -> Option<i32> {
        const NEAR: i32 = 45;
        if depth >= 4 && last.abs() < LIMIT {
            let score = self.tree.root(position, moves, depth, (last - NEAR, last + NEAR));
            if score.is_none_or(|score| self.tree.is_over() || (score - last).abs() < NEAR) {
                return score;
            }
        }
        self.tree.root(position, moves, depth, (-MATE, MATE))
    }
}

impl Bot for Search {
    fn choose(&mut self, position: &Position) -> Result<Option<Move>, Failure> {
        Ok(self.think(position).map(|found| found.best))
    }

    fn hurry(&mut self, most: Option<Duration>) {
        self.hurry = most;
    }
}

impl std::fmt::Debug for Search {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Search").field("budget", &self.budget).finish_non_exhaustive()
    }
}

impl Score {
    fn of(score: i32) -> Self {
        let moves = (MATE - score.abs() + 1) / 2;
        match score {
            _ if score.abs() <= MATE - DEEPEST => Self::Centipawns(score),
            1.. => Self::Mates(moves.cast_unsigned()),
            _ => Self::Mated(moves.cast_unsigned()),
        }
    }
}

impl std::fmt::Display for Score {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Centipawns(score) => write!(f, "{:+.2}", f64::from(*score) / 100.0),
            Self::Mates(moves) => write!(f, "mates in {moves}"),
            Self::Mated(moves) => write!(f, "is mated in {moves}"),
        }
    }
}
