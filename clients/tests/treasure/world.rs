//! A small world with the rules that a player meets.

use clients::treasure::{
    half::Half,
    land::{Land, Place, toil},
    mind::{Enemy, Guide, News},
    year::Year,
};
use engine::JavaRandom;
use treasure::{Direction, Position, Terrain};

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// This one entered the other's fort with the treasure.
    Won(usize),
    /// This one went into the water or off the map.
    Drowned(usize),
    /// All actions were made. In 2022 it was this one's turn, who has lost; in 2017 both have.
    Late(Option<usize>),
}

pub(crate) struct World {
    year: &'static Year,
    land: Land,
    forts: [Place; 2],
    treasures: [Place; 2],
    at: [Place; 2],
    step: [Option<(Direction, u32)>; 2],
    collected: [bool; 2],
    /// Own treasures and other forts that somebody has seen.
    seen: [(bool, bool); 2],
    actions: [u32; 2],
}

impl World {
    /// The halves are put together by chance.
    pub(crate) fn new(year: &'static Year, halves: [&Half; 2], random: &mut JavaRandom) -> Self {
        let first = random.next_boolean();
        let beside = year.beside && random.next_boolean();
        let (columns, rows) = (usize::from(year.half.0), usize::from(year.half.1));
        let (width, height) = if beside { (2 * columns, rows) } else { (columns, 2 * rows) };
        let home = |player: usize, place: Place| {
            let second = usize::from((player == 0) != first);
            let (x, y) = (place % columns, place / columns);
            if beside { y * width + x + second * columns } else { (y + second * rows) * width + x }
        };
        let mut terrain = vec![Terrain::Water; width * height];
        let (mut forts, mut treasures) = ([0; 2], [0; 2]);
        for (player, half) in halves.iter().enumerate() {
            half.land.places().for_each(|place| terrain[home(player, place)] = half.land.terrain(place));
            forts[player] = home(player, half.fort);
            let grass = |place: &Place| half.land.terrain(*place) == Terrain::Grass && *place != half.fort;
            let grass: Vec<Place> = half.land.places().filter(grass).collect();
            treasures[player] = home(player, grass[random.next_below(grass.len() as i32) as usize]);
        }
        Self {
            year,
            land: Land::new(width, terrain),
            forts,
            treasures,
            at: forts,
            step: [None; 2],
            collected: [false; 2],
            seen: [(false, false); 2],
            actions: [0; 2],
        }
    }

    pub(crate) fn land(&self) -> &Land {
        &self.land
    }

    pub(crate) fn fort(&self, player: usize) -> Position {
        self.land.position(self.forts[player])
    }

    /// What a player is told.
    fn news(&self, player: usize) -> News {
        let other = 1 - player;
        let halves = if self.year.sight { 2 } else { 0 };
        let is_real = !self.year.sight || self.actions[0] + self.actions[1] + halves >= 16;
        let (treasure, fort) = self.seen[player];
        News {
            me: self.land.position(self.at[player]),
            treasure: (treasure && !self.collected[player]).then(|| self.land.position(self.treasures[player])),
            collected: self.collected[player],
            enemy_fort: fort.then(|| self.land.position(self.forts[other])),
            enemy: is_real.then(|| Enemy { at: self.land.position(self.at[other]), walked: self.actions[other] }),
        }
    }

    /// Lets them play to the end, and counts what the winner did.
    pub(crate) fn play(mut self, mut guides: [Box<dyn Guide>; 2]) -> (End, [u32; 2]) {
        let most = if self.year.sight { 318 } else { 199 };
        for action in 0..most {
            let player = action % 2;
            // The first answer of 2017 comes after the first request.
            let mut news = self.news(player);
            if !self.year.sight && self.actions[player] == 0 {
                news.enemy = None;
            }
            guides[player].learn(&news);
            let direction = guides[player].next().expect("there is always somewhere to go");
            self.actions[player] += 1;
            if let Some(end) = self.act(player, direction) {
                return (end, self.actions);
            }
        }
        (End::Late(self.year.sight.then_some(0)), self.actions)
    }

    fn act(&mut self, player: usize, direction: Direction) -> Option<End> {
        let from = self.at[player];
        let to = self.land.beside(from, direction).filter(|&to| self.land.terrain(to) != Terrain::Water);
        let Some(to) = to else { return Some(End::Drowned(player)) };
        let cost = toil(self.land.terrain(from)) + toil(self.land.terrain(to)) + self.year.extra;
        let spent = self.step[player].filter(|step| step.0 == direction).map_or(0, |step| step.1) + 1;
        self.step[player] = (spent < cost).then_some((direction, spent));
        if spent < cost {
            return None;
        }
        self.at[player] = to;
        self.look(player);
        self.collected[player] |= to == self.treasures[player];
        (self.collected[player] && to == self.forts[1 - player]).then_some(End::Won(player))
    }

    fn look(&mut self, player: usize) {
        let far = self.year.sight && self.land.terrain(self.at[player]) == Terrain::Mountain;
        let me = self.land.position(self.at[player]);
        let sees = |place: Place| {
            let at = self.land.position(place);
            at == me || far && at.x.abs_diff(me.x) <= 1 && at.y.abs_diff(me.y) <= 1
        };
        if self.year.sight {
            let (treasure, fort) = (sees(self.treasures[player]), sees(self.forts[1 - player]));
            self.seen[player].0 |= treasure;
            self.seen[player].1 |= fort;
        }
    }
}
