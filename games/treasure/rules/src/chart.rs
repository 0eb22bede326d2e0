//! The map of a game, with one half or both.

use alloc::{vec, vec::Vec};

use serde::{Deserialize, Serialize};

use crate::{
    map::{Direction, Position, Terrain},
    profile::Profile,
};

/// The side of the map that a half is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Placement {
    /// The upper side.
    Top,
    /// The lower side.
    Bottom,
    /// The left side.
    Left,
    /// The right side.
    Right,
}

impl Placement {
    /// All sides.
    pub const ALL: [Self; 4] = [Self::Top, Self::Bottom, Self::Left, Self::Right];

    /// The side of the other half.
    pub fn other(self) -> Self {
        match self {
            Self::Top => Self::Bottom,
            Self::Bottom => Self::Top,
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }

    /// The columns and rows of the whole map.
    pub fn size(self, profile: &Profile) -> (u8, u8) {
        match self {
            Self::Top | Self::Bottom => (profile.width, profile.height * 2),
            Self::Left | Self::Right => (profile.width * 2, profile.height),
        }
    }

    /// The place on the map of a field of this half.
    pub fn place(self, profile: &Profile, at: Position) -> Position {
        match self {
            Self::Top | Self::Left => at,
            Self::Bottom => Position::new(at.x, at.y + profile.height),
            Self::Right => Position::new(at.x + profile.width, at.y),
        }
    }
}

/// A map with one known half, or both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chart {
    width: u8,
    height: u8,
    terrain: Vec<Option<Terrain>>,
}

impl Chart {
    pub(crate) fn new((width, height): (u8, u8)) -> Self {
        Self { width, height, terrain: vec![None; usize::from(width) * usize::from(height)] }
    }

    /// Puts a half, row by row, on its side of the map.
    pub(crate) fn put(&mut self, profile: &Profile, placement: Placement, half: &[Terrain]) {
        let columns = usize::from(profile.width);
        for (place, terrain) in half.iter().enumerate() {
            let at = Position::new((place % columns) as u8, (place / columns) as u8);
            let place = self.place(placement.place(profile, at)).expect("a half has a place on its map");
            self.terrain[place] = Some(*terrain);
        }
    }

    /// The side of the map that has no half yet.
    pub(crate) fn free_side(&self, profile: &Profile) -> Option<Placement> {
        let is_free = |side: &Placement| {
            side.size(profile) == (self.width, self.height)
                && self.terrain(side.place(profile, Position::new(0, 0))).is_none()
        };
        Placement::ALL.into_iter().find(is_free)
    }

    /// The number of columns.
    pub fn width(&self) -> u8 {
        self.width
    }

    /// The number of rows.
    pub fn height(&self) -> u8 {
        self.height
    }

    /// Whether both halves are there.
    pub fn is_complete(&self) -> bool {
        self.terrain.iter().all(Option::is_some)
    }

    /// The terrain of a field, if it is on the map and known.
    pub fn terrain(&self, at: Position) -> Option<Terrain> {
        self.place(at).and_then(|place| self.terrain[place])
    }

    /// The known fields, row by row.
    pub fn fields(&self) -> impl Iterator<Item = (Position, Terrain)> {
        let columns = usize::from(self.width);
        let at = move |place: usize| Position::new((place % columns) as u8, (place / columns) as u8);
        self.terrain.iter().enumerate().filter_map(move |(place, terrain)| terrain.map(|terrain| (at(place), terrain)))
    }

    /// The next field in a direction, if it is on the map.
    pub fn step(&self, from: Position, direction: Direction) -> Option<Position> {
        from.toward(direction).filter(|to| self.place(*to).is_some())
    }

    /// The number of commands for a step in a direction. A step off the map costs as much as a step to grass.
    pub fn cost(&self, from: Position, direction: Direction) -> u8 {
        let cost = |at| self.terrain(at).unwrap_or(Terrain::Grass).cost();
        cost(from) + self.step(from, direction).map_or(Terrain::Grass.cost(), cost)
    }

    /// The fields that are visible from a field: the field itself, and from a mountain the 8 around it.
    pub fn sight(&self, from: Position) -> impl Iterator<Item = Position> {
        let far = u8::from(self.terrain(from) == Some(Terrain::Mountain));
        let rows = from.y.saturating_sub(far)..=from.y.saturating_add(far);
        let columns = from.x.saturating_sub(far)..=from.x.saturating_add(far);
        rows.flat_map(move |y| columns.clone().map(move |x| Position::new(x, y))).filter(|at| self.place(*at).is_some())
    }

    fn place(&self, at: Position) -> Option<usize> {
        (at.x < self.width && at.y < self.height)
            .then(|| usize::from(at.y) * usize::from(self.width) + usize::from(at.x))
    }
}
