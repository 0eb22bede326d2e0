//! The waste pile.

use super::{Deed, Fold, Stop};
use crate::{
    event::{Effect, Event},
    ids::{CardIx, CharacterId, PlayerId},
    refusal::Refusal,
    scenario::{Ability, CardKind},
};

/// The number of cards that a plain disposal removes, and the number that a disposal with a swab removes.
const PLAIN: u32 = 3;
const SWAB: u32 = 5;

/// The ways to dispose of waste.
#[derive(Clone, Copy)]
enum Disposal {
    Plain,
    Trash { cards: u32 },
    Swab { card: CardIx },
}

impl Fold<'_> {
    pub(super) fn clean_waste(&mut self, player: PlayerId, character: CharacterId) -> Result<Deed, Stop> {
        let cleaner = self.own_character(player, character)?;
        if self.location_of(cleaner) != self.setup.scenario.colony {
            return Err(Refusal::NotInColony { character }.into());
        }
        if self.board.waste == 0 {
            return Err(Refusal::NoWaste {}.into());
        }
        let swab = self.unused_equipment(cleaner, |kind| kind == CardKind::Swab);
        let disposal = match (swab, self.setup.scenario.character(cleaner).ability) {
            (Some(card), _) => Disposal::Swab { card },
            (None, Ability::Trash { num_cards }) => Disposal::Trash { cards: num_cards },
            (None, _) => Disposal::Plain,
        };
        let limited = self.setup.switches.disposal_limited;
        let used = match disposal {
            Disposal::Plain => self.board.player(player).disposed,
            Disposal::Trash { .. } => self.board.survivor(cleaner).uses > 0,
            Disposal::Swab { .. } => false,
        };
        if limited && used {
            return Err(Refusal::DisposedAlready { character }.into());
        }
        let die = self.any_die(player)?;

        if limited || matches!(disposal, Disposal::Plain) {
            self.spend(player, die);
        }
        let most = match disposal {
            Disposal::Plain => PLAIN,
            Disposal::Trash { cards } => cards,
            Disposal::Swab { .. } => SWAB,
        };
        self.say_disposal(character, disposal);
        let removed = most.min(self.board.waste);
        self.change_waste(-i64::from(removed));
        Ok(Deed::Other)
    }

    /// Emits that the limit of the disposal is used up, if the disposal has a limit per round.
    fn say_disposal(&mut self, character: CharacterId, disposal: Disposal) {
        let limited = self.setup.switches.disposal_limited;
        let effect = match disposal {
            Disposal::Swab { card } => Effect::Equipment(self.card_id(card)),
            Disposal::Trash { .. } if limited => Effect::Ability,
            Disposal::Plain if limited => Effect::Disposal,
            Disposal::Trash { .. } | Disposal::Plain => return,
        };
        self.board(Event::EffectUsed { character, effect });
    }

    /// Puts a played card on the pile.
    pub(super) fn add_waste(&mut self) {
        self.change_waste(1);
    }

    /// Emits a change of the pile: its new size or the difference, depending on the edition.
    fn change_waste(&mut self, change: i64) {
        let before = if self.setup.switches.waste_as_total { i64::from(self.board.waste) } else { 0 };
        let amount = (before + change) as i32; // there are fewer cards than 65,536
        self.waste_changed = true;
        self.all(Event::WasteChanged { amount });
    }
}
