//! The bot `greedy`: looks only one move ahead.

use clients::pick;
use crazyhouse_rules::{Move, MoveList, Position};
use engine::JavaRandom;

use super::{Bot, foreign::Failure, worth};

const MATE: i32 = 1_000_000;
/// The bonus of a check: less than a pawn, but more than any quiet move.
const CHECK: i32 = 20;

pub(super) struct Greedy {
    random: JavaRandom,
    moves: MoveList,
    best: Vec<Move>,
}

impl Greedy {
    pub(super) fn new(seed: i64) -> Self {
        Self { random: JavaRandom::new(seed), moves: MoveList::new(), best: Vec::new() }
    }
}

impl Bot for Greedy {
    fn choose(&mut self, position: &Position) -> Result<Option<Move>, Failure> {
        position.legal_moves(&mut self.moves);
        let mut most = i32::MIN;
        for &legal in self.moves.as_slice() {
            let value = value(position, legal);
            if value > most {
                most = value;
                self.best.clear();
            }
            if value == most {
                self.best.push(legal);
            }
        }
        let chosen = pick(&self.best, &mut self.random);
        self.best.clear();
        Ok(chosen)
    }
}

fn value(position: &Position, legal: Move) -> i32 {
    let next = position.after(legal);
    let (own, other) = (position.turn(), next.turn());
    if next.is_mate() {
        return MATE;
    }
    let check = if next.in_check(other) { CHECK } else { 0 };
    worth::all_of(&next, own) - worth::all_of(&next, other) + check
}
