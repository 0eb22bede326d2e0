//! Searching a location: cards, or somebody who was hiding there.

use super::{Deed, Fold, Stop};
use crate::{
    event::{Effect, Event},
    ids::{CharacterId, LocationIx, PlayerId},
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
        let die = self.die_for(player, self.setup.scenario.character(searcher).search)?;

        self.spend(player, die);
        self.all(Event::Searched { character, location: id });
        if self.encounter(location) {
            self.spawn_next(player);
            for _ in 0..self.random.next_below(4) {
                self.all(Event::ChildSpawned {});
            }
            return Ok(Deed::Other);
        }
        let blueprint = |kind| matches!(kind, CardKind::Blueprint { location: drawn } if drawn == location);
        let uses = self.board.survivor(searcher).uses;
        let cards = if let Some(card) = self.unused_equipment(searcher, blueprint) {
            self.use_equipment(searcher, card);
            2
        } else {
            match self.setup.scenario.character(searcher).ability {
                Ability::Search { location: known, num_cards, max_activations }
                    if known == location && uses < max_activations =>
                {
                    self.board(Event::EffectUsed { character, effect: Effect::Ability });
                    num_cards.saturating_add(1)
                }
                _ => 1,
            }
        };
        for _ in 0..cards.min(self.board.stack(location) as u32) {
            self.draw(player, location);
        }
        Ok(Deed::Searched(location))
    }

    /// Whether somebody is there instead of a card. The die is rolled only while somebody could be.
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
