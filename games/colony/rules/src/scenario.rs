//! A scenario with all references resolved: an index always points at an existing entry.
//!
//! [`read()`] turns a text into a [`Scenario`], or lists everything that is wrong with it.

use alloc::{boxed::Box, vec::Vec};

use serde::{Deserialize, Serialize};

use crate::ids::{
    CardId, CardIx, CharacterId, CharacterIx, ConsequenceIx, CrisisId, CrisisIx, FateId, FateIx, LocationId, LocationIx,
};

mod card_kind;
mod cards;
mod characters;
mod fates;
mod findings;
mod goal;
mod json;
mod locations;
mod problem;
mod read;

pub use card_kind::{CardEffect, CardKind, CardProperties, CardTarget};
pub use json::{Json, Value};
pub use problem::{ProblemKind, ScenarioProblem};
pub use read::{LONGEST_TEXT, Reading, read};

/// How many zombies and barricades an entrance has room for.
pub const PLACES: u8 = 3;

/// A checked scenario. The order of every table but `locations` is the file's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scenario {
    /// The game starts by itself with this many players.
    pub max_players: u16,
    /// All cards, in stacks or not.
    pub cards: Vec<Card>,
    /// All characters.
    pub characters: Vec<Character>,
    /// At least one for each round.
    pub crises: Vec<Crisis>,
    /// How the game starts and how it is won.
    pub goal: Goal,
    /// By ascending identifier, the colony among them.
    pub locations: Vec<Location>,
    /// Which location is the colony.
    pub colony: LocationIx,
    /// The fate cards; `None` if the file has no `crossroads` list.
    pub fates: Option<Vec<Fate>>,
    /// The consequences of all fate cards; a choice refers to its two by index.
    pub consequences: Vec<Consequence>,
}

/// A card of the scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    /// The author's identifier.
    pub id: CardId,
    /// What kind of card it is.
    pub kind: CardKind,
    /// The location whose stack holds the card at the start; the colony's stack are the start cards. `None`: it is in no stack.
    pub home: Option<LocationIx>,
}

/// A character of the scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Character {
    /// The author's identifier.
    pub id: CharacterId,
    /// The name for people.
    pub name: Box<str>,
    /// Decides the order of death; no two characters have the same.
    pub status: i32,
    /// The lowest die for an attack.
    pub attack: u8,
    /// The lowest die for a search.
    pub search: u8,
    /// The one special ability.
    pub ability: Ability,
}

/// What a character can do that others cannot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ability {
    /// An injury on the way counts as another injury.
    Wound {
        /// The rolled injury.
        before: Injury,
        /// The injury that the character takes instead.
        after: Injury,
    },
    /// Attacks without rolling the infection die.
    NoInfection,
    /// Finds more cards in a search.
    Search {
        /// Where the ability works.
        location: LocationIx,
        /// How many additional cards.
        num_cards: u32,
        /// How often per round.
        max_activations: u32,
    },
    /// Disposes of another number of cards.
    Trash {
        /// How many cards of waste.
        num_cards: u32,
    },
    /// Heals one injury of a character at the same location.
    Heal,
    /// Brings food.
    Feed {
        /// How much food.
        num_food: i32,
    },
    /// Builds barricades without a die.
    Barricade {
        /// How many barricades at once.
        num_barricades: u32,
        /// How often per round.
        max_activations: u32,
    },
    /// Kills zombies.
    Kill {
        /// Where the ability works.
        location: LocationIx,
        /// The lowest die that it takes.
        die_value: u8,
        /// How many zombies at once.
        num_zombies: u32,
        /// How often per round.
        max_activations: u32,
        /// Whether the infection die is rolled.
        infection_die: bool,
        /// Whether it works only while there are children in the colony.
        children: bool,
    },
}

/// An injury that the infection die can cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Injury {
    /// One of three injuries that kill.
    Wound,
    /// An injury that causes a wound in each following turn.
    Frostbite,
    /// Kills at once and spreads.
    Bite,
}

/// What a round demands from the players.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crisis {
    /// The author's identifier.
    pub id: CrisisId,
    /// The kind of the cards.
    pub kind: CrisisKind,
    /// How many cards are needed.
    pub required_cards: u32,
    /// How much morale is lost if there are fewer.
    pub moral_change: i32,
}

