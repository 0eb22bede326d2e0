//! Injuries, deaths and their consequences.

use super::{Flow, Fold, Over};
use crate::{
    board::DEADLY,
    event::{Event, MoralChange},
    ids::{CharacterIx, LocationIx, PlayerId},
    scenario::Injury,
};

impl Fold<'_> {
    /// Rolls the infection die.
    pub(super) fn roll_infection(&mut self) -> Option<Injury> {
        match self.random.next_below(12) {
            0..=5 => None,
            6..=8 => Some(Injury::Wound),
            9..=10 => Some(Injury::Frostbite),
            _ => Some(Injury::Bite),
        }
    }

    pub(super) fn injure(&mut self, character: CharacterIx, injury: Injury) -> Flow {
        let id = self.character_id(character);
        match injury {
            Injury::Wound => self.all(Event::Wounded { character: id }),
            Injury::Frostbite => self.all(Event::Frostbitten { character: id }),
            Injury::Bite => {
                let place = self.location_of(character);
                self.kill(character, Event::Bitten { character: Some(id) })?;
                return self.spread(place);
            }
        }
        if self.board.survivor(character).injuries() >= DEADLY {
            self.kill(character, Event::SurvivorKilled { character: id })?;
        }
        Ok(())
    }

    /// Spreads a bite at a place: first to the children in the colony, then to survivors from the lowest status up. Rolls the
    /// infection die for each one, until one is unharmed or all are dead.
    fn spread(&mut self, place: LocationIx) -> Flow {
        loop {
            if place == self.setup.scenario.colony && self.board.children > 0 {
                let rolled = self.roll_infection();
                if rolled.is_none() {
                    return Ok(());
                }
                self.all(Event::Bitten { character: None });
                self.change_morale(-1, MoralChange::CharacterDied)?;
            } else {
                let Some(weakest) = self.board.weakest_at(place) else { return Ok(()) };
                let rolled = self.roll_infection();
                if rolled.is_none() {
                    return Ok(());
                }
                self.kill(weakest, Event::Bitten { character: Some(self.character_id(weakest)) })?;
            }
        }
    }

    /// Kills a survivor. The event tells how it died.
    pub(super) fn kill(&mut self, character: CharacterIx, event: Event) -> Flow {
        let owner = self.board.survivor(character).owner;
        self.all(event);
        self.change_morale(-1, MoralChange::CharacterDied)?;

        let player = self.board.player(owner);
        if player.present && player.survivors.is_empty() {
            self.replace_last(owner)?;
        }
        Ok(())
    }

    /// Replaces the last survivor of a player. If no unused character is left, the player is out.
    fn replace_last(&mut self, player: PlayerId) -> Flow {
        if self.unused.is_empty() {
            self.pass_turn_of(player);
            return self.say_left(player);
        }
        self.spawn_next(player);
        self.pass_turn_of(player);
        Ok(())
    }

    /// Gives the first unused character to a player.
    pub(super) fn spawn_next(&mut self, player: PlayerId) {
        let character = self.unused.remove(0);
        self.all(Event::CharacterSpawned { player, character: self.character_id(character) });
    }

    pub(super) fn change_morale(&mut self, amount: i32, reason: MoralChange) -> Flow {
        self.all(Event::MoralChanged { amount, reason });
        if self.board.morale <= 0 {
            self.all(Event::GameEnd { win: false });
            return Err(Over);
        }
        Ok(())
    }
}
