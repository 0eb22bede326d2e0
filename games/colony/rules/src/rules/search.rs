//! Searching a location, which finds cards or a survivor.

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
        if location == self.setup.scenario.colony {
            return Err(Refusal::NothingToSearch {}.into());
        }
        let id = self.location_id(location);
        if self.board.stack(location) == 0 {
            return Err(Refusal::StackEmpty { location: id }.into());
        }
        let skills = self.setup.scenario.character(searcher);
        let die = self.die_for(player, skills.search)?;

        self.spend(player, die);
        self.all(Event::Searched { character, location: id });
        if self.encounter(location) {
            self.spawn_next(player);
            for _ in 0..self.random.next_below(4) {
                self.all(Event::ChildSpawned {});
            }
            return Ok(Deed::Other);
        }
        let cards = self.cards_to_draw(searcher, location);
        for _ in 0..cards.min(self.board.stack(location) as u32) {
            self.draw(player, location);
        }
        Ok(Deed::Searched(location))
    }

    /// Returns the number of cards that a search draws. Uses up the equipment or ability that gives more than one.
    fn cards_to_draw(&mut self, searcher: CharacterIx, location: LocationIx) -> u32 {
        let blueprint = |kind| matches!(kind, CardKind::Blueprint { location: drawn } if drawn == location);
        if let Some(card) = self.unused_equipment(searcher, blueprint) {
            self.use_equipment(searcher, card);
            return 2;
        }
        if let Ability::Search { location: known, num_cards, max_activations } =
            self.setup.scenario.character(searcher).ability
            && known == location
            && self.board.survivor(searcher).uses < max_activations
        {
            self.board(Event::EffectUsed { character: self.character_id(searcher), effect: Effect::Ability });
            return num_cards.saturating_add(1);
        }
        1
    }

    /// Whether the search finds a survivor instead of cards. Rolls a die only while there are unused characters.
    fn encounter(&mut self, location: LocationIx) -> bool {
        let initial = self.setup.scenario.location(location).cards.len() as i32;
        !self.unused.is_empty() && self.random.next_below(initial) == 0
    }

    /// Draws the top card of a location's stack.
    pub(super) fn draw(&mut self, player: PlayerId, location: LocationIx) {
        if let Some(card) = self.top_card(location) {
            self.all(Event::CardDrawn { player, card: self.card_id(card) });
        }
    }
}
