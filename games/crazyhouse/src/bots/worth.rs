//! What pieces are worth, in hundredths of a pawn.

use crazyhouse_rules::{Kind, Position, Side};

/// On the board. Closer together than in chess: whatever is near a king helps to mate it, and nothing is ever gone.
pub(super) const PLACED: [i32; 6] = [100, 300, 310, 440, 800, 0];

/// In a pocket: it can go anywhere. A pawn blocks checks and supports what is dropped; a knight's check cannot be blocked.
pub(super) const HELD: [i32; 5] = [125, 350, 340, 460, 860];

/// All that a side has, wherever it is, at the prices of the board.
pub(super) fn all_of(position: &Position, side: Side) -> i32 {
    let one = |kind: Kind| {
        let placed = position.pieces(side, kind).count_ones();
        (placed.cast_signed() + i32::from(position.held(side, kind))) * PLACED[kind as usize]
    };
    Kind::HELD.into_iter().map(one).sum()
}
