//! Colony's commands and events in positional form.

use colony::{Command, Event};
use engine::{ArgumentError, Message, arguments, from_arguments};
use serde_json::Value;

/// The command of a step. A wrong number of arguments is a command too: one that the game refuses.
pub fn command(name: &str, arguments: &[Value]) -> Result<Command, ArgumentError> {
    if name == "WrongArguments" {
        // It is what a wrong number of arguments is read as; nobody sends it by its name.
        return Err(ArgumentError::UnknownKind);
    }
    match from_arguments(name, arguments) {
        Err(ArgumentError::WrongNumber { kind }) => {
            let number = Command::KINDS.iter().position(|other| other.name == kind.name).unwrap_or_default();
            Ok(Command::WrongArguments {
                command: number.try_into().unwrap_or(u8::MAX),
                given: arguments.len().try_into().unwrap_or(u8::MAX),
            })
        }
        other => other,
    }
}

/// A command in its named form, `{"Move": {"character": 7, "location": 20}}`. Too few or unknown fields are a wrong number
/// of arguments.
pub fn named_command(value: &Value) -> Result<Command, ArgumentError> {
    let Value::Object(tagged) = value else { return Err(ArgumentError::UnknownKind) };
    let (name, fields) = match tagged.iter().next() {
        Some((name, Value::Object(fields))) if tagged.len() == 1 => (name, fields),
        Some(_) | None => return Err(ArgumentError::UnknownKind),
    };
    let Some(kind) = Command::KINDS.iter().find(|kind| kind.name == name) else {
        return Err(ArgumentError::UnknownKind);
    };
    if fields.keys().any(|key| !kind.fields.iter().any(|field| field.name == key)) {
        // One more than there can be: a wrong number.
        return command(name, &vec![Value::Null; kind.fields.len() + 1]);
    }
    let arguments: Vec<Value> = kind.fields.iter().map_while(|field| fields.get(field.name).cloned()).collect();
    if arguments.len() == fields.len() {
        return command(name, &arguments);
    }
    serde_json::from_value(value.clone()).map_err(|error| ArgumentError::WrongForm { kind, error: error.to_string() })
}

/// The arguments of an event as the published protocol has them: the scenario's text, and the words of a refusal.
pub fn event_arguments(event: &Event, scenario: &str) -> Vec<Value> {
    if let Event::CommandFailed { refusal } = event {
        return vec![refusal.to_string().into()];
    }
    if *event == (Event::Config {}) { vec![scenario.into()] } else { arguments(event) }
}
