//! Squares, and sets of them as the bits of a word.

use core::fmt;

/// A square: 0 is a1, 7 is h1, 63 is h8.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// # Panics
    /// The number is above 63.
    pub const fn new(index: u8) -> Self {
        assert!(index < 64);
        Self(index)
    }

    /// The square on a file and a rank, each from 0 to 7.
    ///
    /// # Panics
    /// The file or the rank is above 7.
    pub const fn at(file: u8, rank: u8) -> Self {
        assert!(file < 8 && rank < 8);
        Self(rank * 8 + file)
    }

    /// The number of the square: from 0 for a1 to 63 for h8, rank by rank.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The file, from 0 for a to 7 for h.
    pub const fn file(self) -> u8 {
        self.0 & 7
    }

    /// The rank, from 0 for rank 1 to 7 for rank 8.
    pub const fn rank(self) -> u8 {
        self.0 >> 3
    }

    /// The set that contains only this square.
    pub const fn bit(self) -> u64 {
        1 << self.0
    }

    /// All squares, a1 first.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..64).map(Self)
    }

    /// Parses a square, such as `e4`.
    pub fn read(text: &[u8]) -> Option<Self> {
        match *text {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Some(Self::at(file - b'a', rank - b'1')),
            _ => None,
        }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.file()), self.rank() + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The squares of a set, from a1 on.
#[derive(Clone, Copy, Debug)]
pub struct Squares(pub u64);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        let lowest = self.0.trailing_zeros() as u8;
        self.0 &= self.0.wrapping_sub(1);
        Some(Square(lowest & 63))
    }
}

pub(crate) const FILE_A: u64 = 0x0101_0101_0101_0101;
pub(crate) const FILE_H: u64 = FILE_A << 7;
pub(crate) const RANK_1: u64 = 0xff;
pub(crate) const RANK_8: u64 = RANK_1 << 56;
/// The first and the last rank, where no pawn may stand.
pub(crate) const ENDS: u64 = RANK_1 | RANK_8;
