//! Killing zombies hand to hand.

use super::{Deed, Fold, Stop};
use crate::{
    event::Event,
    ids::{CharacterId, CharacterIx, Entrance, PlayerId},
    refusal::Refusal,
    scenario::{Ability, CardKind},
};

impl Fold<'_> {
    pub(super) fn attack(
        &mut self,
        player: PlayerId,
        character: CharacterId,
        entrance: Entrance,
    ) -> Result<Deed, Stop> {
        let fighter = self.own_character(player, character)?;
        self.zombies_at(fighter, entrance)?;
        let attack = self.setup.scenario.character(fighter).attack;
        let die = self.die_for(player, attack)?;

        self.spend(player, die);
        self.all(Event::ZombieKilled { character, location: self.location_id(self.location_of(fighter)), entrance });
        let ability = self.setup.scenario.character(fighter).ability;
        if let Some(colt) = self.unused_equipment(fighter, |kind| kind == CardKind::Colt) {
            self.use_equipment(fighter, colt);
        } else if ability != Ability::NoInfection
            && let Some(injury) = self.roll_infection()
        {
            self.injure(fighter, injury)?;
        }
        Ok(Deed::Other)
    }

    /// The number of zombies at an entrance of the character's location. Refuses the command if it is 0.
    pub(super) fn zombies_at(&self, character: CharacterIx, entrance: Entrance) -> Result<u8, Refusal> {
        let at = self.entrance(character, entrance)?;
        match self.board.entrances(self.location_of(character))[at].zombies {
            0 => Err(Refusal::NoZombieThere { entrance }),
            zombies => Ok(zombies),
        }
    }
}
