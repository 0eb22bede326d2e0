//! The kinds of cards, and one table of their properties: [`CardKind::properties`].
//!
//! The reader, the rules, the bots and the words for people read this table. A new kind is a variant, a row of the table and an
//! entry of [`CardKind::ALL`], and only a new effect needs a rule of its own.

use super::CrisisKind;
use crate::ids::LocationIx;

/// The kind of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardKind {
    /// Adds food to the stock.
    Food {
        /// How much food.
        amount: i32,
    },
    /// Pays for a move without danger.
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
    /// Equipment: turns a frostbite on the way into a wound.
    SnowBoots,
    /// Equipment: disposes of more waste once per round.
    Swab,
    /// Equipment: finds two cards at a location once per round.
    Blueprint {
        /// Where it works.
        location: LocationIx,
    },
}

/// Everything that is the same for all cards of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CardProperties {
    /// The key of the kind in a scenario file.
    pub key: &'static str,
    /// The name for people.
    pub name: &'static str,
    /// What playing the card does, in a few words for people; empty if `hint` says it.
    pub action: &'static str,
    /// A longer explanation for beginners; may be empty.
    pub hint: &'static str,
    /// The kind of crisis that the card helps against.
    pub counts_as: CrisisKind,
    /// What playing the card does.
    pub effect: CardEffect,
}

/// What playing a card does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardEffect {
    /// Adds food to the stock.
    AddFood {
        /// How much food.
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
    /// A character wears the card from now on.
    Equip,
}

/// What the target of a card names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardTarget {
    /// A character at the same location.
    Character,
    /// An entrance of the location.
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

    /// What the target names when the card is played; `None`: the card is played alone.
    pub fn target(self) -> Option<CardTarget> {
        self.properties().effect.target()
    }
}

impl CardEffect {
    /// What the target names; `None`: the effect has no target.
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
