//! The equipment that survivors wear, and its use once per round.

use super::Fold;
use crate::{
    event::{Effect, Event},
    ids::{CardIx, CharacterIx},
    scenario::CardKind,
};

impl Fold<'_> {
    /// Finds equipment that fits and is unused this round. If there are several pieces, the one that was put on last.
    pub(super) fn unused_equipment(&self, wearer: CharacterIx, fits: impl Fn(CardKind) -> bool) -> Option<CardIx> {
        let worn = self.board.survivor(wearer).worn.iter().rev();
        worn.filter(|worn| !worn.used).map(|worn| worn.card).find(|&card| fits(self.board.card_kind(card)))
    }

    pub(super) fn use_equipment(&mut self, wearer: CharacterIx, card: CardIx) {
        let effect = Effect::Equipment(self.card_id(card));
        self.board(Event::EffectUsed { character: self.character_id(wearer), effect });
    }
}
