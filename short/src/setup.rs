//! The parameters of a game.

use alloc::{
    borrow::ToOwned,
    string::{String, ToString},
    sync::Arc,
    vec::Vec,
};
use core::{fmt, marker::PhantomData};

use engine::CommId;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::{
    chance::Chance,
    clock::Clock,
    game::{ShortGame, Start},
    refusal::Refusal,
};

/// The most seats of a game.
pub const MOST_SEATS: usize = 64;
/// The longest scenario, in bytes.
const LONGEST: usize = 64 * 1024;
/// The longest time on a clock, in seconds.
const LONGEST_TIME: u64 = 7 * 24 * 60 * 60;
/// The longest name of a player or a bot, in characters.
pub(crate) const LONGEST_NAME: usize = 64;

/// The parameters of a game: what its creator asked for, with every default filled in. A later change of a default does not
/// change a stored game.
///
/// A scenario is the name of one, or JSON:
///
/// ```json
/// {"seats": 3, "clock": {"initial": 300, "increment": 2}, "bots": ["random"], "game": {"board": 19}}
/// ```
///
/// All fields are optional. `seats` is the number of players; without it a game takes as many as it can. `bots` take the last
/// seats. `game` is for the game itself: [`Start::options`].
pub struct Setup<G> {
    facts: Arc<Facts>,
    game: PhantomData<fn() -> G>,
}

/// The stored form.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Facts {
    /// The text of the scenario.
    text: String,
    seats: usize,
    timeout_ms: Option<u64>,
    clock: Option<Clock>,
    bots: Vec<String>,
    /// The options of the game as text, because the binary form of a log holds no free values.
    options: String,
    /// The version of what the library adds to every game. It is the last stored field, and the first version has no bytes: so logs from
    /// before there were versions are read, and keep their bytes.
    #[serde(default, deserialize_with = "first_if_missing", skip_serializing_if = "is_first")]
    frame: u8,
    #[serde(skip)]
    parsed: Value,
}

/// The newest version of what the library adds to every game. Since version 1, a game with secrets that ends without a move reveals them.
const FRAME: u8 = 1;

fn first_if_missing<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u8, D::Error> {
    Ok(u8::deserialize(deserializer).unwrap_or_default())
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it")]
fn is_first(frame: &u8) -> bool {
    *frame == 0
}

/// A scenario as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Scenario {
    seats: Option<usize>,
    /// Absent is the usual clock, and `null` is no clock.
    #[serde(default, deserialize_with = "present")]
    clock: Option<Option<Clock>>,
    #[serde(default)]
    bots: Vec<String>,
    #[serde(default)]
    game: Value,
}

fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<Clock>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

/// The reason why a scenario is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetupError {
    /// No scenario has this name.
    UnknownName {
        /// The name.
        name: String,
        /// All names.
        known: Vec<&'static str>,
    },
    /// The text is not a scenario. Contains serde's message.
    NotAScenario(String),
    /// The text is too long.
    TooLong {
        /// The most bytes.
        most: usize,
    },
    /// The game is for fewer or more players.
    Seats {
        /// The fewest players.
        least: usize,
        /// The most players.
        most: usize,
    },
    /// A clock has too little or too much time.
    Clock {
        /// The most seconds.
        most: u64,
    },
    /// There are more bots than seats, or a bot has a bad name.
    Bots {
        /// The seats.
        seats: usize,
    },
    /// The game refuses its options.
    Options(Refusal),
}

