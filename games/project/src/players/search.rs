//! Where pieces may lie, as far as distances tell.

use std::collections::VecDeque;

use project_rules::{Area, Position, Zone};

/// So many are remembered.
const MOST: usize = 128;
/// How many of the newest count as signs of the same piece, and how much each counts.
const SIGNS: usize = 4;
const SIGN: u32 = 3;

/// A distance that somebody was told of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sighting {
    pub(super) at: Position,
    /// No piece lies nearer than this; for ever far when there was none at all.
    pub(super) least: i32,
    /// One lay exactly there.
    pub(super) exact: bool,
    pub(super) when: u64,
}

/// The newest at the end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sightings {
    list: VecDeque<Sighting>,
}

/// What is known of pieces to fetch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Hunt {
    /// None lay in the task area.
    Nothing,
    /// On one of these tiles lies one, with how likely each is compared with the others.
    Among(Vec<(Position, u32)>),
    /// No distance is known that still holds; one may lie on any of these.
    Anywhere(Vec<Position>),
}

impl Sightings {
    /// The Game Master told the distance from a tile.
    pub(super) fn distance(&mut self, at: Position, distance: i32, when: u64) {
        let sighting = match distance {
            ..0 => Sighting { at, least: i32::MAX, exact: false, when },
            0.. => Sighting { at, least: distance, exact: true, when },
        };
        self.insert(sighting);
    }

    /// A tile has no piece, whatever was known before.
    pub(super) fn none_at(&mut self, at: Position, when: u64) {
        self.insert(Sighting { at, least: 1, exact: false, when });
    }

    /// What was told of this tile last.
    pub(super) fn newest_at(&self, at: Position) -> Option<&Sighting> {
        self.list.iter().rev().find(|sighting| sighting.at == at)
    }

    /// Where a piece may be, as far as the newest distance tells.
    pub(super) fn hunt(&self, area: Area) -> Hunt {
        let Some(last) = self.list.back() else { return Hunt::Anywhere(area.tiles(Zone::Task).collect()) };
        let newest = self.list.iter().rev().take_while(|sighting| sighting.when == last.when);
        match newest.filter(|sighting| sighting.exact).min_by_key(|sighting| sighting.least) {
            Some(sign) => {
                let ring = area.tiles(Zone::Task).filter(|tile| tile.distance(sign.at) == sign.least);
                let ring: Vec<Position> = ring.collect();
                // No Game Master that knows its board says so.
                if ring.is_empty() { self.anywhere(area) } else { Hunt::Among(self.weighed(self.possible(ring))) }
            }
            None if last.least == i32::MAX => Hunt::Nothing,
            None => self.anywhere(area),
        }
    }

    fn anywhere(&self, area: Area) -> Hunt {
        Hunt::Anywhere(self.possible(area.tiles(Zone::Task).collect()))
    }

    /// Without the tiles that were too near to be so, as far back as that leaves any: older sightings may no longer hold.
    fn possible(&self, mut tiles: Vec<Position>) -> Vec<Position> {
        for sighting in self.list.iter().rev() {
            let is_possible = |tile: &&Position| tile.distance(sighting.at) >= sighting.least;
            let left = tiles.iter().filter(is_possible).count();
            if left == 0 {
                break;
            }
            if left < tiles.len() {
                tiles.retain(|tile| is_possible(&tile));
            }
        }
        tiles
    }

    /// A tile that is exactly as far from where somebody was before as it was told then is likelier.
    fn weighed(&self, tiles: Vec<Position>) -> Vec<(Position, u32)> {
        let signs: Vec<&Sighting> = self.list.iter().rev().filter(|sighting| sighting.exact).take(SIGNS).collect();
        let weigh = |tile: Position| {
            let fitting = signs.iter().filter(|sign| tile.distance(sign.at) == sign.least).count();
            (tile, SIGN.pow(fitting as u32))
        };
        tiles.into_iter().map(weigh).collect()
    }

    fn insert(&mut self, sighting: Sighting) {
        let later = self.list.iter().rev().take_while(|known| known.when > sighting.when).count();
        self.list.insert(self.list.len() - later, sighting);
        if self.list.len() > MOST {
            self.list.pop_front();
        }
    }
}
