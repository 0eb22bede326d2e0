//! Cards: giving them to the crisis, and playing them.

use engine::Message;

use super::{Deed, Fold, Stop};
use crate::{
    command::Command,
    event::{Event, FoodChange},
    ids::{CardId, CardIx, CharacterId, CharacterIx, Entrance, LocationId, PlayerId},
    refusal::Refusal,
    scenario::{CardEffect, CardKind},
};

impl Fold<'_> {
    pub(super) fn contribute(&mut self, player: PlayerId, card: CardId) -> Result<Deed, Stop> {
        let held = self.in_hand(player, card)?;
        let kind = self.board.card_kind(held);
        let crisis = self.board.crisis.expect("every round has a crisis");
        let wanted = self.setup.scenario.crisis(crisis).kind;
        if kind.counts_as() != wanted {
            return Err(Refusal::NotWanted { card, wanted }.into());
        }

        self.all(Event::Contributed { player, card });

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
        if kind == CardKind::Fuel && switches.fuel_by_move || kind.is_equipment() && !switches.equipment {
            return Err(Refusal::NotInEdition { edition: self.setup.edition }.into());
        }
        match (character, target) {
            (None, None) => self.use_card_alone(player, card, kind.properties().effect),
            (Some(character), Some(target)) => {
                if kind.target().is_none() {
                    return Err(Refusal::CardTakesNoTarget { card }.into());
                }
                let user = self.own_character(player, character)?;
                self.use_card_on(card, kind.properties().effect, user, target)
            }
            (None, Some(_)) | (Some(_), None) => {
                let command = Command::UseCard { card, character, target }.number() as u8;
                Err(Refusal::WrongArguments { command, given: 2 }.into())
            }
        }
    }

    fn use_card_alone(&mut self, player: PlayerId, card: CardId, effect: CardEffect) -> Result<Deed, Stop> {
        match effect {
            CardEffect::AddFood { amount: food } => {
                self.say_card_used(card, None);
                let amount = food;
                self.all(Event::FoodChanged { amount, reason: FoodChange::FoodAdded });
            }
            CardEffect::Reroll => {
                self.any_die(player)?;

                self.say_card_used(card, None);
                self.roll_die(player);
            }
            CardEffect::Heal | CardEffect::Barricade | CardEffect::Kill | CardEffect::Travel | CardEffect::Equip => {
                return Err(Refusal::CardNeedsTarget { card }.into());
            }
        }
        Ok(Deed::Other)
    }

    fn use_card_on(&mut self, card: CardId, effect: CardEffect, user: CharacterIx, target: i32) -> Result<Deed, Stop> {
        let on = Some((user, target));
        let location = self.location_of(user);
        let entrance = Entrance(target);
        match effect {
            CardEffect::Heal => {
                self.patient(user, target)?;

                self.say_card_used(card, on);
                Ok(Deed::Other)
            }
            CardEffect::Barricade => {
                self.free_places_at(user, entrance)?;

                self.say_card_used(card, on);
                Ok(Deed::Barricaded(location))
            }
            CardEffect::Kill => {
                self.zombies_at(user, entrance)?;

                self.say_card_used(card, on);
                let (character, location) = (self.character_id(user), self.location_id(location));
                self.all(Event::ZombieKilled { character, location, entrance });

                Ok(Deed::Other)
            }
            CardEffect::Travel => {
                let destination = self.destination(user, LocationId(target))?;

                self.say_card_used(card, on);
                Ok(Deed::Moved(destination))
            }
            CardEffect::Equip => {
                self.beside(user, target)?;

                // The card is worn, so it does not become waste.
                let character = Some(self.character_id(user));
                self.all(Event::CardUsed { card, character, target: Some(target) });

                Ok(Deed::Equipped)
            }
            CardEffect::AddFood { .. } | CardEffect::Reroll => Err(Refusal::CardTakesNoTarget { card }.into()),
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
            .filter(|ix| hand.contains(ix))
            .ok_or_else(|| Refusal::NotInHand { card, hand: hand.iter().map(|&held| self.card_id(held).0).collect() })
    }

    /// Finds a living character of any player at the user's location. The user can be the target, too.
    fn beside(&self, user: CharacterIx, target: i32) -> Result<CharacterIx, Refusal> {
        let here = || self.board.survivors_at(self.location_of(user));
        let found = self.setup.character_ix(CharacterId(target)).filter(|&found| here().any(|other| other == found));
        found.ok_or_else(|| Refusal::TargetNotHere { target, here: here().map(|ix| self.character_id(ix).0).collect() })
    }

    /// Finds an injured character at the user's location.
    pub(super) fn patient(&self, user: CharacterIx, target: i32) -> Result<CharacterIx, Refusal> {
        let patient = self.beside(user, target)?;
        let injuries = self.board.survivor(patient).injuries();
        match injuries {
            0 => Err(Refusal::NotInjured { target: CharacterId(target) }),
            _ => Ok(patient),
        }
    }
}
