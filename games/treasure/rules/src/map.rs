//! Fields, and where they are.

use core::fmt;

use serde::{Deserialize, Serialize};

/// What a field is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Terrain {
    Grass,
    Mountain,
    Water,
}

/// A column and a row from the top left, both from 0. Whoever reads numbers that do not fit takes 255, which is outside of
/// every map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Position {
    pub x: u8,
    pub y: u8,
}

/// Where an avatar can go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Direction {
    Up,
    Down,
    Left,
    Right,
}

/// One field of a half, as somebody sends it: nothing is checked yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Field {
    pub at: Position,
    pub terrain: Terrain,
    pub fort: bool,
}

impl Position {
    pub const fn new(x: u8, y: u8) -> Self {
        Self { x, y }
    }

    /// The position of any two numbers: what does not fit becomes 255.
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
    pub const ALL: [Self; 3] = [Self::Grass, Self::Mountain, Self::Water];

    /// What leaving or entering such a field costs. Water costs only those who are about to lose.
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

/// As the protocol of 2022 spells it.
impl fmt::Display for Terrain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// As the protocol of 2022 spells it.
impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}
