//! Events that a client has received.

use std::{any::Any, fmt, fmt::Debug};

use engine::{ArgumentError, Message, arguments, from_arguments};
use serde_json::Value;

use crate::{
    adapter::{EventOf, EventWords, ScriptAdapter, worded},
    step::{Call, THE_SCENARIO},
};

/// An event that a client has received, and the text that came with it.
#[derive(Debug)]
pub struct ReceivedEvent {
    event: Box<dyn AnyEvent>,
    pub(crate) words: Words,
}

/// The text that comes with an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Words {
    /// The text of the rules in this process. It is computed on demand.
    Ours,
    /// The text that a server sent.
    Sent(Option<String>),
}

impl ReceivedEvent {
    pub(crate) fn new<A: ScriptAdapter>(event: EventOf<A>, words: Words) -> Self {
        Self { event: Box::new(Typed::<A>::Whole(event)), words }
    }

    /// Reads an event that a server sent, with the text beside it. Besides our own form, `{"Moved": {"character": 1, ..}}`, a
    /// server may send an event by position, `["Moved", 1, 20]` or `{"Moved": [1, 20]}`, by its name alone, `"GameStarted"`, and an
    /// event with a text, such as a refusal, with only this text or nothing: `["CommandFailed", "not now"]`, `"CommandFailed"`.
    pub(crate) fn read<A: ScriptAdapter>(event: &Value, words: Option<String>) -> Result<Self, EventReadError> {
        let (name, body) = split(event).ok_or(EventReadError::NoForm)?;
        let kind = EventOf::<A>::KINDS.iter().position(|kind| kind.name == name);
        let is_worded = worded::<A>(name).is_some();
        let named = |words| match kind {
            Some(kind) => Ok(Self { event: Box::new(Typed::<A>::Named(kind)), words: Words::Sent(words) }),
            None => Err(EventReadError::Arguments(ArgumentError::UnknownKind)),
        };
        match body {
            Body::Positions(values) if is_worded => match values {
                [] => named(words),
                [Value::String(text)] => named(Some(text.clone())),
                [..] => Err(EventReadError::NoText(name.into())),
            },
            Body::Positions(values) => {
                let event = from_arguments::<EventOf<A>>(name, values).map_err(EventReadError::Arguments)?;
                Ok(Self::new::<A>(event, Words::Sent(words)))
            }
            // A refusal without its facts.
            Body::Fields(0) if is_worded => named(words),
            // `from_value` would need a copy of the value.
            Body::Fields(_) => match serde::Deserialize::deserialize(event) {
                Ok(event) => Ok(Self::new::<A>(event, Words::Sent(words))),
                Err(error) => Err(EventReadError::Fields(error)),
            },
        }
    }

    /// The event, if it belongs to this game and the server sent all of it.
    pub fn event<A: ScriptAdapter>(&self) -> Option<&EventOf<A>> {
        match self.event.as_any().downcast_ref::<Typed<A>>()? {
            Typed::Whole(event) => Some(event),
            Typed::Named(_) => None,
        }
    }

    /// The number of the event's kind, if it belongs to this game.
    pub(crate) fn kind<A: ScriptAdapter>(&self) -> Option<usize> {
        match self.event.as_any().downcast_ref::<Typed<A>>()? {
            Typed::Whole(event) => Some(event.number()),
            Typed::Named(kind) => Some(*kind),
        }
    }

    /// The event as a call in a transcript, with its text; `scenario` is the text of the game's scenario.
    pub fn call(&self, scenario: &str) -> Call {
        self.event.call(&self.words, scenario)
    }
}

/// The arguments of an event in a transcript: its fields, or its text as these rules write it.
pub fn event_arguments<A: ScriptAdapter>(event: &EventOf<A>, scenario: &str) -> Vec<Value> {
    match worded::<A>(event.kind().name) {
        Some(EventWords::Scenario) => vec![scenario.into()],
        Some(EventWords::Own | EventWords::Rules) => vec![A::words(event).into()],
        None => arguments(event),
    }
}

/// A type-erased event.
trait AnyEvent: Debug + Send + Sync {
    fn as_any(&self) -> &dyn Any;
    fn call(&self, words: &Words, scenario: &str) -> Call;
}

#[derive(Debug)]
enum Typed<A: ScriptAdapter> {
    Whole(EventOf<A>),
    /// The kind of an event with a text. The server sent no fields.
    Named(usize),
}

/// What an event consists of, besides its name.
enum Body<'v> {
    Positions(&'v [Value]),
    /// So many named fields.
    Fields(usize),
}

/// The name and the body of an event; `None` if it has none of the forms.
fn split(event: &Value) -> Option<(&str, Body<'_>)> {
    match event {
        Value::String(name) => Some((name, Body::Positions(&[]))),
        Value::Array(items) => match items.as_slice() {
            [Value::String(name), values @ ..] => Some((name, Body::Positions(values))),
            [..] => None,
        },
        Value::Object(only) if only.len() == 1 => {
            let (name, body) = only.iter().next()?;
            let body = match body {
                Value::Object(fields) => Body::Fields(fields.len()),
                Value::Array(values) => Body::Positions(values),
                Value::Null => Body::Positions(&[]),
                Value::String(_) | Value::Number(_) | Value::Bool(_) => Body::Positions(std::slice::from_ref(body)),
            };
            Some((name, body))
        }
        Value::Object(_) | Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}

/// Why a value is not an event of the game.
#[derive(Debug)]
pub enum EventReadError {
    /// The value is neither a name, nor a list that begins with a name, nor an object with a name as its only key.
    NoForm,
    /// The event has a text, and something else was sent.
    NoText(String),
    /// The game has no event with this name, or the values do not fit.
    Arguments(ArgumentError),
    /// The named fields do not fit.
    Fields(serde_json::Error),
}

impl fmt::Display for EventReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoForm => {
                f.write_str(r#"an event is {"Moved":{"character":1, ..}}, ["Moved",1, ..] or "GameStarted""#)
            }
            Self::NoText(name) => write!(f, r#"{name} has one text or none: ["{name}","not now"] or "{name}""#),
            Self::Arguments(error) => fmt::Display::fmt(error, f),
            Self::Fields(error) => fmt::Display::fmt(error, f),
        }
    }
}

impl std::error::Error for EventReadError {}

impl<A: ScriptAdapter> AnyEvent for Typed<A> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn call(&self, words: &Words, scenario: &str) -> Call {
        let name = match self {
            Self::Whole(event) => event.kind().name,
            Self::Named(kind) => EventOf::<A>::KINDS[*kind].name,
        };
        let worded = worded::<A>(name);
        let mut arguments: Vec<Value> = match (self, words) {
            (Self::Whole(event), Words::Ours) => event_arguments::<A>(event, scenario),
            (Self::Whole(event), Words::Sent(_)) if worded.is_none() => event_arguments::<A>(event, scenario),
            (Self::Whole(_) | Self::Named(_), Words::Sent(text)) => {
                text.as_deref().map(Value::from).into_iter().collect()
            }
            (Self::Named(_), Words::Ours) => Vec::new(),
        };
        if worded == Some(EventWords::Scenario) && arguments.first().is_some_and(|text| text == scenario) {
            arguments = vec![THE_SCENARIO.into()];
        }
        Call { name: name.into(), arguments }
    }
}
