//! All legal moves of a position. The generator computes checks and pins first, so that it never has to make a move and take it
//! back to see whether it is legal.

use crate::{
    attacks,
    moves::{Move, MoveList},
    piece::{Kind, Piece, Side},
    position::Position,
    square::{ENDS, FILE_A, FILE_H, RANK_1, Square, Squares},
};

/// The checks and pins that limit the moves of a side.
struct Threats {
    king: Square,
    /// The pieces that give check.
    checkers: u64,
    /// The side's pinned pieces, which may only move on a line with their king.
    pinned: u64,
    /// Each pinned piece with its line. The first `pins` entries are used.
    lines: [(u64, u64); 8],
    pins: usize,
}

impl Position {
    /// Fills the list with all legal moves, each once. A side without a king has no moves. If the opponent's king can be taken,
    /// the list includes that move.
    pub fn legal_moves(&self, list: &mut MoveList) {
        list.clear();
        let Some(king) = self.king(self.turn) else { return };
        let threats = self.threats(king);
        self.king_moves(&threats, list);
        let occupied = self.occupied();
        let (stops, drops) = match Squares(threats.checkers).next() {
            None => (u64::MAX, !occupied),
            Some(_) if !threats.checkers.is_power_of_two() => return,
            Some(checker) => {
                let between = attacks::between(king, checker);
                (between | checker.bit(), between)
            }
        };
        let free = self.sides[self.turn as usize] & !threats.pinned;
        self.piece_moves(free, stops, list);
        self.pawn_moves(free & self.kinds[Kind::Pawn as usize], stops, list);
        if threats.checkers == 0 {
            self.pinned_moves(&threats, list);
        }
        self.drops(drops, list);
    }

    #[inline]
    fn threats(&self, king: Square) -> Threats {
        let own = self.sides[self.turn as usize];
        let others = self.sides[self.turn.other() as usize];
        let [pawns, knights, bishops, rooks, queens, _] = self.kinds;
        let near = attacks::pawn(self.turn, king) & pawns | attacks::knight(king) & knights;
        let mut threats = Threats { king, checkers: near & others, pinned: 0, lines: [(0, 0); 8], pins: 0 };
        let far = attacks::bishop_lines(king) & (bishops | queens) | attacks::rook_lines(king) & (rooks | queens);
        for slider in Squares(far & others) {
            let line = attacks::between(king, slider);
            let blockers = line & (own | others);
            if blockers == 0 {
                threats.checkers |= slider.bit();
            } else if blockers & own & blockers.wrapping_neg() == blockers {
                threats.pinned |= blockers;
                threats.lines[threats.pins & 7] = (blockers, line | slider.bit());
                threats.pins += 1;
            }
        }
        threats
    }

    #[inline]
    fn king_moves(&self, threats: &Threats, list: &mut MoveList) {
        // Sliders attack through the king, because it cannot hide behind its own old square.
        let seen_through = self.occupied() ^ threats.king.bit();
        let steps = attacks::king(threats.king) & !self.sides[self.turn as usize];
        let other = self.turn.other();
        let safe = Squares(steps).filter(|to| self.attackers(*to, other, seen_through) == 0);
        list.add(from(threats.king), safe.fold(0, |safe, to| safe | to.bit()));
    }

    #[inline]
    fn piece_moves(&self, free: u64, stops: u64, list: &mut MoveList) {
        let [_, knights, bishops, rooks, queens, _] = self.kinds;
        let occupied = self.occupied();
        let targets = stops & !self.sides[self.turn as usize];
        for square in Squares(free & knights) {
            list.add(from(square), attacks::knight(square) & targets);
        }
        for square in Squares(free & (bishops | queens)) {
            list.add(from(square), attacks::bishop(square, occupied) & targets);
        }
        for square in Squares(free & (rooks | queens)) {
            list.add(from(square), attacks::rook(square, occupied) & targets);
        }
    }

    #[inline]
    fn pawn_moves(&self, pawns: u64, stops: u64, list: &mut MoveList) {
        let empty = !self.occupied();
        let others = self.sides[self.turn.other() as usize] & stops;
        // The rotation for one rank up, or for Black one rank down around the end of the word. No pawn stands where the wrap
        // would matter.
        let (ahead, third) = match self.turn {
            Side::White => (8, RANK_1 << 16),
            Side::Black => (56, RANK_1 << 40),
        };
        let once = pawns.rotate_left(ahead) & empty;
        let twice = (once & third).rotate_left(ahead) & empty;
        add_pawns(once & stops, ahead, list);
        add_pawns(twice & stops, 2 * ahead, list);
        add_pawns((pawns & !FILE_A).rotate_left(ahead - 1) & others, ahead - 1, list);
        add_pawns((pawns & !FILE_H).rotate_left(ahead + 1) & others, ahead + 1, list);
    }

    fn pinned_moves(&self, threats: &Threats, list: &mut MoveList) {
        let pawns = self.kinds[Kind::Pawn as usize];
        for (pinned, line) in &threats.lines[..threats.pins.min(8)] {
            self.piece_moves(*pinned, *line, list);
            self.pawn_moves(*pinned & pawns, *line, list);
        }
    }

    #[inline]
    fn drops(&self, empty: u64, list: &mut MoveList) {
        let pocket = &self.pockets[self.turn as usize];
        for (kind, held) in Kind::HELD.into_iter().zip(pocket) {
            let targets = if kind == Kind::Pawn { empty & !ENDS } else { empty };
            if *held > 0 {
                list.add(Move::drop(Piece { side: self.turn, kind }, Square::new(0)), targets);
            }
        }
    }
}

fn from(square: Square) -> Move {
    Move::shift(square, Square::new(0))
}

/// Adds moves of pawns that were rotated by `ahead` squares.
#[inline]
fn add_pawns(arrived: u64, ahead: u32, list: &mut MoveList) {
    for to in Squares(arrived) {
        let origin = (to.index() as u32).wrapping_sub(ahead) % 64;
        list.add(from(Square::new(origin as u8)), to.bit());
    }
}
