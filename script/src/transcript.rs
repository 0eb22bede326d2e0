//! The JSON form of a scripted game: one object, with its steps as short arrays.

use std::fmt;

use colony::EditionChoice;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use serde_json::Value;

use crate::client::{Client, default_names, is_client_name};

/// A game as clients saw it: an exact order of what they send and what they must be told.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Form", into = "Form")]
pub struct Transcript {
    pub name: String,
    pub tags: Vec<String>,
    pub edition: String,
    pub seed: i64,
    /// How many seconds a player may be silent; `None`: so long that it does not matter.
    pub timeout: Option<u32>,
    pub clients: Vec<Client>,
    pub scenario: ScenarioText,
    pub steps: Vec<Step>,
    pub end: Ending,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ScenarioText {
    /// A path beside the transcript's file, or the name of a built-in scenario.
    #[serde(rename = "scenario")]
    File(String),
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

#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// A client sends a command.
    Send { client: u32, call: Call },
    /// A client is told something.
    Expect { client: u32, expected: Expected },
    /// A client whose command is awaited says nothing until its time is up.
    Silence { client: u32 },
}

#[derive(Clone, Debug, PartialEq)]
pub enum Expected {
    /// Any one event.
    Any,
    /// The next event that the client has not looked at.
    Event(Call),
    /// The next event of this form; those before it are passed over.
    Until(Call),
    /// The client has looked at everything that it was told so far.
    Nothing,
}

/// A command or an event: its name and its arguments in order.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    pub name: String,
    pub arguments: Vec<Value>,
}

/// Stands for the scenario's text in an expected event.
pub const THE_SCENARIO: &str = "$SCENARIO";
/// Stands for any value in an expected event.
pub const ANY_VALUE: &str = "$ANY";

impl Transcript {
    pub fn parse(text: &str) -> Result<Self, TranscriptError> {
        serde_json::from_str(text).map_err(TranscriptError)
    }

    /// One line of JSON.
    pub fn json(&self) -> String {
        serde_json::to_string(self).expect("strings and numbers can be written")
    }

    /// What a client is called.
    pub fn client_name(&self, number: u32) -> String {
        match self.clients.iter().find(|client| client.number == number) {
            Some(client) => client.name.clone(),
            None => format!("client {number}"),
        }
    }
}

impl Step {
    /// Who sends, is told, or is silent.
    pub fn client(&self) -> u32 {
        let (Self::Send { client, .. } | Self::Expect { client, .. } | Self::Silence { client }) = self;
        *client
    }
}

impl Transcript {
    /// Whether a script can say all of it; what it cannot say makes no sense in a transcript, either.
    fn sayable(&self) -> Result<(), String> {
        self.edition.parse::<EditionChoice>().map_err(|error| error.to_string())?;
        for (at, Client { number, name }) in self.clients.iter().enumerate() {
            if !is_client_name(name) {
                return Err(format!("{name:?} cannot be the name of a client"));
            }
            if self.clients[..at].iter().any(|other| other.number == *number || other.name == *name) {
                return Err(format!("client {number} ({name}) is there twice"));
            }
        }
        if let Some(tag) = self.tags.iter().find(|tag| !is_client_name(tag)) {
            return Err(format!("the tag {tag:?} is not one word of letters and digits"));
        }
        if matches!(&self.scenario, ScenarioText::File(name) if name.starts_with('{')) {
            return Err("a scenario's text is `scenario_text`; `scenario` is a path or a name".into());
        }
        let silent = self.steps.iter().any(|step| matches!(step, Step::Silence { .. }));
        if self.timeout == Some(0) || (silent && self.timeout.is_none()) {
            return Err("nobody's time is up without a timeout of at least a second".into());
        }
        if matches!(self.end, Ending::Refused { .. }) && !self.steps.is_empty() {
            return Err("a server that refuses the scenario has no game with steps".into());
        }
        Ok(())
    }
}

/// A transcript as it is written.
#[derive(Serialize, Deserialize)]
struct Form {
    name: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tags: Vec<String>,
    edition: String,
    seed: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    timeout: Option<u32>,
    clients: Vec<u32>,
    /// Left out where they are what anybody would call the clients.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    players: Option<Vec<String>>,
    #[serde(flatten)]
    scenario: ScenarioText,
    steps: Vec<Step>,
    end: Ending,
}

impl TryFrom<Form> for Transcript {
    type Error = String;

    fn try_from(form: Form) -> Result<Self, String> {
        let Form { name, tags, edition, seed, timeout, clients, players, scenario, steps, end } = form;
        let players = players.unwrap_or_else(|| default_names(&clients, &steps));
        if players.len() != clients.len() {
            return Err(format!("there are {} clients and {} players", clients.len(), players.len()));
        }
        let clients = clients.into_iter().zip(players).map(|(number, name)| Client { number, name }).collect();
        let transcript = Self { name, tags, edition, seed, timeout, clients, scenario, steps, end };
        transcript.sayable()?;
        Ok(transcript)
    }
}

