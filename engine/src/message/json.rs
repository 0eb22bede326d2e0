//! Messages as JSON text: with named fields, as in `{"Move": {"character": 7}}`, or positional, as in `["Move", 7]`.
//!
//! [`one_pass`] reads a valid message in one pass over the text. If it fails, the text is parsed again into values, to explain
//! the mistake.

mod one_pass;

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::fmt;

use serde_json::Value;

use super::{ArgumentError, Kind, Message, from_arguments};

/// The maximum number of characters of a client's text that an error quotes.
const LONGEST_QUOTE: usize = 40;

/// Reads a message from JSON, in either form. [`messages!`](crate::messages) has an example.
///
/// # Errors
/// If the text is not a message; the error explains the mistake.
pub fn from_json<M: Message>(text: &str) -> Result<M, JsonError> {
    from_json_by(text, |_| true, from_arguments)
}

/// Like [`from_json`], for a game that accepts only some kinds, or more forms of arguments. `takes` returns whether the game
/// accepts a kind. `read` reads the arguments that the plain form does not accept.
///
/// # Errors
/// If the text is not a message; the error explains the mistake.
pub fn from_json_by<M: Message>(
    text: &str,
    takes: impl Fn(&Kind) -> bool,
    read: impl Fn(&str, &[Value]) -> Result<M, ArgumentError>,
) -> Result<M, JsonError> {
    if let Ok(message) = one_pass::read(text, &takes) {
        return Ok(message);
    }
    let value = serde_json::from_str(text).map_err(|error| JsonError::NotJson(error.to_string()))?;
    from_value(&value, takes, read)
}

/// The slow path, which explains every mistake. It also accepts some texts that [`one_pass`] does not, such as a repeated
/// field.
fn from_value<M: Message>(
    value: &Value,
    takes: impl Fn(&Kind) -> bool,
    read: impl Fn(&str, &[Value]) -> Result<M, ArgumentError>,
) -> Result<M, JsonError> {
    let known = |name: &str| {
        let taken = || M::KINDS.iter().filter(|kind| takes(kind));
        taken()
            .find(|kind| kind.name == name)
            .ok_or_else(|| JsonError::UnknownKind { name: short(name), known: taken().map(|kind| kind.name).collect() })
    };
    let (name, body) = match value {
        Value::Array(list) => match list.split_first() {
            Some((Value::String(name), arguments)) => return Ok(read(known(name)?.name, arguments)?),
            Some(_) | None => return Err(JsonError::NoMessage),
        },
        Value::Object(tagged) if tagged.len() == 1 => tagged.iter().next().ok_or(JsonError::NoMessage)?,
        Value::String(name) => (name, &Value::Null),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => return Err(JsonError::NoMessage),
    };
    let kind = known(name)?;
    let Value::Object(fields) = body else {
        return Err(JsonError::NoFields { kind });
    };
    if let Some(unknown) = fields.keys().find(|key| !kind.fields.iter().any(|field| field.name == *key)) {
        return Err(JsonError::UnknownField { kind, field: short(unknown) });
    }
    let arguments: Vec<Value> = kind.fields.iter().map_while(|field| fields.get(field.name).cloned()).collect();
    if arguments.len() == fields.len() {
        return Ok(read(name, &arguments)?);
    }
    let wrong = |error: serde_json::Error| ArgumentError::WrongForm { kind, error: format!("{error}") };
    Ok(serde_json::from_value(value.clone()).map_err(wrong)?)
}

/// Shortens a client's text for an error.
fn short(text: &str) -> String {
    text.chars().take(LONGEST_QUOTE).collect()
}

/// Why a text is not a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JsonError {
    /// The text is not JSON. Contains serde's message.
    NotJson(String),
    /// The JSON has neither of the two forms.
    NoMessage,
    /// No accepted kind has this name.
    UnknownKind {
        /// The name in the text, shortened.
        name: String,
        /// The names of all accepted kinds.
        known: Vec<&'static str>,
    },
    /// The value of the kind's key is not an object with fields.
    NoFields {
        /// The kind.
        kind: &'static Kind,
    },
    /// The kind has no field of this name.
    UnknownField {
        /// The kind.
        kind: &'static Kind,
        /// The name in the text, shortened.
        field: String,
    },
    /// The arguments do not fit the kind.
    Arguments(ArgumentError),
}

impl From<ArgumentError> for JsonError {
    fn from(error: ArgumentError) -> Self {
        Self::Arguments(error)
    }
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotJson(error) => write!(f, "{error}"),
            Self::NoMessage => write!(f, "a command is {{\"Name\": {{..}}}} or [\"Name\", arguments ..]"),
            Self::UnknownKind { name, known } => {
                write!(f, "there is no command {name}; there are {}", known.join(", "))
            }
            Self::NoFields { kind: Kind { name, fields, .. } } => {
                let fields: Vec<String> = fields.iter().map(|field| format!("\"{}\": ..", field.name)).collect();
                write!(f, "{name} is written {{\"{name}\": {{{}}}}}", fields.join(", "))
            }
            Self::UnknownField { kind, field } => write!(f, "{} has no field {field}; it is {kind}", kind.name),
            Self::Arguments(error) => write!(f, "{error}"),
        }
    }
}

