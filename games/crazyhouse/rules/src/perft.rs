//! Perft: the number of move sequences from a position, which is the usual test of a move generator.

use alloc::vec::Vec;

use crate::{
    moves::{Move, MoveList},
    position::Position,
};

/// The number of sequences of `depth` legal moves. The last move of a sequence is counted but not made.
pub fn perft(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut lists: Vec<MoveList> = (0..depth).map(|_| MoveList::new()).collect();
    count(position, &mut lists)
}

/// The number of sequences for each first move, in the order of the generator.
pub fn divide(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    let rest = depth.saturating_sub(1);
    moves.as_slice().iter().map(|first| (*first, perft(&position.after(*first), rest))).collect()
}

/// Counts recursively, with one list for each remaining move.
fn count(position: &Position, lists: &mut [MoveList]) -> u64 {
    let Some((list, rest)) = lists.split_first_mut() else { return 1 };
    position.legal_moves(list);
    if rest.is_empty() {
        return list.as_slice().len() as u64;
    }
    list.as_slice().iter().map(|next| count(&position.after(*next), rest)).sum()
}
