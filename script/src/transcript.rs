//! The JSON form of a scripted game: one object, with its steps as short arrays.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use serde_json::Value;

use crate::{
    client::{Client, default_names, is_client_name},
    game::{Games, NoScripts, ScriptedGame},
    header::{UnknownEdition, check_edition},
};

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

/// One thing that happens in a script.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// A client sends a command.
    Send {
        /// Who sends it.
        client: u32,
        /// The command.
        call: Call,
    },
    /// A client is told something.
    Expect {
        /// Who is told it.
        client: u32,
        /// What it is told.
        expected: Expected,
    },
    /// A client whose command is awaited says nothing until its time is up.
    Silence {
        /// Who is silent.
        client: u32,
    },
}

/// What a client must be told.
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
    /// The name of its kind.
    pub name: String,
    /// The values of its fields, or its words.
    pub arguments: Vec<Value>,
}

/// Stands for the scenario's text in an expected event.
pub const THE_SCENARIO: &str = "$SCENARIO";
/// Stands for any value in an expected event.
pub const ANY_VALUE: &str = "$ANY";

impl Transcript {
    /// Reads the JSON form, and says of which game it is.
    ///
    /// # Errors
    ///
    /// When it is none, or says what no script can say.
    pub fn parse(text: &str, games: &Games) -> Result<(Self, &'static dyn ScriptedGame), TranscriptError> {
        let form: Form = serde_json::from_str(text)?;
        let game = games.find(form.rulebook.as_deref())?;
        check_edition(game, &form.edition)?;
        let transcript = Self::of_form(form, game).map_err(TranscriptError::Unsayable)?;
        transcript.sayable().map_err(TranscriptError::Unsayable)?;
        Ok((transcript, game))
    }

    /// One line of JSON, for a transcript of this game.
    pub fn json(&self, game: &dyn ScriptedGame) -> String {
        serde_json::to_string(&self.form(game)).expect("strings and numbers can be written")
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
    fn sayable(&self) -> Result<(), Unsayable> {
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

/// A transcript as it is written.
#[derive(Serialize, Deserialize)]
struct Form {
    name: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tags: Vec<String>,
    /// Left out where it is the first one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rulebook: Option<String>,
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

impl Transcript {
    fn of_form(form: Form, game: &dyn ScriptedGame) -> Result<Self, Unsayable> {
        let Form { name, tags, rulebook, edition, seed, timeout, clients, players, scenario, steps, end } = form;
        let players = players.unwrap_or_else(|| default_names(game.naming(), &clients, &steps));
        if players.len() != clients.len() {
            return Err(Unsayable::Players { clients: clients.len(), players: players.len() });
        }
        let clients = clients.into_iter().zip(players).map(|(number, name)| Client { number, name }).collect();
        Ok(Self { name, tags, rulebook, edition, seed, timeout, clients, scenario, steps, end })
    }

    fn form(&self, game: &dyn ScriptedGame) -> Form {
        let Self { name, tags, rulebook, edition, seed, timeout, clients, scenario, steps, end } = self.clone();
        let (numbers, names): (Vec<u32>, Vec<String>) = clients.into_iter().map(|c| (c.number, c.name)).unzip();
        let players = (names != default_names(game.naming(), &numbers, &steps)).then_some(names);
        Form { name, tags, rulebook, edition, seed, timeout, clients: numbers, players, scenario, steps, end }
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
pub enum TranscriptError {
    /// It is not of the form.
    Form(serde_json::Error),
    /// It is of a game that has no scripts here.
    Game(NoScripts),
    /// Its game has no such edition.
    Edition(UnknownEdition),
    /// It has what a script cannot say.
    Unsayable(Unsayable),
}

impl From<serde_json::Error> for TranscriptError {
    fn from(error: serde_json::Error) -> Self {
        Self::Form(error)
    }
}

impl From<NoScripts> for TranscriptError {
    fn from(error: NoScripts) -> Self {
        Self::Game(error)
    }
}

impl From<UnknownEdition> for TranscriptError {
    fn from(error: UnknownEdition) -> Self {
        Self::Edition(error)
    }
}

impl fmt::Display for TranscriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let error: &dyn fmt::Display = match self {
            Self::Form(error) => error,
            Self::Game(error) => error,
            Self::Edition(error) => error,
            Self::Unsayable(error) => error,
        };
        write!(f, "not a transcript: {error}")
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
