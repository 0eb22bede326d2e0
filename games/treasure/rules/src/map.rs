//! Fields, positions and directions.

use core::fmt;

use serde::{Deserialize, Serialize};

/// The terrain of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Terrain {
    /// Costs 1 to leave or enter.
    Grass,
    /// Costs 2 to leave or enter, and shows the fields around it.
    Mountain,
    /// A player that enters it loses.
    Water,
}

/// A column and a row from the top left, both from 0. Numbers that do not fit become 255, which is outside of every map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Position {
    /// The column.
    pub x: u8,
    /// The row.
    pub y: u8,
}

/// A direction in which an avatar can go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Direction {
    /// To the row above.
    Up,
    /// To the row below.
    Down,
    /// To the column before.
    Left,
    /// To the column after.
    Right,
}

/// A field of a half as a client sends it. Nothing is checked yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Field {
    /// Its position in the half.
    pub at: Position,
    /// Its terrain.
    pub terrain: Terrain,
    /// Whether the player's fort is on it.
    pub fort: bool,
}

impl Position {
    /// A position.
    pub const fn new(x: u8, y: u8) -> Self {
        Self { x, y }
    }

    /// The position of any two numbers. Numbers that do not fit become 255.
    pub fn clamped(x: i64, y: i64) -> Self {
        Self { x: u8::try_from(x).unwrap_or(u8::MAX), y: u8::try_from(y).unwrap_or(u8::MAX) }
    }

    /// The next position in a direction, unless it would be left of the first column or above the first row.
    pub fn toward(self, direction: Direction) -> Option<Self> {
        let Self { x, y } = self;
        match direction {
            Direction::Up => y.checked_sub(1).map(|y| Self { x, y }),
            Direction::Down => y.checked_add(1).map(|y| Self { x, y }),
            Direction::Left => x.checked_sub(1).map(|x| Self { x, y }),
            Direction::Right => x.checked_add(1).map(|x| Self { x, y }),
        }
    }
}

impl Terrain {
    /// All terrains.
    pub const ALL: [Self; 3] = [Self::Grass, Self::Mountain, Self::Water];

    /// The cost of leaving or entering such a field.
    pub const fn cost(self) -> u8 {
        match self {
            Self::Grass | Self::Water => 1,
            Self::Mountain => 2,
        }
    }

    /// The word for it in a sentence.
    pub const fn noun(self) -> &'static str {
        match self {
            Self::Grass => "grass",
            Self::Mountain => "mountain",
            Self::Water => "water",
        }
    }
}

impl Direction {
    /// All directions.
    pub const ALL: [Self; 4] = [Self::Up, Self::Down, Self::Left, Self::Right];

    /// The word for it in a sentence.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Up => "up",
            Self::Down => "down",
            Self::Left => "left",
            Self::Right => "right",
        }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |number: u8, f: &mut fmt::Formatter<'_>| match number {
            u8::MAX => f.write_str("out of range"),
            _ => write!(f, "{number}"),
        };
        f.write_str("(")?;
        number(self.x, f)?;
        f.write_str(", ")?;
        number(self.y, f)?;
        f.write_str(")")
    }
}

/// The name in the protocol of 2022.
impl fmt::Display for Terrain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// The name in the protocol of 2022.
impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}
