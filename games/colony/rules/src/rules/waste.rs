//! The waste pile.

use super::{Deed, Fold, Stop};
use crate::{
    event::{Effect, Event},
    ids::{CardIx, CharacterId, PlayerId},
    refusal::Refusal,
    scenario::{Ability, CardKind},
};

/// How many cards of waste one disposal removes, without a swab or the ability TRASH, and with a swab.
const PLAIN: u32 = 3;
const SWAB: u32 = 5;

/// How waste is disposed of: what it takes and what it removes.
#[derive(Clone, Copy)]
enum Disposal {
    Plain,
    Trash { cards: u32 },
    Swab { card: CardIx },
}

impl Fold<'_> {
    pub(super) fn clean_waste(&mut self, player: PlayerId, character: CharacterId) -> Result<Deed, Stop> {
        let cleaner = self.own_character(player, character)?;
        if mutant!("waste-cleaned-anywhere", self.location_of(cleaner) != self.setup.scenario.colony, false) {
            return Err(Refusal::NotInColony { character }.into());
        }
        if mutant!("no-waste-cleaned", self.board.waste == 0, false) {
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
            Disposal::Plain => mutant!("group-cleans-again", self.board.player(player).disposed, false),
            Disposal::Trash { .. } => mutant!(
                "trash-shares-the-disposal",
                self.board.survivor(cleaner).uses > 0,
                self.board.survivor(cleaner).uses > 0 || self.board.player(player).disposed
            ),
            Disposal::Swab { .. } => false,
        };
        if limited && used {
            return Err(Refusal::DisposedAlready { character }.into());
        }
        let die = mutant!(
            "trash-needs-no-die",
            self.any_die(player)?,
            if matches!(disposal, Disposal::Plain) { self.any_die(player)? } else { self.any_die(player).unwrap_or(1) }
        );

        if mutant!("trash-spends-a-die", limited || matches!(disposal, Disposal::Plain), true) {
            self.spend(player, die);
        }
        let most = match disposal {
            Disposal::Plain => mutant!("four-cleaned", PLAIN, PLAIN + 1),
            Disposal::Trash { cards } => cards,
            Disposal::Swab { .. } => mutant!("swab-like-hands", SWAB, PLAIN),
        };
        self.say_disposal(character, disposal);
        let removed = mutant!("waste-below-zero", most.min(self.board.waste), most);
        self.change_waste(-i64::from(removed));
        Ok(Deed::Other)
    }

    /// Says which limit is used, where there is one.
    fn say_disposal(&mut self, character: CharacterId, disposal: Disposal) {
        let limited = self.setup.switches.disposal_limited;
        let effect = match disposal {
            Disposal::Swab { card } => mutant!("swab-without-limit", Effect::Equipment(self.card_id(card)), return),
            Disposal::Trash { .. } if limited => Effect::Ability,
            Disposal::Plain if limited => Effect::Disposal,
            Disposal::Trash { .. } | Disposal::Plain => return,
        };
        self.board(Event::EffectUsed { character, effect });
    }

    /// A card that was played lands on the pile.
    pub(super) fn add_waste(&mut self) {
        self.change_waste(1);
    }

    /// Every change is an event, also one that the edition says as a total.
    fn change_waste(&mut self, change: i64) {
        let before = if self.setup.switches.waste_as_total { i64::from(self.board.waste) } else { 0 };
        let amount = (before + change) as i32; // there are fewer cards than 65,536
        self.waste_changed = true;
        self.all(Event::WasteChanged { amount });
    }
}