/// The kinds of card that a crisis can ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum CrisisKind {
    /// FOOD cards.
    Food,
    /// STUFF, LOCK, SCISSORS and equipment cards.
    Stuff,
    /// MEDICINE cards.
    Medicine,
    /// FUEL cards.
    Fuel,
}

/// How a game starts, how long it lasts and how it is won.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    /// The number of rounds.
    pub rounds: u32,
    /// The morale at the start.
    pub moral: i32,
    /// How many zombies are in the colony at the start.
    pub zombies_colony: u32,
    /// How many zombies are at each other location at the start.
    pub zombies_locations: u32,
    /// How many children are in the colony at the start.
    pub children_in_colony: u32,
    /// How the game is won.
    pub aim: Aim,
}

/// How a game is won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// By surviving the last round.
    Survive,
    /// By having at least this many barricades at the end of a round.
    Barricades(u32),
    /// By having zombies at no more than this many locations at the end of a round.
    LocationsWithZombies(u32),
}

/// A place where survivors can be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The author's identifier.
    pub id: LocationId,
    /// The colony has no name in the file; here it is "colony".
    pub name: Box<str>,
    /// How many entrances there are.
    pub entrances: u16,
    /// How many survivors have room; `None`: no limit, as in the colony.
    pub survivor_spaces: Option<u32>,
    /// In the order of the file, in which the shuffle finds them. The colony's are the start cards.
    pub cards: Vec<CardIx>,
}

/// A fate card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fate {
    /// The author's identifier.
    pub id: FateId,
    /// When it fires.
    pub trigger: Trigger,
    /// What it does then.
    pub consequence: ConsequenceIx,
}

/// When a fate card fires. Without a location, any location will do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trigger {
    /// A barricade was built.
    Barricaded(Option<LocationIx>),
    /// A character moved there.
    Moved(Option<LocationIx>),
    /// A character searched there.
    Searched(Option<LocationIx>),
    /// The waste pile grew or shrank by this much in the turn.
    WasteChanged(i32),
    /// Equipment was played.
    Equip,
}

/// What a fate card does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consequence {
    /// Changes the food in stock.
    ChangeFood(i32),
    /// Changes the morale.
    ChangeMoral(i32),
    /// New survivors join the player whose fate card it is.
    SpawnSurvivors {
        /// How many.
        amount: u32,
        /// Whether the same number of children comes too.
        children: bool,
    },
    /// Zombies come.
    SpawnZombies {
        /// How many at each location.
        amount: u32,
        /// Where; `None`: at every location, the colony first.
        location: Option<LocationIx>,
    },
    /// The players vote.
    Choice {
        /// The consequence of yes.
        first: ConsequenceIx,
        /// The consequence of no.
        second: ConsequenceIx,
    },
}

impl Scenario {
    /// The card at this index.
    pub fn card(&self, card: CardIx) -> &Card {
        &self.cards[card.at()]
    }

    /// The character at this index.
    pub fn character(&self, character: CharacterIx) -> &Character {
        &self.characters[character.at()]
    }

    /// The location at this index.
    pub fn location(&self, location: LocationIx) -> &Location {
        &self.locations[location.at()]
    }

    /// The crisis at this index.
    pub fn crisis(&self, crisis: CrisisIx) -> &Crisis {
        &self.crises[crisis.at()]
    }

    /// The fate card at this index.
    pub fn fate(&self, fate: FateIx) -> &Fate {
        &self.fates.as_deref().unwrap_or_default()[fate.at()]
    }

    /// The consequence at this index.
    pub fn consequence(&self, consequence: ConsequenceIx) -> Consequence {
        self.consequences[consequence.at()]
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

    /// These two scenarios together use every kind of card, crisis, ability and trigger.
    const BUILT_IN: [&str; 2] =
        [include_str!("../../scenarios/winter.json"), include_str!("../../scenarios/crossroads.json")];

    /// The key of a kind is its key in the file.
    #[test]
    fn kinds_are_named_as_in_the_file() {
        let mut keys = BTreeSet::new();
        for text in BUILT_IN {
            let scenario = read(text).expect("built-in scenarios are valid");
            let file: serde_json::Value = serde_json::from_str(text).expect("JSON");
            let mut check = |list: &'static str, at: usize, inner: Option<&str>, key: &'static str| {
                let entry = inner.map_or(&file[list][at], |inner| &file[list][at][inner]);
                assert!(entry.get(key).is_some(), "{entry} has no key {key}");
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
