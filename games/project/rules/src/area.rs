//! The shape of the board: each team has a goal area at one end, and the task area is between them.

use crate::{team::Team, words::Position};

/// The size and the zones of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    /// The width of the board, in tiles.
    pub width: i32,
    /// The height of the board, in tiles.
    pub height: i32,
}

/// The part of the board that a tile belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zone {
    /// The task area, where pieces appear.
    Task,
    /// The goal area of a team.
    Goal(Team),
}

impl Area {
    /// The number of rows in each goal area.
    pub fn goal_rows(self) -> i32 {
        self.height.max(0) / 4
    }

    /// The zone of a tile; `None` if the tile is off the board.
    pub fn zone(self, at: Position) -> Option<Zone> {
        let Position { x, y } = at;
        if !(0..self.width).contains(&x) || !(0..self.height).contains(&y) {
            return None;
        }
        Some(if y < self.goal_rows() {
            Zone::Goal(Team::Blue)
        } else if y >= self.height - self.goal_rows() {
            Zone::Goal(Team::Red)
        } else {
            Zone::Task
        })
    }

    /// All tiles of a zone, row by row from the bottom.
    pub fn tiles(self, zone: Zone) -> impl Iterator<Item = Position> {
        let rows = match zone {
            Zone::Goal(Team::Blue) => 0..self.goal_rows(),
            Zone::Task => self.goal_rows()..self.height - self.goal_rows(),
            Zone::Goal(Team::Red) => self.height - self.goal_rows()..self.height,
        };
        rows.flat_map(move |y| (0..self.width).map(move |x| Position { x, y }))
    }

    /// The number of tiles in a zone.
    pub fn size(self, zone: Zone) -> i64 {
        let rows = match zone {
            Zone::Goal(_) => self.goal_rows(),
            Zone::Task => self.height.max(0) - 2 * self.goal_rows(),
        };
        i64::from(self.width.max(0)) * i64::from(rows)
    }

    /// The neighbours of a tile, up to eight, row by row from the bottom.
    pub fn around(self, at: Position) -> impl Iterator<Item = Position> {
        let near = (-1..=1).flat_map(move |dy| (-1..=1).map(move |dx| Position { x: at.x + dx, y: at.y + dy }));
        near.filter(move |tile| *tile != at && self.zone(*tile).is_some())
    }

    /// The tile at the same place on the other team's side.
    pub fn mirrored(self, at: Position) -> Position {
        Position { x: at.x, y: self.height - 1 - at.y }
    }
}
