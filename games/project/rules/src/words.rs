//! What everybody at the table talks about.

use core::fmt;

use serde::{Deserialize, Serialize};

use crate::{member, team::Team};

/// Where a player can go. Up is `y + 1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Direction {
    Left,
    Up,
    Right,
    Down,
}

/// A tile's place: x from the left, y from the bottom, both from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Position {
    pub x: i32,
    pub y: i32,
}

/// What testing a piece says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Tested {
    Piece,
    Sham,
}

/// What placing a piece says. A sham that is placed says nothing at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Placed {
    Completed,
    Meaningless,
    Disallowed,
}

/// Why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum EndReason {
    Success,
    Failure,
    Timeout,
}

/// What lies on a tile, as far as somebody knows. The Game Master tells of `Nothing` and `Piece` only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TileObject {
    Nothing,
    Piece,
    CompletedGoal,
    NonGoal,
}

/// A tile as somebody saw it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tile {
    pub position: Position,
    /// To the nearest piece that lies in the task area; -1 if there is none.
    pub distance: i32,
    /// Who stood there.
    #[serde(default, with = "member::one")]
    pub player: Option<(u32, Team)>,
    pub object: TileObject,
}

/// A tile as one player tells another of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hearsay {
    pub tile: Tile,
    /// How long ago somebody saw it, in milliseconds.
    pub age: u64,
}

impl Position {
    /// The next tile in a direction, which may be off the board.
    pub fn toward(self, direction: Direction) -> Self {
        let Self { x, y } = self;
        match direction {
            Direction::Left => Self { x: x - 1, y },
            Direction::Up => Self { x, y: y + 1 },
            Direction::Right => Self { x: x + 1, y },
            Direction::Down => Self { x, y: y - 1 },
        }
    }

    /// The Manhattan distance.
    pub fn distance(self, other: Self) -> i32 {
        (self.x - other.x).abs() + (self.y - other.y).abs()
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.x, self.y)
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Left => "left",
            Self::Up => "up",
            Self::Right => "right",
            Self::Down => "down",
        })
    }
}