impl<G: ShortGame> Setup<G> {
    /// Reads a scenario: a name, or JSON. Players have this time for each move.
    ///
    /// # Errors
    /// If the scenario is wrong.
    pub fn new(scenario: &str, timeout_ms: Option<u64>) -> Result<Self, SetupError> {
        if scenario.len() > LONGEST {
            return Err(SetupError::TooLong { most: LONGEST });
        }
        let text = match scenario.trim() {
            text if text.starts_with('{') => text,
            "" | STANDARD => "{}",
            name => {
                let known = || [STANDARD].into_iter().chain(G::SCENARIOS.iter().map(|(known, _)| *known)).collect();
                let found = G::SCENARIOS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text);
                let name = || name.chars().take(LONGEST_NAME).collect();
                found.ok_or_else(|| SetupError::UnknownName { name: name(), known: known() })?
            }
        };
        let read: Scenario = serde_json::from_str(text).map_err(|error| SetupError::NotAScenario(error.to_string()))?;
        let (least, most) = (*G::SEATS.start(), (*G::SEATS.end()).min(MOST_SEATS));
        let seats = read.seats.unwrap_or(most);
        if !(least..=most).contains(&seats) {
            return Err(SetupError::Seats { least, most });
        }
        let clock = read.clock.unwrap_or(G::CLOCK);
        if clock.is_some_and(|Clock { initial, increment }| initial.max(increment) > LONGEST_TIME || initial == 0) {
            return Err(SetupError::Clock { most: LONGEST_TIME });
        }
        let is_wrong = |name: &String| name.is_empty() || name.chars().count() > LONGEST_NAME;
        if read.bots.len() > seats || read.bots.iter().any(is_wrong) {
            return Err(SetupError::Bots { seats });
        }
        let version = G::VERSIONS.last().copied().unwrap_or_default();
        for players in least..=seats {
            let start = Start::new(players, version, &read.game);
            G::start(&start, &mut Chance::with_seed(0)).map_err(SetupError::Options)?;
        }
        let facts = Facts {
            text: text.to_owned(),
            seats,
            timeout_ms: timeout_ms.or(G::TIMEOUT_MS),
            clock,
            bots: read.bots,
            options: read.game.to_string(),
            frame: FRAME,
            parsed: read.game,
        };
        Ok(Self { facts: Arc::new(facts), game: PhantomData })
    }

    /// The text of the scenario.
    pub fn text(&self) -> &str {
        &self.facts.text
    }

    /// The most players.
    pub fn seats(&self) -> usize {
        self.facts.seats
    }

    /// The time for one move.
    pub fn timeout_ms(&self) -> Option<u64> {
        self.facts.timeout_ms
    }

    /// The time of each player for the whole game.
    pub fn clock(&self) -> Option<Clock> {
        self.facts.clock
    }

    /// The bots of the host with their names. Bots are the first clients of their game.
    pub fn bots(&self) -> impl Iterator<Item = (CommId, &str)> {
        (1..).map(CommId).zip(self.facts.bots.iter().map(String::as_str))
    }

    /// Whether a game with secrets that ends without a move reveals them.
    pub(crate) fn reveals_every_end(&self) -> bool {
        self.facts.frame >= 1
    }

    /// The options of the game itself.
    pub(crate) fn options(&self) -> &Value {
        &self.facts.parsed
    }
}

/// The name of the scenario without any field.
pub(crate) const STANDARD: &str = "standard";

impl<G> Clone for Setup<G> {
    fn clone(&self) -> Self {
        Self { facts: self.facts.clone(), game: PhantomData }
    }
}

impl<G> PartialEq for Setup<G> {
    fn eq(&self, other: &Self) -> bool {
        self.facts == other.facts
    }
}

impl<G> Eq for Setup<G> {}

impl<G> fmt::Debug for Setup<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.facts.fmt(f)
    }
}

impl<G> Serialize for Setup<G> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.facts.serialize(serializer)
    }
}

impl<'de, G> Deserialize<'de> for Setup<G> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        use serde::de::Error;

        let mut facts = Facts::deserialize(deserializer)?;
        facts.parsed = serde_json::from_str(&facts.options).map_err(D::Error::custom)?;
        if facts.seats == 0 || facts.seats > MOST_SEATS || facts.bots.len() > facts.seats {
            return Err(D::Error::custom("a setup with an impossible number of seats"));
        }
        Ok(Self { facts: Arc::new(facts), game: PhantomData })
    }
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownName { name, known } => write!(
                f,
                "There is no scenario {name:?}; there are {}, or send a text: {{\"seats\": 2, \"clock\": {{\"initial\": 180}}}}.",
                known.join(", ")
            ),
            Self::NotAScenario(error) => write!(f, "The scenario cannot be read: {error}."),
            Self::TooLong { most } => write!(f, "A scenario has at most {most} bytes."),
            Self::Seats { least, most } if least == most => write!(f, "The game is for {least} players."),
            Self::Seats { least, most } => write!(f, "The game is for {least} to {most} players."),
            Self::Clock { most } => write!(f, "A clock has 1 to {most} seconds, and adds at most as many."),
            Self::Bots { seats } => {
                write!(f, "There are at most {seats} bots; a name has 1 to {LONGEST_NAME} characters.")
            }
            // The author's words may be a sentence.
            Self::Options(refusal) => {
                let words = refusal.to_string();
                write!(f, "The game does not take this scenario: {}.", words.trim_end_matches('.'))
            }
        }
    }
}

impl core::error::Error for SetupError {}
