//! The two sides, the kinds of pieces, and their letters.

use core::fmt;

use serde::{Deserialize, Serialize};

/// Who moves a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    White,
    Black,
}

impl Side {
    pub const BOTH: [Self; 2] = [Self::White, Self::Black];

    pub fn other(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }

    /// For programs: `white` or `black`.
    pub fn name(self) -> &'static str {
        match self {
            Self::White => "white",
            Self::Black => "black",
        }
    }

    /// As it stands behind a board: `w` or `b`.
    pub fn letter(self) -> char {
        match self {
            Self::White => 'w',
            Self::Black => 'b',
        }
    }

    pub fn from_letter(letter: &str) -> Option<Self> {
        match letter {
            "w" => Some(Self::White),
            "b" => Some(Self::Black),
            _ => None,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::White => "White",
            Self::Black => "Black",
        })
    }
}

/// What a piece is. The numbers are places in tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Kind {
    Pawn = 0,
    Knight = 1,
    Bishop = 2,
    Rook = 3,
    Queen = 4,
    King = 5,
}

impl Kind {
    pub const ALL: [Self; 6] = [Self::Pawn, Self::Knight, Self::Bishop, Self::Rook, Self::Queen, Self::King];
    /// What a pocket may hold.
    pub const HELD: [Self; 5] = [Self::Pawn, Self::Knight, Self::Bishop, Self::Rook, Self::Queen];

    /// In lower case.
    pub const fn letter(self) -> u8 {
        b"pnbrqk"[self as usize]
    }

    pub fn name(self) -> &'static str {
        ["pawn", "knight", "bishop", "rook", "queen", "king"][self as usize]
    }
}

/// A piece of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    pub side: Side,
    pub kind: Kind,
}

impl Piece {
    /// White's letters are upper case.
    pub fn letter(self) -> char {
        let letter = char::from(self.kind.letter());
        match self.side {
            Side::White => letter.to_ascii_uppercase(),
            Side::Black => letter,
        }
    }

    pub fn from_letter(letter: u8) -> Option<Self> {
        let kind = Kind::ALL.into_iter().find(|kind| kind.letter() == letter.to_ascii_lowercase())?;
        let side = if letter.is_ascii_uppercase() { Side::White } else { Side::Black };
        Some(Self { side, kind })
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.side.name(), self.kind.name())
    }
}
