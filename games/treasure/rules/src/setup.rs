//! The setup of a game: the year of its protocol, its profile, and the options of its creator.

use alloc::{
    string::{String, ToString},
    sync::Arc,
};
use core::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    half,
    profile::{Changes, Profile, ProfileError, Year},
};

/// The setup of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "StoredSetup", try_from = "StoredSetup")]
pub struct Setup {
    /// The year of the protocol.
    pub year: Year,
    /// No thinking time limit, and no limit for the second player to come.
    pub debug: bool,
    /// The second player is the host's dummy.
    pub dummy: bool,
    /// The text of the scenario.
    pub text: Arc<str>,
    profile: Arc<Profile>,
}

/// A setup in a log. The text says everything; the other fields repeat what was there before profiles were.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Setup")]
struct StoredSetup {
    year: Year,
    debug: bool,
    dummy: bool,
    text: Arc<str>,
}

impl From<Setup> for StoredSetup {
    fn from(Setup { year, debug, dummy, text, profile: _ }: Setup) -> Self {
        Self { year, debug, dummy, text }
    }
}

impl TryFrom<StoredSetup> for Setup {
    type Error = SetupError;

    fn try_from(stored: StoredSetup) -> Result<Self, SetupError> {
        let setup = Self::new(&stored.text)?;
        let is_same = (setup.year, setup.debug, setup.dummy) == (stored.year, stored.debug, stored.dummy);
        if is_same { Ok(setup) } else { Err(SetupError::Contradiction) }
    }
}

/// The longest text of a scenario, in bytes. The header of the log contains it.
const LONGEST_TEXT: usize = 4096;

/// The named scenarios: name and text.
pub const SCENARIOS: &[(&str, &str)] = &[
    ("2022", r#"{"year":2022}"#),
    ("2022-debug", r#"{"year":2022,"debug":true}"#),
    ("2022-dummy", r#"{"year":2022,"dummy":true}"#),
    ("2022-debug-dummy", r#"{"year":2022,"debug":true,"dummy":true}"#),
    ("2017", r#"{"year":2017}"#),
    ("2025s", r#"{"year":2022,"profile":"2025s"}"#),
    ("2025w", r#"{"year":2022,"profile":"2025w"}"#),
];

/// The JSON of a scenario.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Scenario {
    year: u32,
    #[serde(default)]
    debug: bool,
    #[serde(default)]
    dummy: bool,
    /// The name of a profile, or an object of numbers that change one.
    #[serde(default)]
    profile: Option<Value>,
}

/// The reasons why a text is not a setup.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the line of a variant explains its fields")]
pub enum SetupError {
    /// No built-in scenario has this name.
    UnknownName { name: String },
    /// The text is not JSON of a setup.
    NotJson { error: String },
    /// There is no protocol of this year.
    UnknownYear { year: u32 },
    /// The protocol of this year has no such option.
    NotInYear { year: Year, what: &'static str },
    /// The text is above the limit.
    TooLong { most: usize },
    /// The profile is not one.
    Profile(ProfileError),
    /// The profile belongs to another year.
    ProfileOfYear { year: Year },
    /// A stored setup does not fit its text.
    Contradiction,
}

impl Setup {
    /// Reads the name or the text of a scenario.
    ///
    /// # Errors
    ///
    /// The name is unknown, or the text is not a scenario.
    pub fn new(text: &str) -> Result<Self, SetupError> {
        let known = SCENARIOS.iter().find(|(name, _)| *name == text).map(|(_, text)| *text);
        if known.is_none() && !text.trim_start().starts_with('{') {
            return Err(SetupError::UnknownName { name: text.chars().take(40).collect() });
        }
        let text = known.unwrap_or(text);
        if text.len() > LONGEST_TEXT {
            return Err(SetupError::TooLong { most: LONGEST_TEXT });
        }
        let not_json = |error: serde_json::Error| SetupError::NotJson { error: error.to_string() };
        let Scenario { year, debug, dummy, profile } = serde_json::from_str(text).map_err(not_json)?;
        let year =
            Year::ALL.into_iter().find(|known| known.number() == year).ok_or(SetupError::UnknownYear { year })?;
        // The protocol of 2017 has no options.
        if year == Year::Y2017 && (debug || dummy) {
            return Err(SetupError::NotInYear { year, what: if debug { "debug" } else { "dummy" } });
        }
        let profile = match profile {
            None => year.profile().clone(),
            Some(Value::String(name)) => match Profile::named(&name) {
                Some(profile) => profile.clone(),
                None => return Err(SetupError::Profile(ProfileError::unknown(&name))),
            },
            Some(changes) => {
                let changes: Changes = serde_json::from_value(changes).map_err(not_json)?;
                let profile = changes.apply(year.profile()).map_err(SetupError::Profile)?;
                if !half::exists(&profile) {
                    return Err(SetupError::Profile(ProfileError::NoHalf));
                }
                profile
            }
        };
        if profile.year != year {
            return Err(SetupError::ProfileOfYear { year: profile.year });
        }
        Ok(Self { year, debug, dummy, text: text.into(), profile: Arc::new(profile) })
    }

    /// The rules of the game.
    pub fn profile(&self) -> &Arc<Profile> {
        &self.profile
    }

    /// Whether another setup has the same rules and options, whatever its text is.
    pub fn is_like(&self, other: &Self) -> bool {
        let of = |setup: &Self| (setup.year, setup.debug, setup.dummy);
        of(self) == of(other) && self.profile == other.profile
    }

    /// How long the player to act may think.
    pub fn think_ms(&self) -> Option<u64> {
        (!self.debug).then_some(self.profile().think_ms)
    }

    /// How long the game waits for two players.
    pub fn lobby_ms(&self) -> Option<u64> {
        self.profile().lobby_ms.filter(|_| !self.debug)
    }
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownName { name } => {
                write!(f, "There is no scenario {name:?}; there are")?;
                SCENARIOS.iter().try_for_each(|(known, _)| write!(f, " {known},"))?;
                write!(f, " or send a text: {{\"year\": 2022, \"debug\": true, \"dummy\": false}}.")
            }
            Self::NotJson { error } => write!(f, "The scenario cannot be read: {error}."),
            Self::UnknownYear { year } => write!(f, "There is no protocol of {year}; there are 2022 and 2017."),
            Self::NotInYear { year, what } => write!(f, "The protocol of {year} has no {what} games; 2022 has."),
            Self::TooLong { most } => write!(f, "A scenario has at most {most} bytes."),
            Self::Profile(error) => error.fmt(f),
            Self::ProfileOfYear { year } => write!(f, "The profile belongs to the protocol of {year}."),
            Self::Contradiction => f.write_str("The stored setup does not fit its text."),
        }
    }
}

impl core::error::Error for SetupError {}
