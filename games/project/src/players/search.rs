//! Concludes from distances where pieces may lie.

use std::collections::VecDeque;

use project_rules::{Area, Position, Zone};

/// The maximum number of sightings to remember.
const MAX_SIGHTINGS: usize = 128;
/// How many of the newest distances are compared, as signs of the same piece.
const SIGNS: usize = 4;
/// The factor by which a matching sign makes a tile more likely.
const SIGN_WEIGHT: u32 = 3;

/// A known distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sighting {
    pub(super) at: Position,
    /// No piece lies nearer than this. The largest number if there was no piece at all.
    pub(super) least: i32,
    /// Whether a piece lay exactly at that distance.
    pub(super) exact: bool,
    pub(super) when: u64,
}

/// The known distances, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sightings {
    list: VecDeque<Sighting>,
}

/// Where to look for a piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Hunt {
    /// The task area had no piece.
    Nothing,
    /// A piece lies on one of these tiles. The numbers are relative likelihoods.
    Among(Vec<(Position, u32)>),
    /// No known distance is still valid. A piece may lie on any of these tiles.
    Anywhere(Vec<Position>),
}

impl Sightings {
    /// Notes the distance from a tile.
    pub(super) fn distance(&mut self, at: Position, distance: i32, when: u64) {
        let sighting = match distance {
            ..0 => Sighting { at, least: i32::MAX, exact: false, when },
            0.. => Sighting { at, least: distance, exact: true, when },
        };
        self.insert(sighting);
    }

    /// Notes that a tile has no piece.
    pub(super) fn none_at(&mut self, at: Position, when: u64) {
        self.insert(Sighting { at, least: 1, exact: false, when });
    }

    /// The newest sighting at a tile.
    pub(super) fn newest_at(&self, at: Position) -> Option<&Sighting> {
        self.list.iter().rev().find(|sighting| sighting.at == at)
    }

    /// Where a piece may be, according to the newest distances.
    pub(super) fn hunt(&self, area: Area) -> Hunt {
        let Some(last) = self.list.back() else { return Hunt::Anywhere(area.tiles(Zone::Task).collect()) };
        let newest = self.list.iter().rev().take_while(|sighting| sighting.when == last.when);
        match newest.filter(|sighting| sighting.exact).min_by_key(|sighting| sighting.least) {
            Some(sign) => {
                let ring = area.tiles(Zone::Task).filter(|tile| tile.distance(sign.at) == sign.least);
                let ring: Vec<Position> = ring.collect();
                // A correct Game Master never sends such a distance.
                if ring.is_empty() { self.anywhere(area) } else { Hunt::Among(self.weighed(self.possible(ring))) }
            }
            None if last.least == i32::MAX => Hunt::Nothing,
            None => self.anywhere(area),
        }
    }

    fn anywhere(&self, area: Area) -> Hunt {
        Hunt::Anywhere(self.possible(area.tiles(Zone::Task).collect()))
    }

    /// Removes the tiles that contradict a sighting, from the newest sighting to the oldest, as long as any tile is left. Older
    /// sightings may be outdated.
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

    /// Weighs tiles: a tile that fits several of the newest distances is more likely.
    fn weighed(&self, tiles: Vec<Position>) -> Vec<(Position, u32)> {
        let signs: Vec<&Sighting> = self.list.iter().rev().filter(|sighting| sighting.exact).take(SIGNS).collect();
        let weigh = |tile: Position| {
            let fitting = signs.iter().filter(|sign| tile.distance(sign.at) == sign.least).count();
            (tile, SIGN_WEIGHT.pow(fitting as u32))
        };
        tiles.into_iter().map(weigh).collect()
    }

    fn insert(&mut self, sighting: Sighting) {
        let later = self.list.iter().rev().take_while(|known| known.when > sighting.when).count();
        self.list.insert(self.list.len() - later, sighting);
        if self.list.len() > MAX_SIGHTINGS {
            self.list.pop_front();
        }
    }
}
