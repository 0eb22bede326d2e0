//! A half as it was sent, in rows and columns, and the search for its violations.

use alloc::{vec, vec::Vec};

use super::{Edge, Edges, Report, Violation};
use crate::{
    map::{Direction, Field, Position, Terrain},
    profile::Profile,
};

/// The most outside fields or forts that a violation lists. A client can send any number of them.
const MOST_LISTED: usize = 100;

pub(super) struct Sheet<'s> {
    profile: &'s Profile,
    fields: &'s [Field],
    /// The first field for each place, row by row.
    terrain: Vec<Option<Terrain>>,
    /// How often each place was sent.
    times: Vec<u32>,
}

impl<'s> Sheet<'s> {
    pub(super) fn new(profile: &'s Profile, fields: &'s [Field]) -> Self {
        let mut sheet = Self { profile, fields, terrain: vec![None; profile.size()], times: vec![0; profile.size()] };
        for field in fields {
            if let Some(place) = sheet.place(field.at) {
                sheet.terrain[place].get_or_insert(field.terrain);
                sheet.times[place] += 1;
            }
        }
        sheet
    }

    /// All fields row by row, if none is missing.
    pub(super) fn whole(&self) -> Option<Vec<Terrain>> {
        self.terrain.iter().copied().collect()
    }

    pub(super) fn forts(&self) -> Vec<&Field> {
        self.fields.iter().filter(|field| field.fort).take(MOST_LISTED).collect()
    }

    pub(super) fn report(&self) -> Report {
        let count = |terrain| self.all(terrain).len() as u8;
        let wet = |edge| self.water_on(edge).len() as u8;
        Report {
            fields: self.fields.len() as u32,
            grass: count(Terrain::Grass),
            mountain: count(Terrain::Mountain),
            water: count(Terrain::Water),
            forts: self.fort_count(),
            edges: Edges {
                top: wet(Edge::Top),
                bottom: wet(Edge::Bottom),
                left: wet(Edge::Left),
                right: wet(Edge::Right),
            },
            connected: self.parts().len() < 2,
        }
    }
}

/// The search for violations.
impl Sheet<'_> {
    pub(super) fn find_wrong_fields(&self, found: &mut Vec<Violation>) {
        let &Profile { width, height, .. } = self.profile;
        if self.fields.len() != self.profile.size() {
            let expected = self.profile.size() as u32;
            found.push(Violation::WrongNumberOfFields { found: self.fields.len() as u32, expected });
        }
        let outside = self.fields.iter().map(|field| field.at).filter(|at| self.place(*at).is_none());
        found.extend(outside.take(MOST_LISTED).map(|at| Violation::FieldOutside { at, width, height }));
        for (place, times) in self.times.iter().enumerate() {
            let at = self.at(place);
            match times {
                0 => found.push(Violation::FieldMissing { at }),
                1 => {}
                times => found.push(Violation::FieldTwice { at, times: *times }),
            }
        }
    }

    pub(super) fn find_shortages(&self, found: &mut Vec<Violation>) {
        for terrain in Terrain::ALL {
            let (at, least) = (self.all(terrain), self.profile.least(terrain));
            if at.len() < usize::from(least) {
                found.push(Violation::TooFewFields { terrain, found: at.len() as u8, least, at });
            }
        }
    }

    pub(super) fn find_wrong_edges(&self, found: &mut Vec<Violation>) {
        for edge in [Edge::Top, Edge::Bottom, Edge::Left, Edge::Right] {
            let at = self.water_on(edge);
            let (least, most) = match edge {
                Edge::Top | Edge::Bottom => (self.profile.least_water_across, Some(self.profile.most_water_across)),
                Edge::Left | Edge::Right => (self.profile.least_water_down, self.profile.most_water_down),
            };
            if at.len() < usize::from(least) {
                found.push(Violation::TooLittleWaterOnEdge { edge, found: at.len() as u8, least, at: at.clone() });
            }
            if let Some(most) = most.filter(|most| at.len() > usize::from(*most)) {
                found.push(Violation::TooMuchWaterOnEdge { edge, found: at.len() as u8, most, at });
            }
        }
    }

    pub(super) fn find_wrong_forts(&self, found: &mut Vec<Violation>) {
        let forts = self.forts();
        let (count, most) = (self.fort_count(), self.profile.most_forts);
        if !(1..=u32::from(most)).contains(&count) {
            let at = forts.iter().map(|fort| fort.at).collect();
            found.push(match most {
                1 => Violation::WrongNumberOfForts { found: count, at },
                most => Violation::TooManyForts { found: count, most, at },
            });
        }
        let wrong = forts.iter().filter(|fort| fort.terrain != Terrain::Grass);
        found.extend(wrong.map(|fort| Violation::FortNotOnGrass { at: fort.at, terrain: fort.terrain }));
    }

    /// Finds the islands. The largest part is the land, and all other parts are islands.
    pub(super) fn find_islands(&self, found: &mut Vec<Violation>) {
        let mut parts = self.parts();
        // If parts have the same size, the first in reading order is the land.
        let Some(largest) = (0..parts.len()).rev().max_by_key(|part| parts[*part].len()) else { return };
        let connected = parts.swap_remove(largest).len() as u32;
        let mut places: Vec<usize> = parts.concat();
        places.sort_unstable();
        let at: Vec<Position> =
            places.into_iter().filter(|place| self.terrain[*place].is_some()).map(|place| self.at(place)).collect();
        if !at.is_empty() {
            found.push(Violation::Island { at, connected });
        }
    }
}

/// The contents of the half.
impl Sheet<'_> {
    fn all(&self, terrain: Terrain) -> Vec<Position> {
        let places = (0..self.terrain.len()).filter(|place| self.terrain[*place] == Some(terrain));
        places.map(|place| self.at(place)).collect()
    }

    fn fort_count(&self) -> u32 {
        self.fields.iter().filter(|field| field.fort).count() as u32
    }

    fn water_on(&self, edge: Edge) -> Vec<Position> {
        let is_on = |at: &Position| match edge {
            Edge::Top => at.y == 0,
            Edge::Bottom => at.y == self.profile.height - 1,
            Edge::Left => at.x == 0,
            Edge::Right => at.x == self.profile.width - 1,
        };
        self.all(Terrain::Water).into_iter().filter(is_on).collect()
    }

    /// The parts into which water divides the half. Missing fields connect, because they are reported elsewhere.
    fn parts(&self) -> Vec<Vec<usize>> {
        let mut open: Vec<bool> = self.terrain.iter().map(|terrain| *terrain != Some(Terrain::Water)).collect();
        let mut parts = Vec::new();
        while let Some(start) = open.iter().position(|open| *open) {
            open[start] = false;
            let mut part = vec![start];
            let mut next = 0;
            while next < part.len() {
                let at = self.at(part[next]);
                let around = Direction::ALL.into_iter().filter_map(|direction| self.place(at.toward(direction)?));
                part.extend(around.filter(|place| core::mem::take(&mut open[*place])));
                next += 1;
            }
            parts.push(part);
        }
        parts
    }

    fn place(&self, at: Position) -> Option<usize> {
        let &Profile { width, height, .. } = self.profile;
        (at.x < width && at.y < height).then(|| usize::from(at.y) * usize::from(width) + usize::from(at.x))
    }

    fn at(&self, place: usize) -> Position {
        let columns = usize::from(self.profile.width);
        Position::new((place % columns) as u8, (place / columns) as u8)
    }
}
