//! Whether a piece can move to a square, without regard to checks.

use crate::{
    attacks,
    piece::{Kind, Piece, Side},
    position::Position,
    square::Square,
};

pub(crate) fn reaches(position: &Position, piece: Piece, from: Square, to: Square) -> bool {
    let occupied = position.occupied();
    let squares = match piece.kind {
        Kind::Pawn => pawn(occupied, piece.side, from),
        Kind::Knight => attacks::knight(from),
        Kind::Bishop => attacks::bishop(from, occupied),
        Kind::Rook => attacks::rook(from, occupied),
        Kind::Queen => attacks::queen(from, occupied),
        Kind::King => attacks::king(from),
    };
    squares & to.bit() != 0
}

/// The moves of a pawn: straight to empty squares, diagonally to occupied ones.
fn pawn(occupied: u64, side: Side, from: Square) -> u64 {
    let (once, twice, home) = match side {
        Side::White => (from.bit() << 8, from.bit() << 16, 1),
        Side::Black => (from.bit() >> 8, from.bit() >> 16, 6),
    };
    let once = once & !occupied;
    let twice = if once != 0 && from.rank() == home { twice & !occupied } else { 0 };
    once | twice | attacks::pawn(side, from) & occupied
}
