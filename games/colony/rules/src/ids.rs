//! Identifiers, which scenario files and messages use, and dense indices, which the rules use.
//!
//! An identifier is any 32-bit number that the author of a scenario chose. The rules look up the identifiers of a command once,
//! and then use indices into the tables of the scenario.

use core::fmt;

use serde::{Deserialize, Serialize};

macro_rules! identifiers {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub struct $name(pub i32);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    )+};
}

identifiers! {
    /// A card of the scenario.
    CardId,
    /// A character of the scenario, in play or not.
    CharacterId,
    /// A location, the colony included.
    LocationId,
    /// A crisis card.
    CrisisId,
    /// A fate card.
    FateId,
    /// An entrance of a location, numbered from 0.
    Entrance,
}

/// A player, numbered from 0 in the order of registration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PlayerId(pub u16);

impl PlayerId {
    pub(crate) fn at(self) -> usize {
        usize::from(self.0)
    }
}

impl fmt::Display for PlayerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

macro_rules! indices {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u16);

        impl $name {
            /// The index as a number.
            pub fn at(self) -> usize {
                usize::from(self.0)
            }
        }

        impl From<usize> for $name {
            /// Tables are far smaller than 65,536: a scenario text has at most 256 KiB.
            fn from(at: usize) -> Self {
                Self(u16::try_from(at).expect("a scenario's tables fit 16 bits"))
            }
        }
    )+};
}

indices! {
    /// Index of a card in [`crate::Scenario::cards`].
    CardIx,
    /// Index of a character in [`crate::Scenario::characters`].
    CharacterIx,
    /// Index of a location in [`crate::Scenario::locations`].
    LocationIx,
    /// Index of a crisis in [`crate::Scenario::crises`].
    CrisisIx,
    /// Index of a fate card in [`crate::Scenario::fates`].
    FateIx,
    /// Index of a consequence in [`crate::Scenario::consequences`].
    ConsequenceIx,
}
