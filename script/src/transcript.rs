//! A scripted game as data: who takes part, what they send, and what they must be told.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{
    client::{Client, is_client_name},
    step::Step,
    wanted::Wanted,
};

/// What an edition is called that the scenario chooses.
pub const AUTO: &str = "auto";

/// A game as clients saw it: an exact order of what they send and what they must be told.
#[derive(Clone, Debug, PartialEq)]
pub struct Transcript {
    /// What the script is called.
    pub name: String,
    /// Words by which scripts are chosen.
    pub tags: Vec<String>,
    /// The game's rulebook; `None`: the first one of the program.
    pub rulebook: Option<String>,
    /// The edition, or `auto`.
    pub edition: String,
    /// What the game's randomness is made of.
    pub seed: i64,
    /// How many seconds a player may be silent; `None`: so long that it does not matter.
    pub timeout: Option<u32>,
    /// Who takes part.
    pub clients: Vec<Client>,
    /// What is played.
    pub scenario: ScenarioText,
    /// In their order.
    pub steps: Vec<Step>,
    /// What comes after the last step.
    pub end: Ending,
}

/// The scenario of a script.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ScenarioText {
    /// A path beside the transcript's file, or the name of a built-in scenario.
    #[serde(rename = "scenario")]
    File(String),
    /// The scenario itself.
    #[serde(rename = "scenario_text")]
    Text(String),
}

impl ScenarioText {
    /// The name of a scenario that is built in, or else its text.
    pub fn of(text: &str, built_in: Option<&str>) -> Self {
        built_in.map_or_else(|| Self::Text(text.into()), |name| Self::File(name.into()))
    }
}

/// How a transcript ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ending {
    /// The game is over, and no client has been told more than the steps say.
    Ended,
    /// Nothing is expected any more.
    Any,
    /// There is no game: the server refuses the scenario before it opens its port, with an exit code that is not 0.
    Refused {
        /// `None`: any but 0.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        code: Option<i32>,
        /// What the server says holds these words.
        message: String,
    },
}

impl Transcript {
    /// The game that it asks for; `scenario` is the text that it names or has.
    pub fn wanted<'s>(&'s self, scenario: &'s str) -> Wanted<'s> {
        Wanted {
            scenario,
            edition: Some(self.edition.as_str()).filter(|edition| *edition != AUTO),
            timeout_ms: self.timeout.map(|seconds| u64::from(seconds) * 1000),
        }
    }

    /// What a client is called.
    pub fn client_name(&self, number: u32) -> String {
        match self.clients.iter().find(|client| client.number == number) {
            Some(client) => client.name.clone(),
            None => format!("client {number}"),
        }
    }
}

impl Transcript {
    /// Whether a script can say all of it; what it cannot say makes no sense in a transcript, either.
    pub(crate) fn sayable(&self) -> Result<(), Unsayable> {
        for (at, client) in self.clients.iter().enumerate() {
            if !is_client_name(&client.name) {
                return Err(Unsayable::ClientName(client.name.clone()));
            }
            if self.clients[..at].iter().any(|other| other.number == client.number || other.name == client.name) {
                return Err(Unsayable::ClientTwice(client.clone()));
            }
        }
        if let Some(tag) = self.tags.iter().find(|tag| !is_client_name(tag)) {
            return Err(Unsayable::Tag(tag.clone()));
        }
        if matches!(&self.scenario, ScenarioText::File(name) if name.starts_with('{')) {
            return Err(Unsayable::TextAsFile);
        }
        let silent = self.steps.iter().any(|step| matches!(step, Step::Silence { .. }));
        if self.timeout == Some(0) || (silent && self.timeout.is_none()) {
            return Err(Unsayable::NoTimeout);
        }
        if matches!(self.end, Ending::Refused { .. }) && !self.steps.is_empty() {
            return Err(Unsayable::StepsOfNoGame);
        }
        Ok(())
    }
}

/// What a transcript has and a script cannot say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unsayable {
    /// There are not as many names as clients.
    Players {
        /// How many clients.
        clients: usize,
        /// How many names.
        players: usize,
    },
    /// A client has a name that cannot stand in a line.
    ClientName(String),
    /// A client is there twice.
    ClientTwice(Client),
    /// A tag is not one word.
    Tag(String),
    /// A scenario's text stands where its name should.
    TextAsFile,
    /// A client is silent and there is no timeout.
    NoTimeout,
    /// The server refuses the scenario, and there are steps.
    StepsOfNoGame,
}

impl fmt::Display for Unsayable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Players { clients, players } => write!(f, "there are {clients} clients and {players} players"),
            Self::ClientName(name) => write!(f, "{name:?} cannot be the name of a client"),
            Self::ClientTwice(Client { number, name }) => write!(f, "client {number} ({name}) is there twice"),
            Self::Tag(tag) => write!(f, "the tag {tag:?} is not one word of letters and digits"),
            Self::TextAsFile => f.write_str("a scenario's text is `scenario_text`; `scenario` is a path or a name"),
            Self::NoTimeout => f.write_str("nobody's time is up without a timeout of at least a second"),
            Self::StepsOfNoGame => f.write_str("a server that refuses the scenario has no game with steps"),
        }
    }
}

impl std::error::Error for Unsayable {}
