//! The JSON form of a scripted game: one object, with its steps as short arrays.

use std::fmt;

use serde::{Deserialize, Deserializer, de::Error as _};
use serde_json::Value;

/// A game as clients saw it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Transcript {
    pub name: String,
    pub edition: String,
    pub seed: i64,
    pub clients: Vec<u32>,
    #[serde(flatten)]
    pub scenario: ScenarioText,
    pub steps: Vec<Step>,
    pub end: Ending,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
pub enum ScenarioText {
    /// A path beside the transcript's file.
    #[serde(rename = "scenario")]
    File(String),
    #[serde(rename = "scenario_text")]
    Text(String),
}

/// How a transcript ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ending {
    /// The game is over, and no client has been told more than the steps say.
    Ended,
    Any,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// A client sends a command.
    Send { client: u32, command: String, arguments: Vec<Value> },
    /// A client is told something: the next event that it has not looked at.
    Expect { client: u32, expected: Expected },
}

#[derive(Clone, Debug, PartialEq)]
pub enum Expected {
    /// Any one event.
    Any,
    Event {
        name: String,
        arguments: Vec<Value>,
    },
}

impl Transcript {
    pub fn parse(text: &str) -> Result<Self, TranscriptError> {
        serde_json::from_str(text).map_err(TranscriptError)
    }
}

impl Step {
    /// Who sends, or is told.
    pub fn client(&self) -> u32 {
        let (Self::Send { client, .. } | Self::Expect { client, .. }) = self;
        *client
    }
}

impl<'de> Deserialize<'de> for Step {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (direction, client, name, arguments) = {
            let mut parts = Vec::<Value>::deserialize(deserializer)?.into_iter();
            let (Some(direction), Some(client), Some(name)) = (parts.next(), parts.next(), parts.next()) else {
                return Err(D::Error::custom("a step is [\">\" or \"<\", client, name, arguments ..]"));
            };
            (direction, client, name, parts.collect::<Vec<_>>())
        };
        let client = client.as_u64().and_then(|client| client.try_into().ok());
        let client = client.ok_or_else(|| D::Error::custom("the client of a step is a number"))?;
        let Value::String(name) = name else {
            return Err(D::Error::custom("a step has the name of a command or an event"));
        };
        match direction.as_str() {
            Some(">") => Ok(Self::Send { client, command: name, arguments }),
            Some("<") if name == "*" => Ok(Self::Expect { client, expected: Expected::Any }),
            Some("<") => Ok(Self::Expect { client, expected: Expected::Event { name, arguments } }),
            _ => Err(D::Error::custom(format!("a step begins with \">\" or \"<\", not with {direction}"))),
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Send { client, command, arguments } => write!(f, "> {client} {}", Call(command, arguments)),
            Self::Expect { client, expected } => write!(f, "< {client} {expected}"),
        }
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.write_str("*"),
            Self::Event { name, arguments } => Call(name, arguments).fmt(f),
        }
    }
}

/// A name with its arguments; a long one (a scenario) is cut.
struct Call<'a>(&'a str, &'a [Value]);

impl fmt::Display for Call<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LONGEST: usize = 60;
        f.write_str(self.0)?;
        for argument in self.1 {
            let argument = argument.to_string();
            match argument.char_indices().nth(LONGEST) {
                Some((cut, _)) => write!(f, " {} ..", &argument[..cut])?,
                None => write!(f, " {argument}")?,
            }
        }
        Ok(())
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
            Ok(step) => step.to_string(),
            Err(error) => error.to_string(),
        };
        assert_eq!(came, expected);
    }

    #[test]
    fn steps() {
        check(r#"[">", 1, "Move", 7, -3]"#, "> 1 Move 7 -3");
        check(r#"["<", 2, "Player", 0, "Ana"]"#, r#"< 2 Player 0 "Ana""#);
        check(r#"["<", 2, "*"]"#, "< 2 *");
        check(r#"[">", 1]"#, r#"a step is [">" or "<", client, name, arguments ..]"#);
        check(r#"["=", 1, "Move"]"#, r#"a step begins with ">" or "<", not with "=""#);
        check(r#"[">", -1, "Move"]"#, "the client of a step is a number");
        check(r#"[">", 1, 2]"#, "a step has the name of a command or an event");
    }
}
