//! The bots of crazyhouse.
//!
//! - `foreign`: foreign programs, also those that hang, crash or print nonsense.
//! - `moves`: the chosen moves in single positions: mates, legal moves, the same moves with the same seed.
//! - `strength`: which bots beat which.

mod foreign;
mod moves;
mod strength;

use crazyhouse_rules::{MoveList, Position};
use engine::JavaRandom;

/// A position after a number of random moves. It always has a legal move.
fn opening(seed: i64, plies: usize) -> Position {
    let mut random = JavaRandom::new(seed);
    let mut position = Position::start();
    let mut moves = MoveList::new();
    for _ in 0..plies {
        position.legal_moves(&mut moves);
        let count = i32::try_from(moves.as_slice().len()).expect("a list is short");
        let next = position.after(moves.as_slice()[random.next_below(count) as usize]);
        if next.has_no_move() {
            break;
        }
        position = next;
    }
    position
}
