//! A guide that walks from one random field to the next, and ignores everything that it sees.

use engine::JavaRandom;
use treasure_rules::{Direction, Position, Profile};

use super::{
    land::{Land, NO_WAY, Place, Roads, each, only},
    mind::{Guide, News},
};

/// Picks a reachable field at random, goes there, and picks the next.
#[derive(Debug)]
pub struct Walker {
    land: Land,
    roads: Roads,
    random: JavaRandom,
    me: Place,
    to: Place,
}

impl Walker {
    /// Creates a walker for a whole map. It starts on its own fort.
    pub fn new(profile: &Profile, land: Land, fort: Position, random: JavaRandom) -> Self {
        let me = land.place(fort).unwrap_or_default();
        Self { roads: Roads::new(&land, profile), land, random, me, to: me }
    }
}

impl Guide for Walker {
    fn learn(&mut self, news: &News) {
        self.me = self.land.place(news.me).unwrap_or(self.me);
    }

    fn next(&mut self) -> Option<Direction> {
        if self.me == self.to {
            let others: Vec<Place> = each(self.roads.around(self.me, NO_WAY - 1) & !only(self.me)).collect();
            self.to = clients::pick(&others, &mut self.random)?;
        }
        let next = *self.roads.way(self.me, self.to).first()?;
        self.land.towards(self.me, next)
    }
}
