//! What a game of colony is played with: a scenario, an edition and a deadline, prepared for the rules.

use alloc::{boxed::Box, sync::Arc, vec::Vec};
use core::{fmt, ops::Deref};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use crate::{
    edition::{Edition, Switches},
    ids::{CardId, CardIx, CharacterId, CharacterIx, CrisisId, CrisisIx, FateId, FateIx, LocationId, LocationIx},
    scenario::{self, Problem, Scenario},
};

/// Shared by all games of a scenario: a clone costs nothing.
#[derive(Clone)]
pub struct Setup(Arc<Prepared>);

/// A scenario with tables that the rules look things up in.
#[derive(Debug)]
pub struct Prepared {
    pub scenario: Scenario,
    /// The scenario as its author wrote it, which is what `Config` carries.
    pub text: Box<str>,
    pub edition: Edition,
    pub switches: Switches,
    /// How long a player may take, in milliseconds; `None`: for ever.
    pub timeout: Option<u64>,
    /// Characters from the lowest status to the highest.
    pub(crate) by_status: Vec<CharacterIx>,
    /// The place of each location's first entrance among all entrances, and behind the last one their number.
    pub(crate) first_entrance: Vec<usize>,
    /// Likewise for cards in stacks.
    pub(crate) first_card: Vec<usize>,
    cards: Lookup,
    characters: Lookup,
    locations: Lookup,
    crises: Lookup,
    fates: Lookup,
}

/// Why there is no setup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetupError {
    Scenario(Vec<Problem>),
    /// The fate edition was asked for, and the scenario has no fate cards.
    NoFateCards,
}

impl Setup {
    /// Reads and checks a scenario. Without an edition the scenario's own is guessed.
    pub fn new(text: &str, edition: Option<Edition>, timeout: Option<u64>) -> Result<Self, SetupError> {
        let scenario = scenario::read(text).map_err(SetupError::Scenario)?;
        let edition = edition.unwrap_or_else(|| Edition::guess(&scenario));
        if edition == Edition::Fate && scenario.fates.is_none() {
            return Err(SetupError::NoFateCards);
        }

        let mut by_status: Vec<CharacterIx> = (0..scenario.characters.len()).map(CharacterIx::from).collect();
        by_status.sort_by_key(|&character| scenario.character(character).status);
        Ok(Self(Arc::new(Prepared {
            text: text.into(),
            edition,
            switches: edition.switches(),
            timeout,
            by_status,
            first_entrance: running_sum(scenario.locations.iter().map(|location| location.entrances.into())),
            first_card: running_sum(scenario.locations.iter().map(|location| location.cards.len())),
            cards: Lookup::new(scenario.cards.iter().map(|card| card.id.0)),
            characters: Lookup::new(scenario.characters.iter().map(|character| character.id.0)),
            locations: Lookup::new(scenario.locations.iter().map(|location| location.id.0)),
            crises: Lookup::new(scenario.crises.iter().map(|crisis| crisis.id.0)),
            fates: Lookup::new(scenario.fates.iter().flatten().map(|fate| fate.id.0)),
            scenario,
        })))
    }
}

fn running_sum(parts: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut sum = 0;
    core::iter::once(0)
        .chain(parts.map(|part| {
            sum += part;
            sum
        }))
        .collect()
}

impl Prepared {
    pub fn card_ix(&self, id: CardId) -> Option<CardIx> {
        self.cards.find(id.0).map(CardIx)
    }

    pub fn character_ix(&self, id: CharacterId) -> Option<CharacterIx> {
        self.characters.find(id.0).map(CharacterIx)
    }

    pub fn location_ix(&self, id: LocationId) -> Option<LocationIx> {
        self.locations.find(id.0).map(LocationIx)
    }

    pub fn crisis_ix(&self, id: CrisisId) -> Option<CrisisIx> {
        self.crises.find(id.0).map(CrisisIx)
    }

    pub fn fate_ix(&self, id: FateId) -> Option<FateIx> {
        self.fates.find(id.0).map(FateIx)
    }
}

impl Deref for Setup {
    type Target = Prepared;

    fn deref(&self) -> &Prepared {
        &self.0
    }
}

impl PartialEq for Setup {
    /// Everything else follows from these three.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
            || (&self.text, self.edition, self.timeout) == (&other.text, other.edition, other.timeout)
    }
}

impl Eq for Setup {}

impl fmt::Debug for Setup {
    /// Short: a setup is part of every board that a failed test shows.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Setup({}, {} characters)", self.edition, self.scenario.characters.len())
    }
}

/// The form in a log's header: the text, which is read again.
#[derive(Serialize, Deserialize)]
struct SetupForm<T> {
    edition: Edition,
    timeout: Option<u64>,
    scenario: T,
}

impl Serialize for Setup {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        SetupForm { edition: self.edition, timeout: self.timeout, scenario: &*self.text }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Setup {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let form: SetupForm<Box<str>> = SetupForm::deserialize(deserializer)?;
        Self::new(&form.scenario, Some(form.edition), form.timeout).map_err(D::Error::custom)
    }
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scenario(problems) => {
                for (at, problem) in problems.iter().enumerate() {
                    write!(f, "{}{problem}", if at == 0 { "" } else { "\n" })?;
                }
                Ok(())
            }
            Self::NoFateCards => f.write_str("the fate edition needs a scenario with a crossroads list"),
        }
    }
}

impl core::error::Error for SetupError {}

/// From an identifier to its place in a table.
#[derive(Debug)]
struct Lookup {
    sorted: Box<[(i32, u16)]>,
}

impl Lookup {
    fn new(identifiers: impl Iterator<Item = i32>) -> Self {
        let mut sorted: Vec<(i32, u16)> = identifiers.zip(0..).collect();
        sorted.sort_unstable();
        Self { sorted: sorted.into() }
    }

    fn find(&self, identifier: i32) -> Option<u16> {
        let at = self.sorted.binary_search_by_key(&identifier, |&(identifier, _)| identifier).ok()?;
        Some(self.sorted[at].1)
    }
}
