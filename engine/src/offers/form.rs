//! Arguments that a client fills in.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Template;
use crate::{JavaRandom, Message, arguments};

/// A field of a command that the client fills in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Argument {
    /// The name of the field.
    pub field: String,
    /// What a person reads beside the field.
    pub label: String,
    /// The allowed values.
    #[serde(flatten)]
    pub form: ArgumentForm,
}

/// The allowed values of an argument. A choice is a group of offers instead ([`Then::Choose`](super::Then::Choose)).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ArgumentForm {
    /// A whole number.
    Range {
        /// The least number.
        least: i64,
        /// The greatest number.
        most: i64,
    },
    /// A text.
    Text {
        /// The least number of characters.
        least: usize,
        /// The most characters.
        most: usize,
        /// Whether it is the name of the player, which pages and bots know.
        #[serde(default, skip_serializing_if = "core::ops::Not::not")]
        name: bool,
    },
    /// Any value in the JSON form of the field. [`Rulebook::fill_free`](crate::Rulebook::fill_free) draws examples.
    Free {
        /// The form of the value, for people.
        about: String,
    },
}

impl Argument {
    /// A whole number from `least` to `most`.
    pub fn range(field: &str, label: impl Into<String>, least: i64, most: i64) -> Self {
        Self { field: field.into(), label: label.into(), form: ArgumentForm::Range { least, most } }
    }

    /// A text of `least` to `most` characters.
    pub fn text(field: &str, label: impl Into<String>, least: usize, most: usize) -> Self {
        let form = ArgumentForm::Text { least, most, name: false };
        Self { field: field.into(), label: label.into(), form }
    }

    /// The name of the player, of 1 to `most` characters.
    pub fn name(field: &str, label: impl Into<String>, most: usize) -> Self {
        let form = ArgumentForm::Text { least: 1, most, name: true };
        Self { field: field.into(), label: label.into(), form }
    }

    /// A value that is neither of the others.
    pub fn free(field: &str, label: impl Into<String>, about: impl Into<String>) -> Self {
        Self { field: field.into(), label: label.into(), form: ArgumentForm::Free { about: about.into() } }
    }

    /// Checks a value. A free one is checked by the rules alone.
    ///
    /// # Errors
    /// If the value is not allowed.
    pub fn check(&self, value: &Value) -> Result<(), FillError> {
        let allowed = match &self.form {
            ArgumentForm::Range { least, most } => {
                value.as_i64().is_some_and(|number| (*least..=*most).contains(&number))
            }
            ArgumentForm::Text { least, most, .. } => {
                value.as_str().is_some_and(|text| (*least..=*most).contains(&text.chars().count()))
            }
            ArgumentForm::Free { .. } => true,
        };
        if allowed { Ok(()) } else { Err(FillError::NotAllowed { argument: self.clone() }) }
    }

    /// Draws a number of a range. Texts and free values keep their example: `None`.
    pub fn draw(&self, random: &mut JavaRandom) -> Option<Value> {
        match self.form {
            ArgumentForm::Range { least, most } => {
                let count = most.abs_diff(least).saturating_add(1).min(i32::MAX as u64);
                Some(Value::from(least + i64::from(random.next_below(count as i32))))
            }
            ArgumentForm::Text { .. } | ArgumentForm::Free { .. } => None,
        }
    }
}

impl fmt::Display for ArgumentForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Range { least, most } => write!(f, "a number from {least} to {most}"),
            Self::Text { least, most, .. } => write!(f, "a text of {least} to {most} characters"),
            Self::Free { about } => f.write_str(about),
        }
    }
}

/// Why a value does not fill an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FillError {
    /// The argument does not allow the value.
    NotAllowed {
        /// The argument.
        argument: Argument,
    },
    /// The value does not have the form of the field; the text is the error message of serde.
    WrongForm {
        /// The error message.
        error: String,
    },
}

impl fmt::Display for FillError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAllowed { argument } => write!(f, "{} is {}", argument.label, argument.form),
            Self::WrongForm { error } => f.write_str(error),
        }
    }
}

impl core::error::Error for FillError {}

impl<C: Message, E> Template<C, E> {
    /// The command with these values of its arguments, in order.
    ///
    /// # Errors
    /// If a value is not allowed.
    pub fn fill(&self, values: &[Value]) -> Result<C, FillError> {
        let wrong = |error: serde_json::Error| FillError::WrongForm { error: error.to_string() };
        let command = serde_json::to_value(&self.command).map_err(wrong)?;
        serde_json::from_value(fill(command, &self.arguments, values)?).map_err(wrong)
    }
}

/// Fills values into the JSON form of a command, for clients without its type.
///
/// # Errors
/// If a value is not allowed.
pub fn fill(mut command: Value, arguments: &[Argument], values: &[Value]) -> Result<Value, FillError> {
    for (argument, value) in arguments.iter().zip(values) {
        argument.check(value)?;
        let fields = command.as_object_mut().and_then(|tagged| tagged.values_mut().next());
        if let Some(Value::Object(fields)) = fields {
            fields.insert(argument.field.clone(), value.clone());
        }
    }
    Ok(command)
}

/// The kind and the arguments of a command in words.
pub(super) fn label<C: Message>(command: &C) -> String {
    let mut words = spaced(command.kind().name);
    for argument in arguments(command) {
        words += " ";
        words += &value_words(&argument);
    }
    words
}

/// The JSON form of a message in words, for clients without its type: `{"Rolled": {"eyes": 6}}` becomes `Rolled eyes 6`.
pub fn json_words(message: &Value) -> String {
    let Value::Object(tagged) = message else { return value_words(message) };
    let parts = tagged.iter().map(|(kind, fields)| format!("{} {}", spaced(kind), value_words(fields)));
    parts.map(|part| String::from(part.trim_end())).collect::<Vec<_>>().join("; ")
}

fn value_words(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => "-".into(),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::Array(values) => values.iter().map(value_words).collect::<Vec<_>>().join(" "),
        Value::Object(fields) => {
            fields.iter().map(|(name, value)| format!("{name} {}", value_words(value))).collect::<Vec<_>>().join(" ")
        }
    }
}

/// The name of a kind in words: `EndTurn` becomes `End turn`.
pub(super) fn spaced(name: &str) -> String {
    let mut words = String::new();
    for (at, letter) in name.chars().enumerate() {
        if at > 0 && letter.is_uppercase() {
            words.push(' ');
            words.extend(letter.to_lowercase());
        } else {
            words.push(letter);
        }
    }
    words
}
