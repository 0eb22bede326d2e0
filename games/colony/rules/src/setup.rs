//! The setup of a game: a scenario, an edition and a deadline, prepared for the rules.

use alloc::{boxed::Box, sync::Arc, vec::Vec};
use core::{fmt, ops::Deref};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use crate::{
    edition::{Edition, Switches},
    ids::{CardId, CardIx, CharacterId, CharacterIx, CrisisId, CrisisIx, FateId, FateIx, LocationId, LocationIx},
    scenario::{self, Scenario, ScenarioProblem},
};

/// A checked scenario with its edition and deadline. All games of a scenario share it, so a clone is cheap.
#[derive(Clone)]
pub struct Setup {
    prepared: Arc<Prepared>,
    /// The time limit for a command in milliseconds; `None` means no limit.
    pub timeout_ms: Option<u64>,
}

/// A scenario with lookup tables for the rules.
#[derive(Debug)]
pub struct Prepared {
    /// The checked scenario.
    pub scenario: Scenario,
    /// The scenario as its author wrote it. `Config` carries this text.
    pub text: Box<str>,
    /// The edition that is played.
    pub edition: Edition,
    /// The switches of the edition.
    pub switches: Switches,
    /// Characters from the lowest status to the highest.
    pub(crate) by_status: Vec<CharacterIx>,
    /// For each location, the index of its first entrance among all entrances. The last element is the number of all entrances.
    pub(crate) first_entrance: Vec<usize>,
    /// The same as `first_entrance`, for the cards of the stacks.
    pub(crate) first_card: Vec<usize>,
    cards: Lookup,
    characters: Lookup,
    locations: Lookup,
    crises: Lookup,
    fates: Lookup,
}

/// Why a setup could not be created.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetupError {
    /// Everything that is wrong with the scenario.
    Scenario(Vec<ScenarioProblem>),
    /// The fate edition needs fate cards, and the scenario has none.
    NoFateCards,
}

impl Setup {
    /// Reads and checks a scenario. Without an edition, guesses the one that the scenario is written for.
    ///
    /// # Errors
    /// If the scenario is faulty, or if it has no fate cards for the fate edition.
    pub fn new(text: &str, edition: Option<Edition>, timeout_ms: Option<u64>) -> Result<Self, SetupError> {
        let scenario = scenario::read(text).map_err(SetupError::Scenario)?;
        let edition = edition.unwrap_or_else(|| Edition::guess(&scenario));
        if edition == Edition::Fate && scenario.fates.is_none() {
            return Err(SetupError::NoFateCards);
        }

        let mut by_status: Vec<CharacterIx> = (0..scenario.characters.len()).map(CharacterIx::from).collect();
        by_status.sort_by_key(|&character| scenario.character(character).status);
        let prepared = Arc::new(Prepared {
            text: text.into(),
            edition,
            switches: edition.switches(),
            by_status,
            first_entrance: running_sum(scenario.locations.iter().map(|location| location.entrances.into())),
            first_card: running_sum(scenario.locations.iter().map(|location| location.cards.len())),
            cards: Lookup::new(scenario.cards.iter().map(|card| card.id.0)),
            characters: Lookup::new(scenario.characters.iter().map(|character| character.id.0)),
            locations: Lookup::new(scenario.locations.iter().map(|location| location.id.0)),
            crises: Lookup::new(scenario.crises.iter().map(|crisis| crisis.id.0)),
            fates: Lookup::new(scenario.fates.iter().flatten().map(|fate| fate.id.0)),
            scenario,
        });
        Ok(Self { prepared, timeout_ms })
    }

    /// The same scenario with another time limit. It is not read again.
    #[must_use]
    pub fn with_timeout(self, timeout_ms: Option<u64>) -> Self {
        Self { timeout_ms, ..self }
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
    /// The index of the card with this identifier.
    pub fn card_ix(&self, id: CardId) -> Option<CardIx> {
        self.cards.find(id.0).map(CardIx)
    }

    /// The index of the character with this identifier.
    pub fn character_ix(&self, id: CharacterId) -> Option<CharacterIx> {
        self.characters.find(id.0).map(CharacterIx)
    }

    /// The index of the location with this identifier.
    pub fn location_ix(&self, id: LocationId) -> Option<LocationIx> {
        self.locations.find(id.0).map(LocationIx)
    }

    /// The index of the crisis with this identifier.
    pub fn crisis_ix(&self, id: CrisisId) -> Option<CrisisIx> {
        self.crises.find(id.0).map(CrisisIx)
    }

    /// The index of the fate card with this identifier.
    pub fn fate_ix(&self, id: FateId) -> Option<FateIx> {
        self.fates.find(id.0).map(FateIx)
    }
}

impl Deref for Setup {
    type Target = Prepared;

    fn deref(&self) -> &Prepared {
        &self.prepared
    }
}

impl PartialEq for Setup {
    /// Compares three fields, because all other fields follow from them.
    fn eq(&self, other: &Self) -> bool {
        self.timeout_ms == other.timeout_ms
            && (Arc::ptr_eq(&self.prepared, &other.prepared)
                || (&self.text, self.edition) == (&other.text, other.edition))
    }
}

impl Eq for Setup {}

impl fmt::Debug for Setup {
    /// Prints little, because a setup is part of every board that a failed test prints.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Setup({}, {} characters)", self.edition, self.scenario.characters.len())
    }
}

