//! Cards: giving them to the crisis, and playing them.

use engine::Message;

use super::{Deed, Fold, Stop};
use crate::{
    command::Command,
    event::{Event, FoodChange},
    ids::{CardId, CardIx, CharacterId, CharacterIx, Entrance, LocationId, PlayerId},
    refusal::Refusal,
    scenario::CardKind,
};

impl Fold<'_> {
    pub(super) fn contribute(&mut self, player: PlayerId, card: CardId) -> Result<Deed, Stop> {
        let held = self.in_hand(player, card)?;
        let kind = self.board.card_kind(held);
        let crisis = self.board.crisis.expect("every round has a crisis");
        let wanted = self.setup.scenario.crisis(crisis).kind;
        if mutant!(
            "equipment-not-contributed",
            kind.counts_as() != wanted,
            kind.counts_as() != wanted || kind.is_equipment()
        ) {
            return Err(Refusal::NotWanted { card, wanted }.into());
        }

        self.all(Event::Contributed { player, card });
        mutant!("contribution-is-waste", (), self.add_waste());
        Ok(Deed::Other)
    }

    pub(super) fn use_card(
        &mut self,
        player: PlayerId,
        card: CardId,
        character: Option<CharacterId>,
        target: Option<i32>,
    ) -> Result<Deed, Stop> {
        let kind = self.board.card_kind(self.in_hand(player, card)?);
        let switches = self.setup.switches;
        if mutant!("group-fuel-by-card", kind == CardKind::Fuel && switches.fuel_by_move, false)
            || kind.is_equipment() && !switches.equipment
        {
            return Err(Refusal::NotInEdition { edition: self.setup.edition }.into());
        }
        match (character, target) {
            (None, None) => self.use_card_alone(player, card, kind),
            (Some(character), Some(target)) => {
                if matches!(kind, CardKind::Food { .. } | CardKind::Stuff) {
                    return Err(Refusal::CardTakesNoTarget { card }.into());
                }
                let user = self.own_character(player, character)?;
                self.use_card_on(card, kind, user, target)
            }
            (None, Some(_)) | (Some(_), None) => {
                let command = Command::UseCard { card, character, target }.number() as u8;
                Err(Refusal::WrongArguments { command, given: 2 }.into())
            }
        }
    }

    fn use_card_alone(&mut self, player: PlayerId, card: CardId, kind: CardKind) -> Result<Deed, Stop> {
        match kind {
            CardKind::Food { amount: food } => {
                self.say_card_used(card, None);
                let amount = mutant!("food-card-feeds-one", food, 1);
                self.all(Event::FoodChanged { amount, reason: FoodChange::FoodAdded });
            }
            CardKind::Stuff => {
                mutant!("stuff-without-a-die", self.any_die(player)?, self.any_die(player).unwrap_or(1));

                self.say_card_used(card, None);
                self.roll_die(player);
            }
            CardKind::Fuel
            | CardKind::Medicine
            | CardKind::Lock
            | CardKind::Scissors
            | CardKind::Hammer
            | CardKind::Colt
            | CardKind::SnowBoots
            | CardKind::Swab
            | CardKind::Blueprint { .. } => return Err(Refusal::CardNeedsTarget { card }.into()),
        }
        Ok(Deed::Other)
    }

    fn use_card_on(&mut self, card: CardId, kind: CardKind, user: CharacterIx, target: i32) -> Result<Deed, Stop> {
        let on = Some((user, target));
        let location = self.location_of(user);
        let entrance = Entrance(target);
        match kind {
            CardKind::Medicine => {
                self.patient(user, target)?;

                self.say_card_used(card, on);
                Ok(Deed::Other)
            }
            CardKind::Lock => {
                self.free_places_at(user, entrance)?;

                self.say_card_used(card, on);
                Ok(mutant!("lock-fires-nothing", Deed::Barricaded(location), Deed::Other))
            }
            CardKind::Scissors => {
                self.zombies_at(user, entrance)?;

                self.say_card_used(card, on);
                let (character, location) = (self.character_id(user), self.location_id(location));
                self.all(Event::ZombieKilled { character, location, entrance });
                mutant!("scissors-roll-infection", (), _ = self.roll_infection());
                Ok(Deed::Other)
            }
            CardKind::Fuel => {
                let destination = self.destination(user, LocationId(target))?;

                mutant!("fuel-card-says-moved", self.say_card_used(card, on), {
                    self.say_card_used(card, on);
                    let (character, location) = (self.character_id(user), LocationId(target));
                    self.all(Event::Moved { character, location, fuel: None });
                });
                Ok(mutant!("fuel-fires-nothing", Deed::Moved(destination), Deed::Other))
            }
            CardKind::Hammer | CardKind::Colt | CardKind::SnowBoots | CardKind::Swab | CardKind::Blueprint { .. } => {
                self.beside(user, target)?;

                // It is worn, not thrown away.
                let character = Some(self.character_id(user));
                self.all(Event::CardUsed { card, character, target: Some(target) });
                mutant!("equipment-is-waste", (), self.add_waste());
                Ok(Deed::Equipped)
            }
            CardKind::Food { .. } | CardKind::Stuff => Err(Refusal::CardTakesNoTarget { card }.into()),
        }
    }

    fn say_card_used(&mut self, card: CardId, on: Option<(CharacterIx, i32)>) {
        let character = on.map(|(user, _)| self.character_id(user));
        self.all(Event::CardUsed { card, character, target: on.map(|(_, target)| target) });
        self.add_waste();
    }

    fn in_hand(&self, player: PlayerId, card: CardId) -> Result<CardIx, Refusal> {
        let hand = &self.board.player(player).hand;
        self.setup
            .card_ix(card)
            .filter(|ix| {
                mutant!(
                    "anybodys-card",
                    hand.contains(ix),
                    self.board.players.iter().any(|other| other.hand.contains(ix))
                )
            })
            .ok_or_else(|| Refusal::NotInHand { card, hand: hand.iter().map(|&held| self.card_id(held).0).collect() })
    }

    /// A living character, anybody's, in the same place: oneself included.
    fn beside(&self, user: CharacterIx, target: i32) -> Result<CharacterIx, Refusal> {
        let here = || self.board.survivors_at(self.location_of(user));
        let found = self.setup.character_ix(CharacterId(target)).filter(|&found| {
            mutant!(
                "target-from-afar",
                here().any(|other| other == found),
                self.board.survivor(found).life == crate::Life::Alive
            )
        });
        found.ok_or_else(|| Refusal::TargetNotHere { target, here: here().map(|ix| self.character_id(ix).0).collect() })
    }

    /// Somebody beside the character who has an injury.
    pub(super) fn patient(&self, user: CharacterIx, target: i32) -> Result<CharacterIx, Refusal> {
        let patient = self.beside(user, target)?;
        let injuries = self.board.survivor(patient).injuries();
        match mutant!("healthy-healed", injuries, injuries.max(1)) {
            0 => Err(Refusal::NotInjured { target: CharacterId(target) }),
            _ => Ok(patient),
        }
    }
}
