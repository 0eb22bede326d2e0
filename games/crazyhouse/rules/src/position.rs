//! A board with its pockets and the side to move.

use core::fmt;

use crate::{
    attacks,
    moves::{Move, MoveList, Origin},
    piece::{Kind, Piece, Side},
    square::{ENDS, Square, Squares},
};

/// A position: sets of squares by side and by kind, and the pieces in each pocket.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    pub(crate) sides: [u64; 2],
    pub(crate) kinds: [u64; 6],
    /// The number of pieces by side, then by kind. It cannot overflow, because a position text has fewer pieces, and moves add
    /// none.
    pub(crate) pockets: [[u16; 5]; 2],
    pub(crate) turn: Side,
}

impl Position {
    /// A position without pieces, to set up a board.
    pub(crate) const EMPTY: Self = Self { sides: [0; 2], kinds: [0; 6], pockets: [[0; 5]; 2], turn: Side::White };

    /// The side to move.
    pub fn turn(&self) -> Side {
        self.turn
    }

    /// Sets the side to move.
    pub fn set_turn(&mut self, side: Side) {
        self.turn = side;
    }

    /// The number of pieces of a kind in a side's pocket.
    pub fn held(&self, side: Side, kind: Kind) -> u16 {
        self.pockets[side as usize].get(kind as usize).copied().unwrap_or(0)
    }

    /// The squares of all pieces.
    pub fn occupied(&self) -> u64 {
        self.sides[0] | self.sides[1]
    }

    /// The squares of all of a side's pieces.
    #[inline]
    pub fn all_of(&self, side: Side) -> u64 {
        self.sides[side as usize]
    }

    /// The squares of a side's pieces of a kind.
    #[inline]
    pub fn pieces(&self, side: Side, kind: Kind) -> u64 {
        self.sides[side as usize] & self.kinds[kind as usize]
    }

    /// The piece on a square.
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let side = Side::BOTH.into_iter().find(|side| self.sides[*side as usize] & square.bit() != 0)?;
        Some(Piece { side, kind: self.kind_at(square) })
    }

    /// Whether the side's king is attacked.
    pub fn in_check(&self, side: Side) -> bool {
        self.king(side).is_some_and(|king| self.attackers(king, side.other(), self.occupied()) != 0)
    }

    /// Whether the side to move is in check and has no move.
    pub fn is_mate(&self) -> bool {
        self.in_check(self.turn) && self.has_no_move()
    }

    /// Whether the side to move has no legal move.
    pub fn has_no_move(&self) -> bool {
        let mut moves = MoveList::new();
        self.legal_moves(&mut moves);
        moves.as_slice().is_empty()
    }

    /// The position after a legal move.
    #[inline]
    pub fn after(&self, legal: Move) -> Self {
        let mut next = *self;
        let to = legal.to();
        match legal.origin() {
            Origin::Pocket(piece) => {
                next.pockets[piece.side as usize][piece.kind as usize] -= 1;
                next.put(piece, to);
            }
            Origin::Board(from) => {
                next.take(to);
                next.shift(from, to);
            }
        }
        next.turn = self.turn.other();
        next
    }

    /// Moves a piece to a square that must be empty.
    fn shift(&mut self, from: Square, to: Square) {
        let kind = self.kind_at(from);
        let arrived = if kind == Kind::Pawn && to.bit() & ENDS != 0 { Kind::Queen } else { kind };
        self.sides[self.turn as usize] ^= from.bit() | to.bit();
        self.kinds[kind as usize] ^= from.bit();
        self.kinds[arrived as usize] ^= to.bit();
    }

    /// Moves the opponent's piece on a square, if any, into the pocket of the side to move.
    fn take(&mut self, square: Square) {
        let other = &mut self.sides[self.turn.other() as usize];
        if *other & square.bit() == 0 {
            return;
        }
        *other ^= square.bit();
        let kind = self.kind_at(square);
        self.kinds[kind as usize] ^= square.bit();
        // A king can be taken only in positions that no game reaches. It never goes to a pocket.
        if let Some(held) = self.pockets[self.turn as usize].get_mut(kind as usize) {
            *held += 1;
        }
    }

    pub(crate) fn put(&mut self, piece: Piece, square: Square) {
        self.sides[piece.side as usize] |= square.bit();
        self.kinds[piece.kind as usize] |= square.bit();
    }

    /// The kind of the piece on a square, without a branch. The result is meaningless for an empty square.
    #[inline]
    pub fn kind_at(&self, square: Square) -> Kind {
        let is = |kind: Kind| (self.kinds[kind as usize] >> square.index() & 1) as usize;
        let number =
            is(Kind::Knight) + 2 * is(Kind::Bishop) + 3 * is(Kind::Rook) + 4 * is(Kind::Queen) + 5 * is(Kind::King);
        Kind::ALL[number % 6]
    }

    /// The square of a side's king. `None` if it was taken, which never happens in a game.
    #[inline]
    pub fn king(&self, side: Side) -> Option<Square> {
        Squares(self.pieces(side, Kind::King)).next()
    }

    /// The pieces of a side that attack a square, if exactly the squares `occupied` are occupied.
    #[inline]
    pub fn attackers(&self, square: Square, side: Side, occupied: u64) -> u64 {
        let [pawns, knights, bishops, rooks, queens, kings] = self.kinds;
        let all = attacks::pawn(side.other(), square) & pawns
            | attacks::knight(square) & knights
            | attacks::king(square) & kings
            | attacks::bishop(square, occupied) & (bishops | queens)
            | attacks::rook(square, occupied) & (rooks | queens);
        all & self.sides[side as usize]
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}