/// The serialized form in the header of a log. It stores the scenario as its text, which is read again.
#[derive(Serialize, Deserialize)]
struct SetupForm<T> {
    edition: Edition,
    timeout: Option<u64>,
    scenario: T,
}

impl Serialize for Setup {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        SetupForm { edition: self.edition, timeout: self.timeout_ms, scenario: &*self.text }.serialize(serializer)
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

/// Maps an identifier to its index in a table.
///
/// Most authors number things in blocks, so a plain array over the range of identifiers is small. A wide range uses a sorted
/// list with binary search instead.
#[derive(Debug)]
enum Lookup {
    Array { lowest: i32, places: Box<[u16]> },
    Sorted { places: Box<[(i32, u16)]> },
}

/// Marks an unused identifier in an array; no table has this many rows.
const NOTHING: u16 = u16::MAX;

impl Lookup {
    fn new(identifiers: impl Iterator<Item = i32>) -> Self {
        const LARGEST_ARRAY: i64 = 4096;
        let mut sorted: Vec<(i32, u16)> = identifiers.zip(0..NOTHING).collect();
        sorted.sort_unstable();
        let lowest = sorted.first().map_or(0, |&(lowest, _)| lowest);
        let range = sorted.last().map_or(0, |&(highest, _)| i64::from(highest) - i64::from(lowest) + 1);
        if range > LARGEST_ARRAY {
            return Self::Sorted { places: sorted.into() };
        }
        let mut places: Vec<u16> = core::iter::repeat_n(NOTHING, range as usize).collect();
        for (identifier, place) in sorted {
            places[(identifier - lowest) as usize] = place;
        }
        Self::Array { lowest, places: places.into() }
    }

    #[inline]
    fn find(&self, identifier: i32) -> Option<u16> {
        match self {
            Self::Array { lowest, places } => {
                let place = *places.get(identifier.wrapping_sub(*lowest).cast_unsigned() as usize)?;
                (place != NOTHING).then_some(place)
            }
            Self::Sorted { places } => {
                let at = places.binary_search_by_key(&identifier, |&(identifier, _)| identifier).ok()?;
                Some(places[at].1)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::{format, string::ToString};

    use super::*;

    const TEXT: &str = include_str!("../../scenarios/winter.json");

    #[test]
    fn setups_are_equal_if_text_edition_and_timeout_are() {
        let setup = |text: &str, edition, timeout| Setup::new(text, Some(edition), timeout).expect("a sound scenario");
        let one = setup(TEXT, Edition::Group, Some(7));
        assert_eq!(one, one.clone());
        assert_eq!(one, setup(TEXT, Edition::Group, Some(7)));
        assert_ne!(one, setup(&format!("{TEXT} "), Edition::Group, Some(7)));
        assert_ne!(one, setup(TEXT, Edition::Equipment, Some(7)));
        assert_ne!(one, setup(TEXT, Edition::Group, Some(8)));
        assert_ne!(one, setup(TEXT, Edition::Group, None));
        assert_eq!(one.clone().with_timeout(None), setup(TEXT, Edition::Group, None));
        assert_ne!(one.clone().with_timeout(None), one);
        let bytes = serde_json::to_string(&one).expect("it can be written");
        assert_eq!(serde_json::from_str::<Setup>(&bytes).expect("it can be read"), one);
        assert_eq!(format!("{one:?}"), "Setup(group, 30 characters)");
    }

    #[test]
    fn faulty_setups() {
        let why = |text, edition| Setup::new(text, edition, None).expect_err("not a setup").to_string();
        assert_eq!(why(TEXT, Some(Edition::Fate)), "the fate edition needs a scenario with a crossroads list");
        assert_eq!(why("", None), "$: end of text: line 1, column 1: a value is expected here");
        let missing = ["maxPlayers", "cards", "characters", "crises", "goal", "locations"]
            .map(|key| format!("$: {{}}: the key `{key}` is missing"));
        assert_eq!(why("{}", None), missing.join("\n"));
    }

    #[track_caller]
    fn check(identifiers: &[i32], strangers: &[i32]) {
        let lookup = Lookup::new(identifiers.iter().copied());
        for (at, &identifier) in identifiers.iter().enumerate() {
            assert_eq!(lookup.find(identifier), Some(at as u16), "{identifier} in {identifiers:?}");
        }
        for &stranger in strangers {
            assert_eq!(lookup.find(stranger), None, "{stranger} in {identifiers:?}");
        }
    }

    #[test]
    fn lookup() {
        check(&[], &[0, 1, -1, i32::MIN, i32::MAX]);
        check(&[7], &[6, 8, 0, i32::MIN, i32::MAX]);
        check(&[3, -2, 1], &[-3, -1, 0, 2, 4, i32::MIN, i32::MAX]);
        check(&[4095, 0], &[-1, 1, 4096, i32::MIN]);
        check(&[4096, 0], &[-1, 1, 4095, 4097, i32::MAX]);
        check(&[i32::MAX, i32::MIN, 0], &[1, -1, i32::MAX - 1, i32::MIN + 1]);
        check(&[i32::MIN, i32::MIN + 3], &[i32::MIN + 1, i32::MAX, 0]);
        check(&[i32::MAX, i32::MAX - 3], &[i32::MAX - 1, i32::MIN, 0]);
    }
}
