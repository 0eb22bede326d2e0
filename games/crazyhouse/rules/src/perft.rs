//! How many ways a game can go on for some moves: the usual proof that moves are made rightly.

use alloc::vec::Vec;

use crate::{
    moves::{Move, MoveList},
    position::Position,
};

/// How many ways there are to make so many moves. The last ones are listed and counted, not made.
pub fn perft(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut lists: Vec<MoveList> = (0..depth).map(|_| MoveList::new()).collect();
    count(position, &mut lists)
}

/// The same for each first move, in the order of the generator.
pub fn divide(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    let rest = depth.saturating_sub(1);
    moves.as_slice().iter().map(|first| (*first, perft(&position.after(*first), rest))).collect()
}

/// With a list for each move that is still to be made.
fn count(position: &Position, lists: &mut [MoveList]) -> u64 {
    let Some((list, rest)) = lists.split_first_mut() else { return 1 };
    position.legal_moves(list);
    if rest.is_empty() {
        return list.as_slice().len() as u64;
    }
    list.as_slice().iter().map(|next| count(&position.after(*next), rest)).sum()
}
