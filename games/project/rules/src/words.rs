//! Positions, directions, tiles and results, which commands and events share.

use core::fmt;

use serde::{Deserialize, Serialize};

use crate::{member, team::Team};

/// The direction of a step. Up is `y + 1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Direction {
    /// To `x - 1`.
    Left,
    /// To `y + 1`.
    Up,
    /// To `x + 1`.
    Right,
    /// To `y - 1`.
    Down,
}

/// The position of a tile, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Position {
    /// The column, from the left.
    pub x: i32,
    /// The row, from the bottom.
    pub y: i32,
}

/// The result of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Tested {
    /// The piece is valid.
    Piece,
    /// The piece is a sham.
    Sham,
}

/// The result of placing a piece. Placing a sham has no result, because it gets no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Placed {
    /// A goal is completed.
    Completed,
    /// There is no goal on the tile.
    Meaningless,
    /// No piece may be placed on the tile.
    Disallowed,
}

/// Why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum EndReason {
    /// A team has completed all its goals.
    Success,
    /// An unexpected error.
    Failure,
    /// No team can win, or the game did not make progress in time.
    Timeout,
}

/// A player's knowledge of the content of a tile. The Game Master sends only `Nothing` and `Piece`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TileObject {
    /// The player knows of nothing on the tile.
    Nothing,
    /// A piece lies on the tile.
    Piece,
    /// The tile has a goal, which is completed.
    CompletedGoal,
    /// The tile has no goal.
    NonGoal,
}

/// A tile as a player saw it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tile {
    /// The position of the tile.
    pub position: Position,
    /// The distance to the nearest piece in the task area; -1 if the task area has no piece.
    pub distance: i32,
    /// The player on the tile.
    #[serde(default, with = "member::one")]
    pub player: Option<(u32, Team)>,
    /// The known content of the tile.
    pub object: TileObject,
}

/// A tile that one player shares with another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hearsay {
    /// The tile.
    pub tile: Tile,
    /// How long ago the tile was seen, in milliseconds.
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
