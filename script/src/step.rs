//! A step of a script, and its JSON form, which is a short array.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use serde_json::Value;

/// One step of a script.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// A client sends a command.
    Send {
        /// The sender.
        client: u32,
        /// The command.
        call: Call,
    },
    /// A client must receive something.
    Expect {
        /// The receiver.
        client: u32,
        /// The expectation.
        expected: Expected,
    },
    /// The client whose move it is sends nothing until its time is up.
    Silence {
        /// The silent client.
        client: u32,
    },
}

/// An expectation of a client.
#[derive(Clone, Debug, PartialEq)]
pub enum Expected {
    /// Any single event.
    Any,
    /// The next event in the client's queue.
    Event(Call),
    /// The next event of this form. The events before it are skipped.
    Until(Call),
    /// The client's queue is empty.
    Nothing,
}

/// A command or an event: its name, and its arguments in order.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The name of its kind.
    pub name: String,
    /// The values of its fields, or its text.
    pub arguments: Vec<Value>,
}

/// Stands for the scenario's text in an expected event.
pub const THE_SCENARIO: &str = "$SCENARIO";
/// Stands for any value in an expected event.
pub const ANY_VALUE: &str = "$ANY";

impl Step {
    /// The client that sends, receives, or is silent.
    pub fn client(&self) -> u32 {
        let (Self::Send { client, .. } | Self::Expect { client, .. } | Self::Silence { client }) = self;
        *client
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
            // An event follows after `...`.
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
