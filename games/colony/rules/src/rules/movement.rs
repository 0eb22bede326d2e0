//! Moving from one location to another.

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
        if fuel && !fuel_by_move {
            return Err(Refusal::NotInEdition { edition: self.setup.edition }.into());
        }
        let walker = self.own_character(player, character)?;
        let destination = self.destination(walker, location)?;
        if fuel && self.board.fuel(player).is_none() {
            return Err(Refusal::NoFuel {}.into());
        }

        self.all(Event::Moved { character, location, fuel: fuel_by_move.then_some(fuel) });
        if fuel {
            self.add_waste();
        } else if let Some(rolled) = self.roll_infection() {
            let injury = self.soften(walker, rolled);
            self.injure(walker, injury)?;
        }
        Ok(Deed::Moved(destination))
    }

    /// Checks the conditions that all moves share, with or without fuel.
    pub(super) fn destination(&self, walker: CharacterIx, location: LocationId) -> Result<LocationIx, Refusal> {
        let Some(destination) = self.setup.location_ix(location) else {
            let known = self.setup.scenario.locations.iter().map(|location| location.id.0).collect();
            return Err(Refusal::NoSuchLocation { location, known });
        };
        let survivor = self.board.survivor(walker);
        if survivor.moved {
            return Err(Refusal::AlreadyMoved { character: self.character_id(walker) });
        }
        if survivor.location == destination {
            return Err(Refusal::AlreadyThere { location });
        }
        match self.setup.scenario.location(destination).survivor_spaces {
            Some(places) if self.board.crowd(destination) >= places => Err(Refusal::LocationFull { location, places }),
            Some(_) | None => Ok(destination),
        }
    }

    /// Applies snow boots to the rolled injury, or else the ability WOUND.
    fn soften(&self, walker: CharacterIx, rolled: Injury) -> Injury {
        let boots = |worn: &crate::Worn| self.board.card_kind(worn.card) == CardKind::SnowBoots;
        if rolled == Injury::Frostbite && self.board.survivor(walker).worn.iter().any(boots) {
            return Injury::Wound;
        }
        if let Ability::Wound { before, after } = self.setup.scenario.character(walker).ability
            && before == rolled
        {
            return after;
        }
        rolled
    }
}
