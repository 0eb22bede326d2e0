//! What a game is played with, and what can be wrong with that. [`Setup::check`] lists every problem at once.

mod check;

use alloc::{
    format,
    string::{String, ToString},
    sync::Arc,
    vec::Vec,
};
use core::{fmt, net::Ipv4Addr, net::SocketAddrV4};

use serde::{Deserialize, Serialize};

use crate::{
    area::{Area, Zone},
    problem::Problem,
    scenarios::SCENARIOS,
    team::Team,
    words::Position,
};

/// The port of the Communication Server when the address has none.
pub const DEFAULT_PORT: u16 = 8000;
/// The longest scenario, in bytes.
const LONGEST_TEXT: usize = 1 << 20;

/// The configuration of a game. It has secrets: goals, and by which hashes players are known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    pub width: i32,
    pub height: i32,
    /// Where the Communication Server listens: an IPv4 address, perhaps with a port.
    #[serde(default = "here")]
    pub address: Arc<str>,
    #[serde(default = "five")]
    pub reconnection_attempts: u32,
    /// In seconds.
    #[serde(default = "twenty")]
    pub reconnection_interval: u32,
    pub players_per_team: i32,
    pub pieces: i32,
    pub shams_percentage: i32,
    /// Those of Blue; Red's are mirrored.
    pub goals: Vec<Position>,
    #[serde(default)]
    pub costs: Costs,
    /// Milliseconds between new pieces; without it, or with 0, none come.
    #[serde(default)]
    pub respawn_interval: Option<u64>,
    /// After so many milliseconds without progress the game is over; without it, or with 0, never.
    #[serde(default)]
    pub no_progress: Option<u64>,
    /// The players must be there within so many milliseconds; without it, or with 0, it waits for ever.
    #[serde(default)]
    pub join_timeout: Option<u64>,
    /// Who may play; without it, anybody.
    #[serde(default)]
    pub player_hashes: Option<Vec<Arc<str>>>,
}

/// What each action takes, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Costs {
    pub r#move: u64,
    pub discover: u64,
    pub test: u64,
    pub pick_up: u64,
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
    /// Reads a scenario: the name of one of [`SCENARIOS`], or a text in JSON. It is checked.
    pub fn new(text: &str) -> Result<Self, SetupError> {
        let known = SCENARIOS.iter().find(|(name, _)| *name == text).map(|(_, text)| *text);
        if known.is_none() && !text.trim_start().starts_with('{') {
            return Err(SetupError::UnknownName { name: text.chars().take(40).collect() });
        }
        let text = known.unwrap_or(text);
        if text.len() > LONGEST_TEXT {
            return Err(SetupError::TooLong { most: LONGEST_TEXT });
        }
        let setup: Self =
            serde_json::from_str(text).map_err(|error| SetupError::NotJson { error: error.to_string() })?;
        let problems = setup.check();
        if problems.is_empty() { Ok(setup) } else { Err(SetupError::Problems(problems)) }
    }

    pub fn area(&self) -> Area {
        Area { width: self.width, height: self.height }
    }

    /// How many of the pieces are shams.
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

    /// Where the Communication Server listens, if the address is one.
    pub fn server(&self) -> Option<SocketAddrV4> {
        let address = self.address.parse::<SocketAddrV4>().ok();
        address.or_else(|| Some(SocketAddrV4::new(self.address.parse::<Ipv4Addr>().ok()?, DEFAULT_PORT)))
    }

    /// How long the place of a lost player is kept, in milliseconds.
    pub fn patience(&self) -> u64 {
        u64::from(self.reconnection_attempts).saturating_mul(u64::from(self.reconnection_interval)).saturating_mul(1000)
    }

    pub fn seats(&self) -> usize {
        usize::try_from(self.players_per_team).unwrap_or(0) * 2
    }

    /// What a list of games calls it; no secret.
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

/// Why a text is no setup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetupError {
    UnknownName { name: String },
    NotJson { error: String },
    TooLong { most: usize },
    Problems(Vec<Problem>),
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
                let words: Vec<String> = problems.iter().map(Problem::to_string).collect();
                write!(f, "{}", words.join(" "))
            }
        }
    }
}

impl core::error::Error for SetupError {}
