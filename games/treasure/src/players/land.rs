//! Maps as graphs of fields, and the costs of walking on them.

use std::{cmp::Reverse, collections::BinaryHeap};

use treasure_rules::{Direction, Position, Profile, Terrain};

/// The number of a field. Fields are numbered row by row.
pub type Place = usize;

/// A rectangle of fields. The map of a game has at most 100 fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Land {
    width: usize,
    terrain: Vec<Terrain>,
}

/// A set of fields.
pub type Places = u128;

/// The empty set.
pub const NONE: Places = 0;

pub(super) fn only(place: Place) -> Places {
    1 << place
}

/// The fields of a set, in their order.
pub(super) fn each(mut places: Places) -> impl Iterator<Item = Place> {
    std::iter::from_fn(move || {
        let place = (places != NONE).then(|| places.trailing_zeros() as Place)?;
        places &= places - 1;
        Some(place)
    })
}

impl Land {
    /// Creates a land from the terrain of all fields, row by row.
    ///
    /// # Panics
    /// The rows are not full, or there are more than 128 fields.
    pub fn new(width: usize, terrain: Vec<Terrain>) -> Self {
        assert!(width > 0 && terrain.len().is_multiple_of(width) && terrain.len() <= 128, "rows are full, fields few");
        Self { width, terrain }
    }

    /// The number of fields in a row.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The number of rows.
    pub fn height(&self) -> usize {
        self.terrain.len() / self.width
    }

    /// All fields, row by row.
    pub fn places(&self) -> std::ops::Range<Place> {
        0..self.terrain.len()
    }

    /// The terrain of a field.
    pub fn terrain(&self, place: Place) -> Terrain {
        self.terrain[place]
    }

    /// All fields of a terrain.
    pub fn all(&self, terrain: Terrain) -> Places {
        self.places().filter(|&place| self.terrain[place] == terrain).map(only).sum()
    }

    /// The fields of a rectangle.
    pub fn within(&self, left: usize, top: usize, width: usize, height: usize) -> Places {
        let inside = |place: &Place| {
            (left..left + width).contains(&(place % self.width)) && (top..top + height).contains(&(place / self.width))
        };
        self.places().filter(inside).map(only).sum()
    }

    /// The number of a field that is on the map.
    pub fn place(&self, at: Position) -> Option<Place> {
        let (x, y) = (usize::from(at.x), usize::from(at.y));
        (x < self.width && y < self.height()).then_some(y * self.width + x)
    }

    /// The coordinates of a field.
    pub fn position(&self, place: Place) -> Position {
        let small = |number: usize| u8::try_from(number).expect("a map is small");
        Position::new(small(place % self.width), small(place / self.width))
    }

    /// The field in this direction, if it is on the map.
    pub fn beside(&self, place: Place, direction: Direction) -> Option<Place> {
        let (x, y) = (place % self.width, place / self.width);
        match direction {
            Direction::Up => (y > 0).then(|| place - self.width),
            Direction::Down => (y + 1 < self.height()).then_some(place + self.width),
            Direction::Left => (x > 0).then(|| place - 1),
            Direction::Right => (x + 1 < self.width).then_some(place + 1),
        }
    }

    /// The neighbouring fields that are not water, with their directions.
    pub fn neighbours(&self, place: Place) -> impl Iterator<Item = (Direction, Place)> + '_ {
        let beside = move |direction| Some((direction, self.beside(place, direction)?));
        Direction::ALL.into_iter().filter_map(beside).filter(|&(_, place)| self.terrain[place] != Terrain::Water)
    }

    /// The direction from a field to a neighbouring one.
    pub fn towards(&self, from: Place, to: Place) -> Option<Direction> {
        Direction::ALL.into_iter().find(|&direction| self.beside(from, direction) == Some(to))
    }

    /// The fields that are visible from a field: itself, and from a mountain those around it.
    fn sight(&self, place: Place, far: bool) -> Places {
        if !far || self.terrain[place] != Terrain::Mountain {
            return only(place);
        }
        let (x, y) = (place % self.width, place / self.width);
        let (left, top) = (x.saturating_sub(1), y.saturating_sub(1));
        self.within(left, top, x + 2 - left, y + 2 - top)
    }
}

/// Whether the protocol reports the fields that a mountain shows. The answers of 2017, where players count down, have no place
/// for them.
pub(super) fn tells_sight(profile: &Profile) -> bool {
    !profile.counts_down
}

/// The number of actions of a step. Players that count down need one more, because their count ends with zero.
pub fn toil(profile: &Profile, from: Terrain, to: Terrain) -> u32 {
    u32::from(from.cost()) + u32::from(to.cost()) + u32::from(profile.counts_down)
}

/// The cheapest ways between all fields, and the fields that are visible from each field.
#[derive(Clone, Debug)]
pub struct Roads {
    steps: Vec<Vec<(Place, u32)>>,
    sight: Vec<Places>,
    distance: Vec<Vec<u32>>,
}

/// The distance of fields that no way connects.
pub const NO_WAY: u32 = u32::MAX;

impl Roads {
    /// Computes all ways on a map.
    pub fn new(land: &Land, profile: &Profile) -> Self {
        let cost = |from, to| toil(profile, land.terrain(from), land.terrain(to));
        let steps_of = |from| land.neighbours(from).map(|(_, to)| (to, cost(from, to))).collect();
        let steps: Vec<Vec<(Place, u32)>> = land.places().map(steps_of).collect();
        let distance = land.places().map(|from| distances(&steps, from)).collect();
        Self { sight: land.places().map(|place| land.sight(place, tells_sight(profile))).collect(), distance, steps }
    }

    /// The neighbouring fields that can be entered, and the cost of each step.
    pub fn steps(&self, from: Place) -> &[(Place, u32)] {
        &self.steps[from]
    }

    /// The fields that are visible from this one.
    pub fn sight(&self, place: Place) -> Places {
        self.sight[place]
    }

    /// The cost of the cheapest way, or [`NO_WAY`].
    pub fn distance(&self, from: Place, to: Place) -> u32 {
        self.distance[from][to]
    }

    /// The fields within this cost of a field, in either direction.
    pub fn around(&self, place: Place, most: u32) -> Places {
        let near = |&(_, &distance): &(Place, &u32)| distance <= most && distance != NO_WAY;
        self.distance[place].iter().enumerate().filter(near).map(|(place, _)| only(place)).sum()
    }

    /// The fields of the cheapest way, without the first. Empty if no way leads there.
    pub fn way(&self, from: Place, to: Place) -> Vec<Place> {
        let mut way = Vec::new();
        let mut at = from;
        while at != to && self.distance[at][to] != NO_WAY {
            let nearer = |&&(next, cost): &&(Place, u32)| self.distance[next][to] + cost == self.distance[at][to];
            let Some(&(next, _)) =
                self.steps[at].iter().filter(|step| self.distance[step.0][to] != NO_WAY).find(nearer)
            else {
                break;
            };
            way.push(next);
            at = next;
        }
        way
    }
}

fn distances(steps: &[Vec<(Place, u32)>], from: Place) -> Vec<u32> {
    let mut distance = vec![NO_WAY; steps.len()];
    distance[from] = 0;
    let mut open = BinaryHeap::from([Reverse((0, from))]);
    while let Some(Reverse((cost, at))) = open.pop() {
        if cost > distance[at] {
            continue;
        }
        for &(next, step) in &steps[at] {
            let cost = cost + step;
            if cost < distance[next] {
                distance[next] = cost;
                open.push(Reverse((cost, next)));
            }
        }
    }
    distance
}
