//! The kinds of cards, and one table of their properties: [`CardKind::properties`].
//!
//! The scenario reader, the rules, the bots and the texts for people use this table. A new kind needs a variant, a row of the
//! table and an entry of [`CardKind::ALL`]. Only a new effect also needs a new rule.

use super::CrisisKind;
use crate::ids::LocationIx;

/// The kind of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardKind {
    /// Adds food to the stock.
    Food {
        /// The amount of food.
        amount: i32,
    },
    /// Moves a character to a location without danger.
    Fuel,
    /// Rolls the lowest die again.
    Stuff,
    /// Heals one injury.
    Medicine,
    /// Builds a barricade.
    Lock,
    /// Kills a zombie.
    Scissors,
    /// Equipment: builds one barricade per round without a die.
    Hammer,
    /// Equipment: makes one attack per round safe.
    Colt,
    /// Equipment: turns a frostbite during a move into a wound.
    SnowBoots,
    /// Equipment: disposes of more waste once per round.
    Swab,
    /// Equipment: finds two cards at a location once per round.
    Blueprint {
        /// The location where it works.
        location: LocationIx,
    },
}

/// The properties that all cards of a kind share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CardProperties {
    /// The key of the kind in a scenario file.
    pub key: &'static str,
    /// The name for people.
    pub name: &'static str,
    /// A short text about the effect of the card; empty if `hint` explains it.
    pub action: &'static str,
    /// A longer explanation for beginners; may be empty.
    pub hint: &'static str,
    /// The kind of crisis that the card helps against.
    pub counts_as: CrisisKind,
    /// The effect of playing the card.
    pub effect: CardEffect,
}

/// The effect of playing a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardEffect {
    /// Adds food to the stock.
    AddFood {
        /// The amount of food.
        amount: i32,
    },
    /// Rolls the lowest die again.
    Reroll,
    /// Heals one injury of a character.
    Heal,
    /// Builds a barricade at an entrance.
    Barricade,
    /// Kills a zombie at an entrance.
    Kill,
    /// Moves a character to a location without danger.
    Travel,
    /// Makes a character wear the card.
    Equip,
}

/// The kind of target that a card is played on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardTarget {
    /// A character at the same location.
    Character,
    /// An entrance of the character's location.
    Entrance,
    /// Another location.
    Location,
}

impl CardKind {
    /// One card of each kind, in the order of the scenario schema. Amounts and locations are placeholders.
    pub const ALL: [Self; 11] = [
        Self::Food { amount: 1 },
        Self::Fuel,
        Self::Stuff,
        Self::Medicine,
        Self::Lock,
        Self::Scissors,
        Self::Hammer,
        Self::Colt,
        Self::SnowBoots,
        Self::Swab,
        Self::Blueprint { location: LocationIx(0) },
    ];

    /// The table: one row for each kind.
    #[inline]
    pub fn properties(self) -> CardProperties {
        use CrisisKind::{Food, Fuel, Medicine, Stuff};
        let row =
            |key, name, action, hint, counts_as, effect| CardProperties { key, name, action, hint, counts_as, effect };
        let equipment = |key, name, hint| row(key, name, "", hint, Stuff, CardEffect::Equip);
        match self {
            Self::Food { amount } => row("food", "food", "", "goes into stock", Food, CardEffect::AddFood { amount }),
            Self::Fuel => row("fuel", "fuel", "a move without danger", "", Fuel, CardEffect::Travel),
            Self::Stuff => row("stuff", "stuff", "rolls the lowest die again", "", Stuff, CardEffect::Reroll),
            Self::Medicine => row("medicine", "medicine", "heals one injury", "", Medicine, CardEffect::Heal),
            Self::Lock => row("lock", "lock", "a barricade", "", Stuff, CardEffect::Barricade),
            Self::Scissors => row("scissors", "scissors", "kill a zombie", "", Stuff, CardEffect::Kill),
            Self::Hammer => equipment("hammer", "hammer", "worn; one barricade a round without a die"),
            Self::Colt => equipment("colt", "colt", "worn; one attack a round without danger"),
            Self::SnowBoots => equipment("snow_boots", "snow boots", "worn; a frostbite on the way is only a wound"),
            Self::Swab => equipment("swab", "swab", "worn; once a round disposes of five cards of waste"),
            Self::Blueprint { .. } => equipment("blueprint", "blueprint", "worn; once a round finds two cards there"),
        }
    }

    /// Whether a survivor can wear the card.
    pub fn is_equipment(self) -> bool {
        self.properties().effect == CardEffect::Equip
    }

    /// The kind of crisis that the card helps against.
    pub fn counts_as(self) -> CrisisKind {
        self.properties().counts_as
    }

    /// The key of the kind in a scenario file.
    pub fn key(self) -> &'static str {
        self.properties().key
    }

    /// The kind of target that the card is played on; `None` if it has no target.
    pub fn target(self) -> Option<CardTarget> {
        self.properties().effect.target()
    }
}

impl CardEffect {
    /// The kind of target of the effect; `None` if it has no target.
    pub fn target(self) -> Option<CardTarget> {
        match self {
            Self::AddFood { .. } | Self::Reroll => None,
            Self::Heal | Self::Equip => Some(CardTarget::Character),
            Self::Barricade | Self::Kill => Some(CardTarget::Entrance),
            Self::Travel => Some(CardTarget::Location),
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeSet;

    use super::*;

    #[test]
    fn keys_are_unique() {
        let keys: BTreeSet<_> = CardKind::ALL.into_iter().map(CardKind::key).collect();
        assert_eq!(keys.len(), CardKind::ALL.len(), "{keys:?}");
    }
}
