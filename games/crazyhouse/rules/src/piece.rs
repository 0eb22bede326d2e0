//! The two sides, the kinds of pieces, and their letters.

use core::fmt;

use serde::{Deserialize, Serialize};

/// A side of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The side that moves first in the start position.
    White,
    /// The other side.
    Black,
}

impl Side {
    /// Both sides, White first.
    pub const BOTH: [Self; 2] = [Self::White, Self::Black];

    /// The opponent.
    pub fn other(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }

    /// The name for programs: `white` or `black`.
    pub fn name(self) -> &'static str {
        match self {
            Self::White => "white",
            Self::Black => "black",
        }
    }

    /// The letter after a board text: `w` or `b`.
    pub fn letter(self) -> char {
        match self {
            Self::White => 'w',
            Self::Black => 'b',
        }
    }

    /// Parses `w` or `b`.
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

/// The kind of a piece. The numbers are indexes of tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Kind {
    /// A pawn.
    Pawn = 0,
    /// A knight.
    Knight = 1,
    /// A bishop.
    Bishop = 2,
    /// A rook.
    Rook = 3,
    /// A queen.
    Queen = 4,
    /// A king.
    King = 5,
}

impl Kind {
    /// All kinds, in the order of their numbers.
    pub const ALL: [Self; 6] = [Self::Pawn, Self::Knight, Self::Bishop, Self::Rook, Self::Queen, Self::King];
    /// The kinds that a pocket can hold.
    pub const HELD: [Self; 5] = [Self::Pawn, Self::Knight, Self::Bishop, Self::Rook, Self::Queen];

    /// The letter in lower case.
    pub const fn letter(self) -> u8 {
        b"pnbrqk"[self as usize]
    }

    /// The name for people, such as `pawn`.
    pub fn name(self) -> &'static str {
        ["pawn", "knight", "bishop", "rook", "queen", "king"][self as usize]
    }
}

/// A piece of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    /// The side that it belongs to.
    pub side: Side,
    /// Its kind.
    pub kind: Kind,
}

impl Piece {
    /// The letter of the piece: upper case for White.
    pub fn letter(self) -> char {
        let letter = char::from(self.kind.letter());
        match self.side {
            Side::White => letter.to_ascii_uppercase(),
            Side::Black => letter,
        }
    }

    /// Parses a letter: upper case is White.
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