impl core::error::Error for JsonError {}

#[cfg(test)]
mod tests {
    use super::{super::tests::Word, *};
    use crate::JavaRandom;

    #[test]
    fn both_forms() {
        let read =
            |text: &str| from_json::<Word>(text).map_or_else(|error| error.to_string(), |word| format!("{word:?}"));
        assert_eq!(read(r#"{"Go": {"to": 1, "fast": true}}"#), "Go { to: 1, fast: Some(true) }");
        assert_eq!(read(r#"["Go", 1]"#), "Go { to: 1, fast: None }");
        assert_eq!(read(r#"{"Silence": {}}"#), "Silence");
        assert_eq!(read(r#""Silence""#), r#"Silence is written {"Silence": {}}"#);
        assert_eq!(read(r#"{"Go": 1}"#), r#"Go is written {"Go": {"to": .., "fast": ..}}"#);
        assert_eq!(read(r#"{"Go": [1]}"#), r#"Go is written {"Go": {"to": .., "fast": ..}}"#);
        assert_eq!(read(r#"{"Go": {"too": 1}}"#), "Go has no field too; it is Go(to, fast)");
        assert_eq!(read(r#"{"Go": {}}"#), "wrong number of arguments; it is Go(to, fast)");
        assert_eq!(read(r#"{"Wave": {}}"#), "there is no command Wave; there are Silence, Go, Greet");
        assert_eq!(read("[7]"), r#"a command is {"Name": {..}} or ["Name", arguments ..]"#);
        assert_eq!(read("[7"), "EOF while parsing a list at line 1 column 2");
        assert!(read(r#"{"Go": {"fast": true}}"#).contains("missing field `to`"), "a field is missing");
        // If a field occurs twice, the last value wins.
        assert_eq!(read(r#"{"Go": {"to": 1, "to": 2}}"#), "Go { to: 2, fast: None }");
    }

    /// Each row has a text and whether one pass can read it.
    #[test]
    fn messages_take_one_pass() {
        let check = |text: &str, enough: bool| {
            assert_eq!(one_pass::read::<Word>(text, &|kind| kind.name != "Silence").is_ok(), enough, "{text}");
        };
        check(r#"{"Go": {"to": 1, "fast": true}}"#, true);
        check(r#" { "Go" : { "fast" : null , "to" : 1 } } "#, true);
        check(r#"{"Go": {"to": 1}}"#, true);
        check(r#"["Go", 1]"#, true);
        check(r#"["Go", 1, true]"#, true);
        check(r#"["Go", 1, null]"#, true);
        check(r#"["Gr\u0065et", "\ud83e\udddf"]"#, true);
        check(r#"["Silence"]"#, false);
        check(r#"{"Silence": {}}"#, false);
        check(r#"["Go"]"#, false);
        check(r#"["Go", 1, true, 2]"#, false);
        check(r#"["Go", 1] 2"#, false);
        check(r#"{"Go": [1]}"#, false);
        check(r#"{"Go": {"to": 1, "too": 1}}"#, false);
        check(r#"{"Go": {"to": 1, "to": 1}}"#, false);
        check(r#"{"Go": {"to": 1}, "Go": {"to": 1}}"#, false);
    }

    /// Even for damaged texts, one pass reads the same message as the slow path, or none.
    #[test]
    fn one_pass_agrees_with_values() {
        const TEXTS: &[&str] = &[
            r#"{"Silence":{}}"#,
            r#"["Silence"]"#,
            r#"{"Go":{"to":-12,"fast":true}}"#,
            r#"["Go",3,null]"#,
            r#"{"Greet":{"who":"A\u006ea","other":"Bo"}}"#,
            r#"["Greet","Ana"]"#,
        ];
        const PIECES: &[&str] =
            &["1", "null", ",", "\"to\":", "{", "}", "[", "]", "\"", "e1", ".5", "\\", " ", "Go", "-"];
        let mut random = JavaRandom::new(7);
        let mut below = |count: usize| random.next_below(count as i32) as usize;
        let (mut taken, mut refused) = (0, 0);
        for round in 0..30_000 {
            let mut text: String = TEXTS[round % TEXTS.len()].into();
            for _ in 0..below(4) {
                let at = below(text.len());
                let until = (at + below(4)).min(text.len());
                text.replace_range(at..until, PIECES[below(PIECES.len())]);
            }
            let value = serde_json::from_str::<Value>(&text).ok();
            let slow = value.and_then(|value| from_value::<Word>(&value, |_| true, from_arguments).ok());
            match one_pass::read::<Word>(&text, &|_| true) {
                Ok(word) => {
                    assert_eq!(Some(word), slow, "{text}");
                    taken += 1;
                }
                Err(_) => refused += 1,
            }
        }
        assert!(taken > 1000 && refused > 1000, "{taken} taken, {refused} refused");
    }
}
