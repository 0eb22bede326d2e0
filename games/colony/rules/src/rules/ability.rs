//! Abilities that a player uses with a command.

use super::{Deed, Fold, Stop};
use crate::{
    event::Event,
    ids::{CharacterId, CharacterIx, Entrance, PlayerId},
    refusal::Refusal,
    scenario::Ability,
};

impl Fold<'_> {
    pub(super) fn use_ability(
        &mut self,
        player: PlayerId,
        character: CharacterId,
        target: Option<i32>,
    ) -> Result<Deed, Stop> {
        let user = self.own_character(player, character)?;
        match (self.setup.scenario.character(user).ability, target) {
            (Ability::Feed { .. }, None) => {
                self.has_uses_left(user, 1)?;

                self.all(Event::AbilityUsed { character, target: None });
                Ok(Deed::Other)
            }
            (Ability::Heal, Some(patient)) => {
                self.has_uses_left(user, 1)?;
                self.patient(user, patient)?;

                self.all(Event::AbilityUsed { character, target });
                Ok(Deed::Other)
            }
            (Ability::Barricade { max_activations, .. }, Some(entrance)) => {
                self.has_uses_left(user, max_activations)?;
                self.free_places_at(user, Entrance(entrance))?;

                self.all(Event::AbilityUsed { character, target });
                Ok(Deed::Barricaded(self.location_of(user)))
            }
            (
                Ability::Kill { location, die_value, num_zombies, max_activations, infection_die, children },
                Some(entrance),
            ) => {
                self.has_uses_left(user, max_activations)?;
                let entrance = Entrance(entrance);
                let id = self.location_id(location);
                if self.location_of(user) != location {
                    return Err(Refusal::AbilityElsewhere { character, location: id }.into());
                }
                if children && self.board.children == 0 {
                    return Err(Refusal::NoChildren { character }.into());
                }
                let zombies = self.zombies_at(user, entrance)?;
                let die = self.die_for(player, die_value)?;

                self.spend(player, die);
                self.all(Event::AbilityUsed { character, target });
                for _ in 0..num_zombies.min(zombies.into()) {
                    self.all(Event::ZombieKilled { character, location: id, entrance });
                }
                if infection_die && let Some(injury) = self.roll_infection() {
                    self.injure(user, injury)?;
                }
                Ok(Deed::Other)
            }
            (Ability::Feed { .. }, Some(_)) => Err(Refusal::AbilityTakesNoTarget { character }.into()),
            (Ability::Heal | Ability::Barricade { .. } | Ability::Kill { .. }, None) => {
                Err(Refusal::AbilityNeedsTarget { character }.into())
            }
            (Ability::Wound { .. } | Ability::NoInfection | Ability::Search { .. } | Ability::Trash { .. }, _) => {
                Err(Refusal::AbilityIsPassive { character }.into())
            }
        }
    }

    /// Refuses the command if the ability has already been used `times` times in this round.
    fn has_uses_left(&self, user: CharacterIx, times: u32) -> Result<(), Refusal> {
        if self.board.survivor(user).uses < times {
            return Ok(());
        }
        Err(Refusal::AbilityUsedUp { character: self.character_id(user), times })
    }
}
