//! Going from one location to another.

use super::{Deed, Fold, Stop};
use crate::{
    event::Event,
    ids::{CharacterId, CharacterIx, LocationId, LocationIx, PlayerId},
    refusal::Refusal,
    scenario::{Ability, CardKind, Injury},
};

impl Fold<'_> {
    pub(super) fn move_character(
        &mut self,
        player: PlayerId,
        character: CharacterId,
        location: LocationId,
        fuel: bool,
    ) -> Result<Deed, Stop> {
        let fuel_by_move = self.setup.switches.fuel_by_move;
        if mutant!("fuel-by-move-everywhere", fuel && !fuel_by_move, false) {
            return Err(Refusal::NotInEdition { edition: self.setup.edition }.into());
        }
        let walker = self.own_character(player, character)?;
        let destination = self.destination(walker, location)?;
        if fuel && self.board.fuel(player).is_none() {
            return Err(Refusal::NoFuel {}.into());
        }

        self.all(Event::Moved {
            character,
            location,
            fuel: mutant!("moved-flag-only-with-fuel", fuel_by_move.then_some(fuel), fuel.then_some(true)),
        });
        if fuel {
            mutant!("fuel-makes-no-waste", self.add_waste(), ());
        } else if let Some(rolled) = self.roll_infection() {
            let injury = self.soften(walker, rolled);
            self.injure(walker, injury)?;
        }
        Ok(Deed::Moved(destination))
    }

    /// Where a character may go: the conditions of every move, with fuel or without.
    pub(super) fn destination(&self, walker: CharacterIx, location: LocationId) -> Result<LocationIx, Refusal> {
        let Some(destination) = self.setup.location_ix(location) else {
            let known = self.setup.scenario.locations.iter().map(|location| location.id.0).collect();
            return Err(Refusal::NoSuchLocation { location, known });
        };
        let survivor = self.board.survivor(walker);
        if mutant!("moves-twice", survivor.moved, false) {
            return Err(Refusal::AlreadyMoved { character: self.character_id(walker) });
        }
        if mutant!("moves-on-the-spot", survivor.location == destination, false) {
            return Err(Refusal::AlreadyThere { location });
        }
        match self.setup.scenario.location(destination).survivor_spaces {
            Some(places) if self.board.crowd(destination) >= mutant!("one-place-more", places, places + 1) => {
                Err(Refusal::LocationFull { location, places })
            }
            Some(_) | None => Ok(destination),
        }
    }

    /// What snow boots, or else the ability WOUND, make of an injury on the way.
    fn soften(&self, walker: CharacterIx, rolled: Injury) -> Injury {
        let boots = |worn: &crate::Worn| self.board.card_kind(worn.card) == CardKind::SnowBoots;
        if mutant!("boots-stop-bites", rolled == Injury::Frostbite, rolled != Injury::Wound)
            && mutant!("boots-do-nothing", self.board.survivor(walker).worn.iter().any(boots), false)
        {
            return Injury::Wound;
        }
        if let Ability::Wound { before, after } = self.setup.scenario.character(walker).ability
            && mutant!("wound-changes-every-injury", before == rolled, true)
        {
            return after;
        }
        rolled
    }
}
