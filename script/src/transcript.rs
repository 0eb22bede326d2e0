//! A scripted game as data: the clients, the commands that they send, and the events that they must receive.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{
    client::{Client, is_client_name},
    step::Step,
    wanted::Wanted,
};

/// The edition of a script that uses the edition of its scenario.
pub const AUTO: &str = "auto";

/// A game from its clients' point of view: the commands that they send and the events that they must receive, in their exact
/// order.
#[derive(Clone, Debug, PartialEq)]
pub struct Transcript {
    /// The name of the script.
    pub name: String,
    /// Words for selecting scripts.
    pub tags: Vec<String>,
    /// The name of the rulebook; `None` means the first rulebook of the program.
    pub rulebook: Option<String>,
    /// The edition, or `auto`.
    pub edition: String,
    /// The seed of the game.
    pub seed: i64,
    /// How many seconds a player may be silent; `None` means a time that is too long to matter.
    pub timeout: Option<u32>,
    /// The clients.
    pub clients: Vec<Client>,
    /// The scenario.
    pub scenario: ScenarioText,
    /// The steps, in order.
    pub steps: Vec<Step>,
    /// The expected state after the last step.
    pub end: Ending,
}

/// The scenario of a script.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ScenarioText {
    /// A path relative to the transcript's file, or the name of a built-in scenario.
    #[serde(rename = "scenario")]
    File(String),
    /// The scenario itself.
    #[serde(rename = "scenario_text")]
    Text(String),
}

/// How a transcript ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ending {
    /// The game is over, and no client has received an event that is not in the steps.
    Ended,
    /// The script checks nothing more.
    Any,
    /// The server refuses the scenario: it exits before it opens its port, with an exit code other than 0.
    Refused {
        /// The expected exit code; `None` means any code other than 0.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        code: Option<i32>,
        /// A part of the server's error message.
        message: String,
    },
}

impl Transcript {
    /// The requested game; `scenario` is the text of the scenario.
    pub fn wanted<'s>(&'s self, scenario: &'s str) -> Wanted<'s> {
        Wanted {
            scenario,
            edition: Some(self.edition.as_str()).filter(|edition| *edition != AUTO),
            timeout_ms: self.timeout.map(|seconds| u64::from(seconds) * 1000),
        }
    }

    /// The name of a client.
    pub fn client_name(&self, number: u32) -> String {
        match self.clients.iter().find(|client| client.number == number) {
            Some(client) => client.name.clone(),
            None => format!("client {number}"),
        }
    }
}

impl Transcript {
    /// Checks that a script can express the transcript. If it cannot, the transcript makes no sense either.
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

/// Why a script cannot express a transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unsayable {
    /// The numbers of names and clients differ.
    Players {
        /// The number of clients.
        clients: usize,
        /// The number of names.
        players: usize,
    },
    /// A client's name is not allowed in a script.
    ClientName(String),
    /// A client occurs twice.
    ClientTwice(Client),
    /// A tag is not one word.
    Tag(String),
    /// The field `scenario` holds the text of a scenario instead of its name.
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
            Self::ClientTwice(Client { number, name }) => write!(f, "client {number} ({name}) occurs twice"),
            Self::Tag(tag) => write!(f, "the tag {tag:?} is not one word of letters and digits"),
            Self::TextAsFile => f.write_str("a scenario's text is `scenario_text`; `scenario` is a path or a name"),
            Self::NoTimeout => f.write_str("a silent client needs a timeout of at least one second"),
            Self::StepsOfNoGame => f.write_str("a server that refuses the scenario has no game with steps"),
        }
    }
}

impl std::error::Error for Unsayable {}
