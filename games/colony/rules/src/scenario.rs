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

/// The number of zombies and barricades that fit at an entrance.
pub const PLACES: u8 = 3;

/// A checked scenario. All tables except `locations` keep the order of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scenario {
    /// The highest number of players. The game starts as soon as this many have registered.
    pub max_players: u16,
    /// All cards, including cards that are in no stack.
    pub cards: Vec<Card>,
    /// All characters.
    pub characters: Vec<Character>,
    /// The crisis cards, at least one for each round.
    pub crises: Vec<Crisis>,
    /// How the game starts and how it is won.
    pub goal: Goal,
    /// All locations by ascending identifier, including the colony.
    pub locations: Vec<Location>,
    /// The index of the colony in `locations`.
    pub colony: LocationIx,
    /// The fate cards; `None` if the file has no `crossroads` list.
    pub fates: Option<Vec<Fate>>,
    /// The consequences of all fate cards. A choice refers to its two consequences by index.
    pub consequences: Vec<Consequence>,
}

/// A card of the scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    /// The author's identifier.
    pub id: CardId,
    /// The kind of the card.
    pub kind: CardKind,
    /// The location whose stack holds the card at the start; `None` if no stack does. The colony's stack has the start cards.
    pub home: Option<LocationIx>,
}

/// A character of the scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Character {
    /// The author's identifier.
    pub id: CharacterId,
    /// The name for people.
    pub name: Box<str>,
    /// At each location, the character with the lowest status dies first. No two characters have the same status.
    pub status: i32,
    /// The lowest die for an attack.
    pub attack: u8,
    /// The lowest die for a search.
    pub search: u8,
    /// The one special ability.
    pub ability: Ability,
}

/// The special ability of a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ability {
    /// Replaces an injury during a move with another injury.
    Wound {
        /// The rolled injury.
        before: Injury,
        /// The injury that replaces it.
        after: Injury,
    },
    /// Attacks without rolling the infection die.
    NoInfection,
    /// Finds more cards in a search.
    Search {
        /// The location where the ability works.
        location: LocationIx,
        /// The number of additional cards.
        num_cards: u32,
        /// The number of uses per round.
        max_activations: u32,
    },
    /// Removes a different number of cards when it disposes of waste.
    Trash {
        /// The number of cards.
        num_cards: u32,
    },
    /// Heals one injury of a character at the same location.
    Heal,
    /// Brings food.
    Feed {
        /// The amount of food.
        num_food: i32,
    },
    /// Builds barricades without a die.
    Barricade {
        /// The highest number of barricades at once.
        num_barricades: u32,
        /// The number of uses per round.
        max_activations: u32,
    },
    /// Kills zombies.
    Kill {
        /// The location where the ability works.
        location: LocationIx,
        /// The lowest die that is high enough; 0 means any die.
        die_value: u8,
        /// The highest number of zombies at once.
        num_zombies: u32,
        /// The number of uses per round.
        max_activations: u32,
        /// Whether the infection die is rolled.
        infection_die: bool,
        /// Whether the ability works only while there are children in the colony.
        children: bool,
    },
}

/// An injury that the infection die can cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Injury {
    /// A plain injury. Three injuries of any kind kill.
    Wound,
    /// An injury that also causes a wound at the start of each turn.
    Frostbite,
    /// A deadly injury that spreads to others at the same location.
    Bite,
}

/// A demand for cards that the players have to meet in a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crisis {
    /// The author's identifier.
    pub id: CrisisId,
    /// The kind of the cards.
    pub kind: CrisisKind,
    /// The number of cards that are needed.
    pub required_cards: u32,
    /// How much morale the players lose if they give fewer cards.
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
    /// The number of zombies in the colony at the start.
    pub zombies_colony: u32,
    /// The number of zombies at each other location at the start.
    pub zombies_locations: u32,
    /// The number of children in the colony at the start.
    pub children_in_colony: u32,
    /// How the game is won.
    pub aim: Aim,
}

/// How a game is won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// The players survive the last round.
    Survive,
    /// At least this many barricades stand at the end of a round.
    Barricades(u32),
    /// At most this many locations have zombies at the end of a round.
    LocationsWithZombies(u32),
}

/// A place where survivors can be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The author's identifier.
    pub id: LocationId,
    /// The name for people. The colony has no name in the file; here it is "colony".
    pub name: Box<str>,
    /// The number of entrances.
    pub entrances: u16,
    /// The highest number of survivors; `None` means no limit, as in the colony.
    pub survivor_spaces: Option<u32>,
    /// The stack before the shuffle, in the order of the file. In the colony, these are the start cards.
    pub cards: Vec<CardIx>,
}

/// A fate card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fate {
    /// The author's identifier.
    pub id: FateId,
    /// The action that fires the card.
    pub trigger: Trigger,
    /// The consequence when the card fires.
    pub consequence: ConsequenceIx,
}

/// The action that fires a fate card. A trigger without a location fires at every location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trigger {
    /// A barricade was built.
    Barricaded(Option<LocationIx>),
    /// A character moved to the location.
    Moved(Option<LocationIx>),
    /// A character searched the location.
    Searched(Option<LocationIx>),
    /// The waste pile has grown or shrunk by at least this much since the start of the turn; 0 means any change.
    WasteChanged(i32),
    /// Equipment was played.
    Equip,
}

/// The consequence of a fate card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consequence {
    /// Changes the food in stock.
    ChangeFood(i32),
    /// Changes the morale.
    ChangeMoral(i32),
    /// New survivors join the player who owns the fate card.
    SpawnSurvivors {
        /// The number of survivors.
        amount: u32,
        /// Whether the same number of children comes too.
        children: bool,
    },
    /// Zombies come to one location or to all.
    SpawnZombies {
        /// The number of zombies at each location.
        amount: u32,
        /// The location; `None` means every location, the colony first.
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

    /// Compares the keys of all kinds with the built-in files.
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
