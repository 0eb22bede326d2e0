//! Building barricades by hand.

use super::{Deed, Fold, Stop};
use crate::{
    event::Event,
    ids::{CharacterId, CharacterIx, Entrance, PlayerId},
    refusal::Refusal,
    scenario::CardKind,
};

impl Fold<'_> {
    pub(super) fn barricade(
        &mut self,
        player: PlayerId,
        character: CharacterId,
        entrance: Entrance,
    ) -> Result<Deed, Stop> {
        let builder = self.own_character(player, character)?;
        self.free_places_at(builder, entrance)?;
        let hammer = self.unused_equipment(builder, |kind| kind == CardKind::Hammer);
        let die = if hammer.is_none() { Some(self.any_die(player)?) } else { None };

        hammer.into_iter().for_each(|hammer| self.use_equipment(builder, hammer));
        die.into_iter().for_each(|die| self.spend(player, die));
        let location = self.location_of(builder);
        self.all(Event::Barricaded { character, location: self.location_id(location), entrance });
        Ok(Deed::Barricaded(location))
    }

    /// The number of free places at an entrance of the character's location. Refuses the command if all places are taken.
    pub(super) fn free_places_at(&self, character: CharacterIx, entrance: Entrance) -> Result<u8, Refusal> {
        let at = self.entrance(character, entrance)?;
        let free = self.board.entrances(self.location_of(character))[at].free();
        match free {
            0 => Err(Refusal::NoFreePlace { entrance }),
            free => Ok(free),
        }
    }
}