impl From<Transcript> for Form {
    fn from(transcript: Transcript) -> Self {
        let Transcript { name, tags, edition, seed, timeout, clients, scenario, steps, end } = transcript;
        let (numbers, names): (Vec<u32>, Vec<String>) = clients.into_iter().map(|c| (c.number, c.name)).unzip();
        let players = (names != default_names(&numbers, &steps)).then_some(names);
        Self { name, tags, edition, seed, timeout, clients: numbers, players, scenario, steps, end }
    }
}

const ANY: &str = "*";
const UNTIL: &str = "...";
const NOTHING: &str = "nothing";

impl Serialize for Step {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut parts: Vec<Value> = Vec::new();
        let call = match self {
            Self::Send { client, call } => {
                parts.extend([">".into(), (*client).into()]);
                Some(call)
            }
            Self::Silence { client } => {
                parts.extend(["~".into(), (*client).into()]);
                None
            }
            Self::Expect { client, expected } => {
                parts.extend(["<".into(), (*client).into()]);
                match expected {
                    Expected::Any => parts.push(ANY.into()),
                    Expected::Nothing => parts.push(NOTHING.into()),
                    Expected::Until(_) => parts.push(UNTIL.into()),
                    Expected::Event(_) => {}
                }
                match expected {
                    Expected::Event(call) | Expected::Until(call) => Some(call),
                    Expected::Any | Expected::Nothing => None,
                }
            }
        };
        if let Some(call) = call {
            parts.push(call.name.as_str().into());
            parts.extend(call.arguments.iter().cloned());
        }
        parts.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Step {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut parts = Vec::<Value>::deserialize(deserializer)?.into_iter();
        let form = || D::Error::custom("a step is [\">\" or \"<\", client, name, arguments ..]");
        let (direction, client) = parts.next().zip(parts.next()).ok_or_else(form)?;
        let client = client.as_u64().and_then(|client| client.try_into().ok());
        let client = || client.ok_or_else(|| D::Error::custom("the client of a step is a number"));
        if direction == "~" {
            return if parts.len() == 0 { Ok(Self::Silence { client: client()? }) } else { Err(form()) };
        }
        let mut call = || -> Result<Call, D::Error> {
            let Value::String(name) = parts.next().ok_or_else(form)? else {
                return Err(D::Error::custom("a step has the name of a command or an event"));
            };
            // What follows `...` is an event of its own.
            let arguments = if name == UNTIL { Vec::new() } else { parts.by_ref().collect() };
            Ok(Call { name, arguments })
        };
        match direction.as_str() {
            Some(">") => {
                let call = call()?;
                Ok(Self::Send { client: client()?, call })
            }
            Some("<") => {
                let first = call()?;
                let expected = match first.name.as_str() {
                    UNTIL => Expected::Until(call()?),
                    ANY | NOTHING if !first.arguments.is_empty() => {
                        return Err(D::Error::custom(format!("{} has no arguments", first.name)));
                    }
                    ANY => Expected::Any,
                    NOTHING => Expected::Nothing,
                    _ => Expected::Event(first),
                };
                Ok(Self::Expect { client: client()?, expected })
            }
            _ => Err(D::Error::custom(format!("a step begins with \">\", \"<\" or \"~\", not with {direction}"))),
        }
    }
}

/// A text that is no transcript.
#[derive(Debug)]
pub struct TranscriptError(serde_json::Error);

impl fmt::Display for TranscriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not a transcript: {}", self.0)
    }
}

impl std::error::Error for TranscriptError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(step: &str, expected: &str) {
        let came = match serde_json::from_str::<Step>(step) {
            Ok(step) => serde_json::to_string(&step).expect("it can be written"),
            Err(error) => error.to_string(),
        };
        assert_eq!(came, expected);
    }

    #[test]
    fn steps() {
        for same in [
            r#"[">",1,"Move",7,-3]"#,
            r#"["<",2,"Player",0,"Ana"]"#,
            r#"["<",2,"*"]"#,
            r#"["<",2,"nothing"]"#,
            r#"["<",2,"...","GameEnd",true]"#,
            r#"["~",2]"#,
        ] {
            check(same, same);
        }
        check(r#"[">", 1]"#, r#"a step is [">" or "<", client, name, arguments ..]"#);
        check(r#"["<", 1, "..."]"#, r#"a step is [">" or "<", client, name, arguments ..]"#);
        check(r#"["~", 1, 2]"#, r#"a step is [">" or "<", client, name, arguments ..]"#);
        check(r#"["<", 1, "*", 2]"#, "* has no arguments");
        check(r#"["=", 1, "Move"]"#, r#"a step begins with ">", "<" or "~", not with "=""#);
        check(r#"[">", -1, "Move"]"#, "the client of a step is a number");
        check(r#"[">", 1, 2]"#, "a step has the name of a command or an event");
    }
}
