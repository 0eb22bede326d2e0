//! Moves and drops, their text, and lists of them.

use core::fmt;

use crate::{
    piece::{Kind, Piece, Side},
    square::Square,
};

/// A move of a piece from square to square, or a drop from the pocket. The low six bits are the target square. The bits above
/// are the origin: a square, or from 64 on a piece of the pocket.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u16);

/// Where a piece comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A square of the board.
    Board(Square),
    /// The pocket of the side to move.
    Pocket(Piece),
}

/// `POCKET` is added to the origin of every drop, and `BLACK` to those of Black.
const POCKET: u16 = 64;
const BLACK: u16 = 8;

impl Move {
    /// A move from one square to another.
    pub const fn shift(from: Square, to: Square) -> Self {
        Self(to.index() as u16 | (from.index() as u16) << 6)
    }

    /// A drop from the pocket.
    pub const fn drop(piece: Piece, to: Square) -> Self {
        let origin = POCKET + piece.kind as u16 + BLACK * piece.side as u16;
        Self(to.index() as u16 | origin << 6)
    }

    /// The same move to another square. `self` must be a move to `a1`.
    #[inline]
    pub(crate) const fn to_index(self, to: u16) -> Self {
        Self(self.0 | to)
    }

    /// A unique number of the move, below [`Self::CODES`]. It can be used as the index of a table.
    #[inline]
    pub const fn code(self) -> u16 {
        self.0
    }

    /// The limit of [`code`](Self::code).
    pub const CODES: usize = 64 * (POCKET + 2 * BLACK) as usize;

    /// The target square.
    #[inline]
    pub fn to(self) -> Square {
        Square::new((self.0 & 63) as u8)
    }

    /// The origin of the piece.
    #[inline]
    pub fn origin(self) -> Origin {
        let origin = self.0 >> 6;
        if origin < POCKET {
            return Origin::Board(Square::new(origin as u8));
        }
        let side = if origin & BLACK == 0 { Side::White } else { Side::Black };
        Origin::Pocket(Piece { side, kind: Kind::ALL[usize::from(origin & (BLACK - 1))] })
    }

    /// Parses exactly `b3-c4` or `r-c4`.
    pub fn read(text: &str) -> Option<Self> {
        match *text.as_bytes() {
            [file, rank, b'-', ref to @ ..] => Some(Self::shift(Square::read(&[file, rank])?, Square::read(to)?)),
            [letter, b'-', ref to @ ..] => {
                let piece = Piece::from_letter(letter).filter(|piece| piece.kind != Kind::King)?;
                Some(Self::drop(piece, Square::read(to)?))
            }
            _ => None,
        }
    }

    /// The rank of the move's text in alphabetical order, below [`Self::PLACES`].
    pub(crate) fn place(self) -> usize {
        let by_file = |square: Square| usize::from(square.file()) * 8 + usize::from(square.rank());
        let origin = match self.origin() {
            // After the drops of the same letter, because `1` sorts after `-`.
            Origin::Board(from) => 16 * (1 + usize::from(from.file())) + 1 + usize::from(from.rank()),
            Origin::Pocket(Piece { side: Side::White, kind }) => PLACE_OF_WHITE[kind as usize],
            Origin::Pocket(Piece { side: Side::Black, kind }) => PLACE_OF_BLACK[kind as usize],
        };
        origin * 64 + by_file(self.to())
    }

    /// The text of an origin, by its place in alphabetical order: a square, or the letter of a piece and a zero.
    pub(crate) fn origin_at(place: usize) -> [u8; 2] {
        match place {
            0..16 => [b"BNPQR"[place % 5], 0],
            144.. => [b"npqr"[place % 4], 0],
            _ => {
                let (file, behind) = (b'a' + (place / 16 - 1) as u8, (place % 16) as u8);
                [file, if behind == 0 { 0 } else { b'0' + behind }]
            }
        }
    }

    /// The limit of [`place`](Self::place).
    pub(crate) const PLACES: usize = 64 * (16 * 9 + 5);
}

/// Upper case letters sort first: B, N, P, Q, R.
const PLACE_OF_WHITE: [usize; 5] = [2, 1, 0, 4, 3];
/// Lower case letters sort among the files: `b-` before `b1`, and n, p, q, r after h.
const PLACE_OF_BLACK: [usize; 5] = [16 * 9 + 1, 16 * 9, 16 * 2, 16 * 9 + 3, 16 * 9 + 2];

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.origin() {
            Origin::Board(from) => write!(f, "{from}-{}", self.to()),
            Origin::Pocket(piece) => write!(f, "{}-{}", piece.letter(), self.to()),
        }
    }
}

/// Enough for every move of any position: n own pieces have at most 27 n moves, and at most 16 of them reach each of the 64 - n
/// other squares; there are at most 5 (64 - n) drops. Together that is below 850.
const MOST: usize = 1024;

/// The moves of a position. A list is reused for many positions, so that moves need no allocation.
#[derive(Clone)]
pub struct MoveList {
    moves: [Move; MOST],
    len: usize,
}

impl MoveList {
    /// An empty list.
    pub const fn new() -> Self {
        Self { moves: [Move(0); MOST], len: 0 }
    }

    /// The moves, in the order in which they were added.
    pub fn as_slice(&self) -> &[Move] {
        &self.moves[..self.len]
    }

    #[inline]
    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }

    /// Adds a move to each of the squares.
    #[inline]
    pub(crate) fn add(&mut self, to_a1: Move, mut targets: u64) {
        let mut len = self.len;
        while targets != 0 {
            // `MOST` proves that the index is in range. The remainder lets the compiler omit its check.
            self.moves[len % MOST] = to_a1.to_index(targets.trailing_zeros() as u16);
            targets &= targets.wrapping_sub(1);
            len = len.wrapping_add(1);
        }
        self.len = len;
    }
}

impl Default for MoveList {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.as_slice()).finish()
    }
}
