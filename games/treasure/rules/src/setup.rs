//! The setup of a game: the year of its protocol, and the options of its creator.

use alloc::{
    string::{String, ToString},
    sync::Arc,
};
use core::fmt;

use serde::{Deserialize, Serialize};

use crate::profile::{Profile, Year};

/// The setup of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setup {
    /// The year of the protocol.
    pub year: Year,
    /// No thinking time limit, and no limit for the second player to come.
    pub debug: bool,
    /// The second player is the host's dummy.
    pub dummy: bool,
    /// The text of the scenario.
    pub text: Arc<str>,
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
        let Scenario { year, debug, dummy } =
            serde_json::from_str(text).map_err(|error| SetupError::NotJson { error: error.to_string() })?;
        let year =
            Year::ALL.into_iter().find(|known| known.number() == year).ok_or(SetupError::UnknownYear { year })?;
        // The protocol of 2017 has no options.
        if year == Year::Y2017 && (debug || dummy) {
            return Err(SetupError::NotInYear { year, what: if debug { "debug" } else { "dummy" } });
        }
        Ok(Self { year, debug, dummy, text: text.into() })
    }

    /// The rules of the year.
    pub fn profile(&self) -> &'static Profile {
        self.year.profile()
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
        }
    }
}

impl core::error::Error for SetupError {}
