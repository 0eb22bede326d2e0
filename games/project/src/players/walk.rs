//! Finds a path to a tile around other players.

use std::collections::{BTreeMap, VecDeque};

use engine::JavaRandom;
use project_rules::{Area, Direction, Position, Team, Zone};

pub(super) const DIRECTIONS: [Direction; 4] = [Direction::Left, Direction::Up, Direction::Right, Direction::Down];

/// How long a player avoids a tile on which another player stood, in milliseconds.
const AVOIDED_MS: u64 = 400;
/// After this many failed steps in a row, the player makes room with a random step.
const MAX_FAILURES: u32 = 3;

/// The tiles where other players were in the way recently.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Crowd {
    until: BTreeMap<Position, u64>,
    failures: u32,
}

/// A player that looks for a path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Walker {
    pub(super) area: Area,
    pub(super) team: Team,
    pub(super) from: Position,
    pub(super) now: u64,
}

impl Crowd {
    /// Notes that another player stands on a tile.
    pub(super) fn meet(&mut self, at: Position, now: u64) {
        self.until.insert(at, now + AVOIDED_MS);
    }

    /// Notes that a step onto a tile failed, so another player must be on it.
    pub(super) fn fail(&mut self, at: Position, now: u64) {
        self.failures += 1;
        self.meet(at, now);
    }

    pub(super) fn pass(&mut self) {
        self.failures = 0;
    }

    pub(super) fn is_at(&self, at: Position, now: u64) -> bool {
        self.until.get(&at).is_some_and(|until| now < *until)
    }

    pub(super) fn is_stuck(&self) -> bool {
        self.failures >= MAX_FAILURES
    }
}

impl Walker {
    /// Whether the rules allow this player to enter a tile.
    pub(super) fn may_enter(self, to: Position) -> bool {
        match self.area.zone(to) {
            None => false,
            Some(Zone::Task) => true,
            Some(Zone::Goal(team)) => team == self.team,
        }
    }

    /// The directions in which the player can step.
    pub(super) fn ways(self, crowd: &Crowd) -> Vec<Direction> {
        let is_open = |way: &Direction| {
            let to = self.from.toward(*way);
            self.may_enter(to) && !crowd.is_at(to, self.now)
        };
        DIRECTIONS.into_iter().filter(is_open).collect()
    }

    /// The next step to a tile, around other players. After too many failed steps it is a random step. `None` if there is no
    /// path.
    pub(super) fn toward(self, to: Position, crowd: &Crowd, random: &mut JavaRandom) -> Option<Direction> {
        let ways = self.ways(crowd);
        if crowd.is_stuck() {
            return clients::pick(&ways, random);
        }
        let nearer: Vec<Direction> =
            ways.iter().copied().filter(|way| self.from.toward(*way).distance(to) < self.from.distance(to)).collect();
        if let Some(way) = clients::pick(&nearer, random) {
            return Some(way);
        }
        self.detour(to, crowd, random).or_else(|| clients::pick(&ways, random))
    }

    /// The first step of a shortest path around other players.
    fn detour(self, to: Position, crowd: &Crowd, random: &mut JavaRandom) -> Option<Direction> {
        let mut ways = self.ways(crowd);
        // Two players that meet head-on must not always choose the same side.
        random.shuffle(&mut ways);
        let mut first: BTreeMap<Position, Direction> = ways.iter().map(|way| (self.from.toward(*way), *way)).collect();
        let mut next: VecDeque<Position> = ways.iter().map(|way| self.from.toward(*way)).collect();
        while let Some(at) = next.pop_front() {
            let way = first[&at];
            if at == to {
                return Some(way);
            }
            for onward in DIRECTIONS.map(|onward| at.toward(onward)) {
                // The player on the target tile will probably have left by then.
                let is_free = onward == to || !crowd.is_at(onward, self.now);
                if onward != self.from && self.may_enter(onward) && is_free && !first.contains_key(&onward) {
                    first.insert(onward, way);
                    next.push_back(onward);
                }
            }
        }
        None
    }
}
