//! A step of a script, and its JSON form, which is a short array.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use serde_json::{Value, json};

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
    /// The next events are these, in any order.
    AnyOrder(Vec<Call>),
    /// Skips events up to one of the form `until`. None of them has the form `never`.
    Never {
        /// What must not come.
        never: Call,
        /// What must come.
        until: Call,
    },
}

/// The key of an argument that is a variable: `{"$": "first"}`.
const VARIABLE: &str = "$";

/// An argument that stands for a variable of the script.
pub(crate) fn variable(name: &str) -> Value {
    json!({ VARIABLE: name })
}

/// The name of the variable that an argument stands for.
pub fn variable_name(argument: &Value) -> Option<&str> {
    let fields = argument.as_object().filter(|fields| fields.len() == 1)?;
    fields.get(VARIABLE)?.as_str()
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

impl Call {
    /// Whether an argument is a variable.
    pub fn has_variables(&self) -> bool {
        self.arguments.iter().any(|argument| variable_name(argument).is_some())
    }

    /// The call with other arguments.
    pub fn map(&self, change: impl FnMut(&Value) -> Value) -> Self {
        Self { name: self.name.clone(), arguments: self.arguments.iter().map(change).collect() }
    }

    fn to_list(&self) -> Value {
        std::iter::once(Value::from(self.name.as_str())).chain(self.arguments.iter().cloned()).collect()
    }

    fn of_list(list: &Value) -> Option<Self> {
        let (name, arguments) = list.as_array()?.split_first()?;
        Some(Self { name: name.as_str()?.into(), arguments: arguments.to_vec() })
    }
}

impl Expected {
    /// All calls of the expectation.
    pub fn calls(&self) -> Vec<&Call> {
        match self {
            Self::Any | Self::Nothing => Vec::new(),
            Self::Event(call) | Self::Until(call) => vec![call],
            Self::AnyOrder(calls) => calls.iter().collect(),
            Self::Never { never, until } => vec![never, until],
        }
    }
}

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
const ANY_ORDER: &str = "any order";
const NEVER: &str = "never";

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
                    Expected::AnyOrder(calls) => {
                        parts.push(ANY_ORDER.into());
                        parts.extend(calls.iter().map(Call::to_list));
                    }
                    Expected::Never { never, until } => {
                        parts.extend([NEVER.into(), never.to_list(), until.to_list()]);
                    }
                    Expected::Event(_) => {}
                }
                match expected {
                    Expected::Event(call) | Expected::Until(call) => Some(call),
                    Expected::Any | Expected::Nothing | Expected::AnyOrder(_) | Expected::Never { .. } => None,
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
                    ANY_ORDER if !first.arguments.is_empty() => {
                        let calls: Option<Vec<Call>> = first.arguments.iter().map(Call::of_list).collect();
                        Expected::AnyOrder(calls.ok_or_else(form)?)
                    }
                    NEVER if first.arguments.len() == 2 => {
                        let mut calls = first.arguments.iter().map(Call::of_list);
                        let (never, until) = calls.next().flatten().zip(calls.next().flatten()).ok_or_else(form)?;
                        Expected::Never { never, until }
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
            r#"["<",2,"any order",["Moved",1,2],["ActNow"]]"#,
            r#"["<",2,"never",["Bitten"],["NextRound",2]]"#,
            r#"[">",1,"Move",{"$":"first"},20]"#,
        ] {
            check(same, same);
        }
        check(r#"[">", 1]"#, r#"a step is [">" or "<", client, name, arguments ..]"#);
        check(r#"["<", 1, "..."]"#, r#"a step is [">" or "<", client, name, arguments ..]"#);
        check(r#"["~", 1, 2]"#, r#"a step is [">" or "<", client, name, arguments ..]"#);
        check(r#"["<", 1, "never", ["Bitten"], 7]"#, r#"a step is [">" or "<", client, name, arguments ..]"#);
        check(r#"["<", 1, "*", 2]"#, "* has no arguments");
        check(r#"["=", 1, "Move"]"#, r#"a step begins with ">", "<" or "~", not with "=""#);
        check(r#"[">", -1, "Move"]"#, "the client of a step is a number");
        check(r#"[">", 1, 2]"#, "a step has the name of a command or an event");
    }
}
