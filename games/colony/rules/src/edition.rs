//! The three published editions of the game, and the switches in which they differ.

use core::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::scenario::Scenario;

/// An edition of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Edition {
    /// The first edition.
    Group,
    /// The edition with equipment cards.
    Equipment,
    /// The edition with equipment cards, fate cards and votes.
    Fate,
}

/// The differences between the editions. The rules depend on these switches, never on the edition itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switches {
    /// `Move` has a flag that plays FUEL, and `Moved` repeats the flag. Otherwise `UseCard` plays FUEL.
    pub fuel_by_move: bool,
    /// `WasteChanged` carries the new total instead of the change.
    pub waste_as_total: bool,
    /// `NextRound` carries the number of the round. Otherwise it carries the number of rounds left, this one included.
    pub rounds_count_up: bool,
    /// Each way to dispose of waste works once per round and spends a die.
    pub disposal_limited: bool,
    /// Equipment cards can be played.
    pub equipment: bool,
    /// Fate cards are drawn, and votes are held.
    pub fate: bool,
}

impl Edition {
    /// All editions.
    pub const ALL: [Self; 3] = [Self::Group, Self::Equipment, Self::Fate];

    /// Guesses the edition that a scenario is written for, from the cards that it has.
    pub fn guess(scenario: &Scenario) -> Self {
        if scenario.fates.is_some() {
            Self::Fate
        } else if scenario.cards.iter().any(|card| card.kind.is_equipment()) {
            Self::Equipment
        } else {
            Self::Group
        }
    }

    /// The name of the edition.
    pub fn name(self) -> &'static str {
        match self {
            Self::Group => "group",
            Self::Equipment => "equipment",
            Self::Fate => "fate",
        }
    }

    /// The switches of the edition.
    pub fn switches(self) -> Switches {
        let group = self == Self::Group;
        Switches {
            fuel_by_move: group,
            waste_as_total: group,
            rounds_count_up: group,
            disposal_limited: group,
            equipment: !group,
            fate: self == Self::Fate,
        }
    }
}

impl fmt::Display for Edition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An edition, or `None` for `auto`, which guesses the edition from the scenario.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EditionChoice(pub Option<Edition>);

impl FromStr for EditionChoice {
    type Err = UnknownEdition;

    fn from_str(name: &str) -> Result<Self, UnknownEdition> {
        if name == "auto" { Ok(Self(None)) } else { name.parse().map(Some).map(Self) }
    }
}

/// The error for a name that no edition has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownEdition;

impl fmt::Display for UnknownEdition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an edition is group, equipment, fate or auto")
    }
}

impl core::error::Error for UnknownEdition {}

impl FromStr for Edition {
    type Err = UnknownEdition;

    fn from_str(name: &str) -> Result<Self, UnknownEdition> {
        Self::ALL.into_iter().find(|edition| edition.name() == name).ok_or(UnknownEdition)
    }
}
