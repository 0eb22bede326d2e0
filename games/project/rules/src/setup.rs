//! The setup of a game. [`Setup::check`] lists all problems at once.

mod check;

use alloc::{
    format,
    string::{String, ToString},
    sync::Arc,
    vec::Vec,
};
use core::{fmt, net::Ipv4Addr, net::SocketAddrV4};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use crate::{
    area::{Area, Zone},
    problem::SetupProblem,
    scenarios::SCENARIOS,
    team::Team,
    words::Position,
};

/// The port of the Communication Server if the address has no port.
pub const DEFAULT_PORT: u16 = 8000;
/// The maximum length of a scenario, in bytes.
const MAX_TEXT_BYTES: usize = 1 << 20;

/// The configuration of a game. It contains secrets: the goals and the hashes of players.
// `remote` makes functions of what is derived, so that the traits can check a setup: see below.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct Setup {
    /// Width of the board.
    pub width: i32,
    /// Height of the board.
    pub height: i32,
    /// Address of the Communication Server: an IPv4 address with an optional port.
    #[serde(default = "here")]
    pub address: Arc<str>,
    /// How many times a lost player or server may try to reconnect.
    #[serde(default = "five")]
    pub reconnection_attempts: u32,
    /// The seconds between two attempts.
    #[serde(default = "twenty")]
    pub reconnection_interval: u32,
    /// The number of players in a team.
    pub players_per_team: i32,
    /// The number of pieces at the start.
    pub pieces: i32,
    /// The percentage of pieces that are shams.
    pub shams_percentage: i32,
    /// The goals of Blue. The goals of Red mirror them.
    pub goals: Vec<Position>,
    /// How long actions take.
    #[serde(default)]
    pub costs: Costs,
    /// Milliseconds between new pieces. If unset or 0, no new pieces appear.
    #[serde(default)]
    pub respawn_interval: Option<u64>,
    /// The game ends after this many milliseconds without progress. If unset or 0, there is no limit.
    #[serde(default)]
    pub no_progress: Option<u64>,
    /// All players must join within this many milliseconds. If unset or 0, there is no limit.
    #[serde(default)]
    pub join_timeout: Option<u64>,
    /// The hashes of the players that may join. If unset, any player may join.
    #[serde(default)]
    pub player_hashes: Option<Vec<Arc<str>>>,
}

/// How long each action takes, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Costs {
    /// A step.
    pub r#move: u64,
    /// Discovering the tiles around the player.
    pub discover: u64,
    /// Testing a piece.
    pub test: u64,
    /// Picking up a piece.
    pub pick_up: u64,
    /// Placing a piece.
    pub place: u64,
}

fn here() -> Arc<str> {
    "127.0.0.1".into()
}

fn five() -> u32 {
    5
}

fn twenty() -> u32 {
    20
}

impl Setup {
    /// Reads and checks a scenario: the name of one of [`SCENARIOS`], or a JSON text.
    ///
    /// # Errors
    ///
    /// If the name is unknown, the text cannot be read, or no game can be played with it.
    pub fn new(text: &str) -> Result<Self, SetupError> {
        let known = SCENARIOS.iter().find(|(name, _)| *name == text).map(|(_, text)| *text);
        if known.is_none() && !text.trim_start().starts_with('{') {
            return Err(SetupError::UnknownName { name: text.chars().take(40).collect() });
        }
        let text = known.unwrap_or(text);
        if text.len() > MAX_TEXT_BYTES {
            return Err(SetupError::TooLong { most: MAX_TEXT_BYTES });
        }
        let not_json = |error: serde_json::Error| SetupError::NotJson { error: error.to_string() };
        let mut json = serde_json::Deserializer::from_str(text);
        let setup = Self::deserialize(&mut json).map_err(not_json)?;
        json.end().map_err(not_json)?;
        let problems = setup.check();
        if problems.is_empty() { Ok(setup) } else { Err(SetupError::Problems(problems)) }
    }

    /// The shape of the board.
    pub fn area(&self) -> Area {
        Area { width: self.width, height: self.height }
    }

    /// The number of shams among the pieces.
    pub fn shams(&self) -> i64 {
        let percentage = i64::from(self.shams_percentage.clamp(0, 100));
        (i64::from(self.pieces) * percentage + 50).div_euclid(100)
    }

    /// The goals of a team.
    pub fn goals_of(&self, team: Team) -> impl Iterator<Item = Position> {
        let area = self.area();
        self.goals.iter().map(move |goal| match team {
            Team::Blue => *goal,
            Team::Red => area.mirrored(*goal),
        })
    }

    /// The address of the Communication Server, if it is valid.
    pub fn server(&self) -> Option<SocketAddrV4> {
        let address = self.address.parse::<SocketAddrV4>().ok();
        address.or_else(|| Some(SocketAddrV4::new(self.address.parse::<Ipv4Addr>().ok()?, DEFAULT_PORT)))
    }

    /// How long the seat of a lost player is kept, in milliseconds.
    pub fn patience_ms(&self) -> u64 {
        u64::from(self.reconnection_attempts).saturating_mul(u64::from(self.reconnection_interval)).saturating_mul(1000)
    }

    /// The number of players in a game.
    pub fn seats(&self) -> usize {
        usize::try_from(self.players_per_team).unwrap_or(0) * 2
    }

    /// The title of the game in lists, without secrets.
    pub fn title(&self) -> String {
        format!("{} x {}, {} in a team", self.width, self.height, self.players_per_team)
    }

    pub(crate) fn task_tiles(&self) -> i64 {
        self.area().size(Zone::Task)
    }

    pub(crate) fn invites(&self, hash: &str) -> bool {
        self.player_hashes.as_ref().is_none_or(|hashes| hashes.iter().any(|known| known.eq_ignore_ascii_case(hash)))
    }
}

impl Serialize for Setup {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Self::serialize(self, serializer)
    }
}

/// A setup of a log is checked, too: no game can be started with a wrong one.
impl<'de> Deserialize<'de> for Setup {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let setup = Self::deserialize(deserializer)?;
        let problems = setup.check();
        if problems.is_empty() { Ok(setup) } else { Err(D::Error::custom(SetupError::Problems(problems))) }
    }
}

/// Why a text is not a valid setup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetupError {
    /// No scenario has this name.
    UnknownName {
        /// The name.
        name: String,
    },
    /// The JSON cannot be read.
    NotJson {
        /// The error message of the JSON parser.
        error: String,
    },
    /// The text is too long.
    TooLong {
        /// The maximum length, in bytes.
        most: usize,
    },
    /// No game can be played with the setup.
    Problems(Vec<SetupProblem>),
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownName { name } => {
                write!(f, "There is no scenario {name:?}; there are")?;
                SCENARIOS.iter().try_for_each(|(known, _)| write!(f, " {known},"))?;
                write!(
                    f,
                    " or send a text: {{\"width\": .., \"height\": .., \"goals\": [{{\"x\": .., \"y\": ..}}], ..}}."
                )
            }
            Self::NotJson { error } => write!(f, "The scenario cannot be read: {error}."),
            Self::TooLong { most } => write!(f, "A scenario has at most {most} bytes."),
            Self::Problems(problems) => {
                let words: Vec<String> = problems.iter().map(SetupProblem::to_string).collect();
                write!(f, "{}", words.join(" "))
            }
        }
    }
}

impl core::error::Error for SetupError {}
