//! Zombies that arrive at a location, and their effect if no place is free.

use super::{Flow, Fold};
use crate::{
    event::{Event, MoralChange},
    ids::{Entrance, LocationIx},
};

impl Fold<'_> {
    /// All locations except the colony, by ascending identifier.
    pub(super) fn other_locations(&self) -> impl Iterator<Item = LocationIx> + use<> {
        let (count, colony) = (self.setup.scenario.locations.len(), self.setup.scenario.colony);
        (0..count).map(LocationIx::from).filter(move |&location| location != colony)
    }

    /// Sends zombies to a location, one to each entrance in turn, starting at entrance 0.
    pub(super) fn zombies_come(&mut self, location: LocationIx, zombies: u32) -> Flow {
        let entrances = self.board.entrances(location).len();
        for zombie in 0..zombies as usize {
            self.zombie_comes(location, zombie % entrances)?;
        }
        Ok(())
    }

    fn zombie_comes(&mut self, location: LocationIx, at: usize) -> Flow {
        let (id, entrance) = (self.location_id(location), Entrance(at as i32));
        let place = self.board.entrances(location)[at];
        if place.free() > 0 {
            self.all(Event::ZombieSpawned { location: id, entrance });
        } else if place.barricades > 0 {
            self.all(Event::BarricadeDestroyed { location: id, entrance });
        } else if location == self.setup.scenario.colony && self.board.children > 0 {
            self.all(Event::ChildKilled {});
            self.change_morale(-1, MoralChange::CharacterDied)?;
        } else if let Some(weakest) = self.board.weakest_at(location) {
            self.kill(weakest, Event::SurvivorKilled { character: self.character_id(weakest) })?;
        }
        Ok(())
    }
}
