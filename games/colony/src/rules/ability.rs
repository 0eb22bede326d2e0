//! Abilities that a player uses by a command.

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
        let ability = self.setup.scenario.character(user).ability;
        let times = match ability {
            Ability::Feed { .. } | Ability::Heal => 1,
            Ability::Barricade { max_activations, .. } | Ability::Kill { max_activations, .. } => max_activations,
            Ability::Wound { .. } | Ability::NoInfection | Ability::Search { .. } | Ability::Trash { .. } => {
                return Err(Refusal::AbilityIsPassive { character }.into());
            }
        };
        match (matches!(ability, Ability::Feed { .. }), target) {
            (true, Some(_)) => return Err(Refusal::AbilityTakesNoTarget { character }.into()),
            (false, None) => return Err(Refusal::AbilityNeedsTarget { character }.into()),
            (true, None) | (false, Some(_)) => {}
        }
        if self.board.survivor(user).uses >= times {
            return Err(Refusal::AbilityUsedUp { character, times }.into());
        }

        match (ability, target) {
            (Ability::Heal, Some(target)) => {
                self.patient(user, target)?;
            }
            (Ability::Barricade { .. }, Some(target)) => {
                self.free_places_at(user, Entrance(target))?;

                self.all(Event::AbilityUsed { character, target: Some(target) });
                return Ok(Deed::Barricaded(self.location_of(user)));
            }
            (Ability::Kill { .. }, Some(target)) => return self.kill_zombies(player, user, ability, Entrance(target)),
            _ => {}
        }
        self.all(Event::AbilityUsed { character, target });
        Ok(Deed::Other)
    }

    fn kill_zombies(
        &mut self,
        player: PlayerId,
        user: CharacterIx,
        ability: Ability,
        entrance: Entrance,
    ) -> Result<Deed, Stop> {
        let Ability::Kill { location, die_value, num_zombies, infection_die, children, .. } = ability else {
            unreachable!("only KILL kills")
        };
        let character = self.character_id(user);
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
        self.all(Event::AbilityUsed { character, target: Some(entrance.0) });
        for _ in 0..num_zombies.min(zombies.into()) {
            self.all(Event::ZombieKilled { character, location: id, entrance });
        }
        if infection_die && let Some(injury) = self.roll_infection() {
            self.injure(user, injury)?;
        }
        Ok(Deed::Other)
    }
}
