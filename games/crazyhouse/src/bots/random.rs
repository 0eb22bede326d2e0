//! The bot `random`.

use clients::pick;
use crazyhouse_rules::{Move, MoveList, Position};
use engine::JavaRandom;

use super::{Bot, foreign::Failure};

pub(super) struct Random {
    random: JavaRandom,
    moves: MoveList,
}

impl Random {
    pub(super) fn new(seed: i64) -> Self {
        Self { random: JavaRandom::new(seed), moves: MoveList::new() }
    }
}

impl Bot for Random {
    fn choose(&mut self, position: &Position) -> Result<Option<Move>, Failure> {
        position.legal_moves(&mut self.moves);
        Ok(pick(self.moves.as_slice(), &mut self.random))
    }
}
