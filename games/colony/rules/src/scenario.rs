//! What a scenario says, with every reference resolved: an index here always points at something.
//!
//! [`read`] turns a text into a [`Scenario`] or into everything that is wrong with it.

use alloc::{boxed::Box, vec::Vec};

use serde::{Deserialize, Serialize};

use crate::ids::{
    CardId, CardIx, CharacterId, CharacterIx, ConsequenceIx, CrisisId, CrisisIx, FateId, FateIx, LocationId, LocationIx,
};

mod cards;
mod characters;
mod fates;
mod findings;
mod goal;
mod json;
mod locations;
mod problem;
mod read;

pub use json::{Json, Value};
pub use problem::{Problem, ProblemKind};
pub use read::{LONGEST_TEXT, Reading, read};

/// How many zombies and barricades an entrance has room for.
pub const PLACES: u8 = 3;

/// A checked scenario. The order of every table but `locations` is the file's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scenario {
    pub max_players: u16,
    pub cards: Vec<Card>,
    pub characters: Vec<Character>,
    pub crises: Vec<Crisis>,
    pub goal: Goal,
    /// By ascending identifier, the colony among them.
    pub locations: Vec<Location>,
    pub colony: LocationIx,
    /// The fate cards; `None` when the file has no `crossroads` list at all.
    pub fates: Option<Vec<Fate>>,
    /// All consequences of all fate cards; a choice names its two by index.
    pub consequences: Vec<Consequence>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    pub id: CardId,
    pub kind: CardKind,
    /// The location whose stack holds the card at first (the colony's stack are the start cards); `None`: no stack names it.
    pub home: Option<LocationIx>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardKind {
    Food { amount: i32 },
    Fuel,
    Stuff,
    Medicine,
    Lock,
    Scissors,
    Hammer,
    Colt,
    SnowBoots,
    Swab,
    Blueprint { location: LocationIx },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Character {
    pub id: CharacterId,
    pub name: Box<str>,
    pub status: i32,
    pub attack: u8,
    pub search: u8,
    pub ability: Ability,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ability {
    Wound {
        before: Injury,
        after: Injury,
    },
    NoInfection,
    Search {
        location: LocationIx,
        num_cards: u32,
        max_activations: u32,
    },
    Trash {
        num_cards: u32,
    },
    Heal,
    Feed {
        num_food: i32,
    },
    Barricade {
        num_barricades: u32,
        max_activations: u32,
    },
    Kill {
        location: LocationIx,
        die_value: u8,
        num_zombies: u32,
        max_activations: u32,
        infection_die: bool,
        children: bool,
    },
}

/// What the infection die can do to somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Injury {
    Wound,
    Frostbite,
    Bite,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crisis {
    pub id: CrisisId,
    pub kind: CrisisKind,
    pub required_cards: u32,
    pub moral_change: i32,
}

/// The kinds of card a crisis can ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum CrisisKind {
    Food,
    Stuff,
    Medicine,
    Fuel,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    pub rounds: u32,
    pub moral: i32,
    pub zombies_colony: u32,
    pub zombies_locations: u32,
    pub children_in_colony: u32,
    pub aim: Aim,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    Survive,
    Barricades(u32),
    LocationsWithZombies(u32),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    pub id: LocationId,
    /// The colony has no name in the file; here it is "colony".
    pub name: Box<str>,
    pub entrances: u16,
    /// `None`: no limit, which is the colony.
    pub survivor_spaces: Option<u32>,
    /// In the file's order, which is what the shuffle starts from. The colony's are the start cards.
    pub cards: Vec<CardIx>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fate {
    pub id: FateId,
    pub trigger: Trigger,
    pub consequence: ConsequenceIx,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trigger {
    Barricaded(Option<LocationIx>),
    Moved(Option<LocationIx>),
    Searched(Option<LocationIx>),
    WasteChanged(i32),
    Equip,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consequence {
    ChangeFood(i32),
    ChangeMoral(i32),
    SpawnSurvivors {
        amount: u32,
        children: bool,
    },
    /// `None`: at every location, the colony first.
    SpawnZombies {
        amount: u32,
        location: Option<LocationIx>,
    },
    Choice {
        first: ConsequenceIx,
        second: ConsequenceIx,
    },
}

impl Scenario {
    pub fn card(&self, card: CardIx) -> &Card {
        &self.cards[card.at()]
    }

    pub fn character(&self, character: CharacterIx) -> &Character {
        &self.characters[character.at()]
    }

    pub fn location(&self, location: LocationIx) -> &Location {
        &self.locations[location.at()]
    }

    pub fn crisis(&self, crisis: CrisisIx) -> &Crisis {
        &self.crises[crisis.at()]
    }

    pub fn fate(&self, fate: FateIx) -> &Fate {
        &self.fates.as_deref().unwrap_or_default()[fate.at()]
    }

    pub fn consequence(&self, consequence: ConsequenceIx) -> Consequence {
        self.consequences[consequence.at()]
    }
}

impl CardKind {
    /// What a survivor can wear.
    pub fn is_equipment(self) -> bool {
        match self {
            Self::Hammer | Self::Colt | Self::SnowBoots | Self::Swab | Self::Blueprint { .. } => true,
            Self::Food { .. } | Self::Fuel | Self::Stuff | Self::Medicine | Self::Lock | Self::Scissors => false,
        }
    }

    /// As what the card counts when it is contributed to a crisis.
    pub fn counts_as(self) -> CrisisKind {
        match self {
            Self::Food { .. } => CrisisKind::Food,
            Self::Fuel => CrisisKind::Fuel,
            Self::Medicine => CrisisKind::Medicine,
            Self::Stuff | Self::Lock | Self::Scissors => CrisisKind::Stuff,
            Self::Hammer | Self::Colt | Self::SnowBoots | Self::Swab | Self::Blueprint { .. } => CrisisKind::Stuff,
        }
    }

    /// The key that names the kind in a scenario file.
    pub fn key(self) -> &'static str {
        match self {
            Self::Food { .. } => "food",
            Self::Fuel => "fuel",
            Self::Stuff => "stuff",
            Self::Medicine => "medicine",
            Self::Lock => "lock",
            Self::Scissors => "scissors",
            Self::Hammer => "hammer",
            Self::Colt => "colt",
            Self::SnowBoots => "snow_boots",
            Self::Swab => "swab",
            Self::Blueprint { .. } => "blueprint",
        }
    }
}

impl CrisisKind {
    /// The key that names the kind in a scenario file.
    pub fn key(self) -> &'static str {
        match self {
            Self::Food => "food",
            Self::Stuff => "stuff",
            Self::Medicine => "medicine",
            Self::Fuel => "fuel",
        }
    }
}

impl Trigger {
    /// The key that names the trigger in a scenario file.
    pub fn key(self) -> &'static str {
        match self {
            Self::Barricaded(_) => "barricaded",
            Self::Moved(_) => "moved",
            Self::Searched(_) => "searched",
            Self::WasteChanged(_) => "wasteChanged",
            Self::Equip => "equip",
        }
    }
}

impl Ability {
    /// The key that names the ability in a scenario file.
    pub fn key(self) -> &'static str {
        match self {
            Self::Wound { .. } => "wound",
            Self::NoInfection => "no_infection",
            Self::Search { .. } => "search",
            Self::Trash { .. } => "trash",
            Self::Heal => "heal",
            Self::Feed { .. } => "feed",
            Self::Barricade { .. } => "barricade",
            Self::Kill { .. } => "kill",
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeSet;

    use super::*;

    /// Together they have a card, a crisis, an ability and a trigger of every kind.
    const BUILT_IN: [&str; 2] =
        [include_str!("../../scenarios/winter.json"), include_str!("../../scenarios/crossroads.json")];

    /// A kind's key is the one under which the file has it.
    #[test]
    fn kinds_are_named_as_in_the_file() {
        let mut keys = BTreeSet::new();
        for text in BUILT_IN {
            let scenario = read(text).expect("what is built in is sound");
            let file: serde_json::Value = serde_json::from_str(text).expect("JSON");
            let mut check = |list: &'static str, at: usize, inner: Option<&str>, key: &'static str| {
                let entry = inner.map_or(&file[list][at], |inner| &file[list][at][inner]);
                assert!(entry.get(key).is_some(), "{key} stands for {entry}");
                keys.insert((list, key));
            };
            scenario.cards.iter().enumerate().for_each(|(at, card)| check("cards", at, None, card.kind.key()));
            scenario.crises.iter().enumerate().for_each(|(at, crisis)| check("crises", at, None, crisis.kind.key()));
            let abilities = scenario.characters.iter().map(|character| character.ability.key());
            abilities.enumerate().for_each(|(at, key)| check("characters", at, Some("ability"), key));
            let triggers = scenario.fates.iter().flatten().map(|fate| fate.trigger.key());
            triggers.enumerate().for_each(|(at, key)| check("crossroads", at, None, key));
        }
        assert_eq!(keys.len(), 11 + 4 + 8 + 5, "{keys:?}");
    }
}
