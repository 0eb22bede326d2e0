//! The values of pieces, in hundredths of a pawn.

use crazyhouse_rules::{Kind, Position, Side};

/// Values on the board. They differ less than in chess: every piece near a king helps to mate it, and captured pieces come
/// back.
pub(super) const PLACED: [i32; 6] = [100, 300, 310, 440, 800, 0];

/// Values in a pocket, from which a piece can be dropped on any empty square. A dropped pawn blocks checks and supports other
/// dropped pieces. A check by a knight cannot be blocked.
pub(super) const HELD: [i32; 5] = [125, 350, 340, 460, 860];

/// The total value of a side's pieces, on the board and in the pocket, at the values of the board.
pub(super) fn all_of(position: &Position, side: Side) -> i32 {
    let one = |kind: Kind| {
        let placed = position.pieces(side, kind).count_ones();
        (placed.cast_signed() + i32::from(position.held(side, kind))) * PLACED[kind as usize]
    };
    Kind::HELD.into_iter().map(one).sum()
}
