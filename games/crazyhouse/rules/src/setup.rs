//! The setup of a game: its start position, clock, bots and limits.

use alloc::{
    string::{String, ToString},
    sync::Arc,
};
use core::fmt;

use engine::CommId;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{notation::PositionError, piece::Side, position::Position};

/// The setup of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setup {
    /// The text of the scenario.
    pub text: Arc<str>,
    /// The start position.
    pub start: Position,
    /// The clock, if there is one.
    pub clock: Option<Pace>,
    /// The host's bots that play, White first. Their seats are reserved.
    pub bots: [Option<Arc<str>>; 2],
    /// The number of moves of both sides together after which the game is a draw.
    pub most_moves: Option<u32>,
    /// Without a clock: how long a player may think.
    #[serde(rename = "timeout")]
    pub timeout_ms: u64,
}

/// A clock. Times are in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pace {
    /// The time of each side at the start.
    pub initial: u64,
    /// The time that each move adds.
    pub increment: u64,
}

/// How long a player may think by default, so that deserted games end.
const A_DAY_MS: u64 = 24 * 60 * 60 * 1000;
/// The longest time on a clock, in seconds.
const LONGEST: u64 = 24 * 60 * 60;
/// The longest text of a scenario, in bytes. The header of the log contains it.
const LONGEST_TEXT: usize = 4096;
/// The default limit of moves, of both sides together, in a game between bots. Such a game might never end otherwise.
const MOST_OF_BOTS: u32 = 1000;
/// The longest name of a bot.
const LONGEST_NAME: usize = 64;

/// The named scenarios: name and text.
pub const SCENARIOS: &[(&str, &str)] = &[
    ("standard", "{}"),
    ("blitz", r#"{"clock":{"increment":2,"initial":180}}"#),
    ("rapid", r#"{"clock":{"increment":5,"initial":600}}"#),
];

/// The JSON of a scenario.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Scenario {
    board: Option<String>,
    next: Option<Side>,
    clock: Option<Seconds>,
    bots: Bots,
    most_moves: Option<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Seconds {
    initial: u64,
    #[serde(default)]
    increment: u64,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Bots {
    white: Option<Arc<str>>,
    black: Option<Arc<str>>,
}

/// The reasons why a text is not a setup.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the line of a variant explains its fields")]
pub enum SetupError {
    /// No built-in scenario has this name.
    UnknownName { name: String },
    /// The text is not JSON of a setup.
    NotJson { error: String },
    /// The board cannot be read.
    Board(PositionError),
    /// The side that is not to move is in check: its king could be taken.
    KingCanBeTaken { side: Side },
    /// The position is mate already.
    Mate { side: Side },
    /// The clock is above the limit.
    Clock { most: u64 },
    /// The side to move has no legal move.
    NoMoves {},
    /// The name of a bot is empty or too long.
    BotName { most: usize },
    /// The text is above the limit.
    TooLong { most: usize },
}

impl Setup {
    /// Reads the name or the text of a scenario.
    ///
    /// # Errors
    ///
    /// The name is unknown, or the text is not a scenario.
    pub fn new(text: &str, timeout_ms: Option<u64>) -> Result<Self, SetupError> {
        let known = SCENARIOS.iter().find(|(name, _)| *name == text).map(|(_, text)| *text);
        if known.is_none() && !text.trim_start().starts_with('{') {
            return Err(SetupError::UnknownName { name: text.chars().take(40).collect() });
        }
        let text = known.unwrap_or(text);
        if text.len() > LONGEST_TEXT {
            return Err(SetupError::TooLong { most: LONGEST_TEXT });
        }
        let scenario: Scenario =
            serde_json::from_str(text).map_err(|error| SetupError::NotJson { error: error.to_string() })?;
        let start = scenario.start()?;
        Ok(Self {
            text: text.into(),
            start,
            clock: scenario.pace()?,
            most_moves: scenario.limit()?,
            bots: scenario.bots()?,
            timeout_ms: timeout_ms.unwrap_or(A_DAY_MS),
        })
    }

    /// The text of the same game with the bots on the other sides.
    pub fn with_sides_changed(&self) -> String {
        let Ok(Value::Object(mut text)) = serde_json::from_str(&self.text) else { return self.text.to_string() };
        if let Some(Value::Object(bots)) = text.get_mut("bots") {
            let [white, black] = ["white", "black"].map(|side| bots.remove(side).unwrap_or(Value::Null));
            bots.insert("white".into(), black);
            bots.insert("black".into(), white);
        }
        Value::Object(text).to_string()
    }

    /// The client that is one of the host's bots, with its name. Bots are the first clients of their game.
    pub fn bot(&self, side: Side) -> Option<(CommId, &Arc<str>)> {
        self.bots[side as usize].as_ref().map(|name| (CommId(side as u32 + 1), name))
    }
}

impl Scenario {
    fn start(&self) -> Result<Position, SetupError> {
        let next = self.next.unwrap_or(Side::White);
        let position = match &self.board {
            Some(board) => Position::read_board(board, next).map_err(SetupError::Board)?,
            None => {
                let mut start = Position::start();
                start.set_turn(next);
                start
            }
        };
        if position.in_check(next.other()) {
            return Err(SetupError::KingCanBeTaken { side: next.other() });
        }
        if position.is_mate() {
            return Err(SetupError::Mate { side: next });
        }
        Ok(position)
    }

    fn pace(&self) -> Result<Option<Pace>, SetupError> {
        let Some(Seconds { initial, increment }) = self.clock else { return Ok(None) };
        if initial == 0 || initial > LONGEST || increment > LONGEST {
            return Err(SetupError::Clock { most: LONGEST });
        }
        Ok(Some(Pace { initial: initial * 1000, increment: increment * 1000 }))
    }

    fn limit(&self) -> Result<Option<u32>, SetupError> {
        let among_bots = self.bots.white.is_some() && self.bots.black.is_some();
        match self.most_moves {
            Some(0) => Err(SetupError::NoMoves {}),
            None if among_bots => Ok(Some(MOST_OF_BOTS)),
            most => Ok(most),
        }
    }

    fn bots(self) -> Result<[Option<Arc<str>>; 2], SetupError> {
        let bots = [self.bots.white, self.bots.black];
        let wrong = |name: &Arc<str>| name.is_empty() || name.chars().count() > LONGEST_NAME;
        if bots.iter().flatten().any(wrong) {
            return Err(SetupError::BotName { most: LONGEST_NAME });
        }
        Ok(bots)
    }
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownName { name } => {
                write!(f, "There is no scenario {name:?}; there are")?;
                SCENARIOS.iter().try_for_each(|(known, _)| write!(f, " {known},"))?;
                write!(f, " or send a text: {{\"board\": .., \"next\": \"white\", \"clock\": {{\"initial\": 180}}}}.")
            }
            Self::NotJson { error } => write!(f, "The scenario cannot be read: {error}."),
            Self::Board(error) => write!(f, "The board is wrong at {error}."),
            Self::KingCanBeTaken { side } => {
                write!(f, "{side} is in check and not to move: no game starts where a king can be taken.")
            }
            Self::Mate { side } => write!(f, "{side} is mated: the game would be over before its first move."),
            Self::Clock { most } => write!(f, "A clock has 1 to {most} seconds, and adds at most as many."),
            Self::NoMoves {} => write!(f, "A game has at least one move."),
            Self::TooLong { most } => write!(f, "A scenario has at most {most} bytes."),
            Self::BotName { most } => write!(f, "The name of a bot has 1 to {most} characters."),
        }
    }
}

impl core::error::Error for SetupError {}
