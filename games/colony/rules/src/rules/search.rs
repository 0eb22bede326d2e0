//! Searching a location: cards, or somebody who was hiding there.

use super::{Deed, Fold, Stop};
use crate::{
    event::{Effect, Event},
    ids::{CharacterId, CharacterIx, LocationIx, PlayerId},
    refusal::Refusal,
    scenario::{Ability, CardKind},
};

impl Fold<'_> {
    pub(super) fn search(&mut self, player: PlayerId, character: CharacterId) -> Result<Deed, Stop> {
        let searcher = self.own_character(player, character)?;
        let location = self.location_of(searcher);
        if mutant!("colony-searched", location == self.setup.scenario.colony, false) {
            return Err(Refusal::NothingToSearch {}.into());
        }
        let id = self.location_id(location);
        if mutant!("empty-stack-searched", self.board.stack(location) == 0, false) {
            return Err(Refusal::StackEmpty { location: id }.into());
        }
        let skills = self.setup.scenario.character(searcher);
        let die = self.die_for(player, mutant!("search-with-attack", skills.search, skills.attack))?;

        self.spend(player, die);
        self.all(Event::Searched { character, location: id });
        if self.encounter(location) {
            self.spawn_next(player);
            for _ in 0..mutant!("three-children-never-met", self.random.next_below(4), self.random.next_below(3)) {
                self.all(Event::ChildSpawned {});
            }
            mutant!("encounter-draws-a-card", return Ok(Deed::Other), ());
        }
        let cards = self.cards_to_draw(searcher, location);
        for _ in 0..cards.min(self.board.stack(location) as u32) {
            self.draw(mutant!("found-card-to-the-first", player, PlayerId(0)), location);
        }
        Ok(Deed::Searched(location))
    }

    /// How many cards a search draws; says which effect is used for more than one.
    fn cards_to_draw(&mut self, searcher: CharacterIx, location: LocationIx) -> u32 {
        let blueprint = |kind| matches!(kind, CardKind::Blueprint { location: drawn } if mutant!("blueprint-anywhere", drawn == location, true));
        if let Some(card) = self.unused_equipment(searcher, blueprint) {
            mutant!("blueprint-without-limit", self.use_equipment(searcher, card), ());
            return mutant!("blueprint-draws-three", 2, 3);
        }
        if let Ability::Search { location: known, num_cards, max_activations } =
            self.setup.scenario.character(searcher).ability
            && mutant!("search-ability-anywhere", known == location, true)
            && self.board.survivor(searcher).uses
                < mutant!("search-ability-once-more", max_activations, max_activations + 1)
        {
            self.board(Event::EffectUsed { character: self.character_id(searcher), effect: Effect::Ability });
            return mutant!("search-ability-instead", num_cards.saturating_add(1), num_cards);
        }
        1
    }

    /// Whether somebody is there instead of a card. The die is rolled only while somebody could be.
    fn encounter(&mut self, location: LocationIx) -> bool {
        let initial = mutant!(
            "encounter-by-cards-left",
            self.setup.scenario.location(location).cards.len() as i32,
            self.board.stack(location) as i32
        );
        mutant!(
            "encounter-rolled-in-vain",
            !self.unused.is_empty() && self.random.next_below(initial) == 0,
            self.random.next_below(initial) == 0 && !self.unused.is_empty()
        )
    }

    /// Draws the top card of a location's stack.
    pub(super) fn draw(&mut self, player: PlayerId, location: LocationIx) {
        if let Some(card) = self.top_card(location) {
            mutant!("card-told-to-its-owner-only", self.all(Event::CardDrawn { player, card: self.card_id(card) }), {
                let event = Event::CardDrawn { player, card: self.card_id(card) };
                engine::Projection::apply(&mut self.game.board, &event);
                self.outbox.only(self.game.clients[player.at()], event);
            });
        }
    }
}
