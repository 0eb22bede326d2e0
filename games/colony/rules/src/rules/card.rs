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
                let amount = food;
                self.all(Event::FoodChanged { amount, reason: FoodChange::FoodAdded });
            }
            CardKind::Stuff => {
                self.any_die(player)?;

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
                Ok(Deed::Barricaded(location))
            }
            CardKind::Scissors => {
                self.zombies_at(user, entrance)?;

                self.say_card_used(card, on);
                let (character, location) = (self.character_id(user), self.location_id(location));
                self.all(Event::ZombieKilled { character, location, entrance });

                Ok(Deed::Other)
            }
            CardKind::Fuel => {
                let destination = self.destination(user, LocationId(target))?;

                self.say_card_used(card, on);
                Ok(Deed::Moved(destination))
            }
            CardKind::Hammer | CardKind::Colt | CardKind::SnowBoots | CardKind::Swab | CardKind::Blueprint { .. } => {
                self.beside(user, target)?;

                // It is worn, not thrown away.
                let character = Some(self.character_id(user));
                self.all(Event::CardUsed { card, character, target: Some(target) });

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
            .filter(|ix| hand.contains(ix))
            .ok_or_else(|| Refusal::NotInHand { card, hand: hand.iter().map(|&held| self.card_id(held).0).collect() })
    }

    /// A living character, anybody's, in the same place: oneself included.
    fn beside(&self, user: CharacterIx, target: i32) -> Result<CharacterIx, Refusal> {
        let here = || self.board.survivors_at(self.location_of(user));
        let found = self.setup.character_ix(CharacterId(target)).filter(|&found| here().any(|other| other == found));
        found.ok_or_else(|| Refusal::TargetNotHere { target, here: here().map(|ix| self.character_id(ix).0).collect() })
    }

    /// Somebody beside the character who has an injury.
    pub(super) fn patient(&self, user: CharacterIx, target: i32) -> Result<CharacterIx, Refusal> {
        let patient = self.beside(user, target)?;
        let injuries = self.board.survivor(patient).injuries();
        match injuries {
            0 => Err(Refusal::NotInjured { target: CharacterId(target) }),
            _ => Ok(patient),
        }
    }
}
