//! An event that a client of a game was told.

use std::{any::Any, fmt::Debug};

use engine::{Message, arguments};
use serde_json::Value;

use crate::{
    adapter::{EventOf, EventWords, ScriptAdapter, worded},
    step::{Call, THE_SCENARIO},
};

/// An event that a client was told, and the words that came with it.
#[derive(Debug)]
pub struct ReceivedEvent {
    event: Box<dyn AnyEvent>,
    pub(crate) words: Words,
}

/// The words that come with an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Words {
    /// Those of the rules in this process, made when they are looked at.
    Ours,
    /// What a server sent.
    Sent(Option<String>),
}

impl ReceivedEvent {
    pub(crate) fn new<A: ScriptAdapter>(event: EventOf<A>, words: Words) -> Self {
        Self { event: Box::new(Typed::<A>(event)), words }
    }

    /// The event, if it is this game's.
    pub fn event<A: ScriptAdapter>(&self) -> Option<&EventOf<A>> {
        self.event.as_any().downcast_ref::<Typed<A>>().map(|Typed(event)| event)
    }

    /// As a transcript has it, with its words; `scenario` is the text of the game's.
    pub fn call(&self, scenario: &str) -> Call {
        self.event.call(&self.words, scenario)
    }
}

/// The arguments of an event in a transcript: its fields, or its words as these rules say them.
pub fn event_arguments<A: ScriptAdapter>(event: &EventOf<A>, scenario: &str) -> Vec<Value> {
    match worded::<A>(event.kind().name) {
        Some(EventWords::Scenario) => vec![scenario.into()],
        Some(EventWords::Own) => vec![A::words(event).into()],
        None => arguments(event),
    }
}

/// An event without its type.
trait AnyEvent: Debug + Send + Sync {
    fn as_any(&self) -> &dyn Any;
    fn call(&self, words: &Words, scenario: &str) -> Call;
}

#[derive(Debug)]
struct Typed<A: ScriptAdapter>(EventOf<A>);

impl<A: ScriptAdapter> AnyEvent for Typed<A> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn call(&self, words: &Words, scenario: &str) -> Call {
        let Self(event) = self;
        let name = event.kind().name;
        let worded = worded::<A>(name);
        let mut arguments = match words {
            Words::Sent(text) if worded.is_some() => text.as_deref().map(Value::from).into_iter().collect(),
            Words::Sent(_) | Words::Ours => event_arguments::<A>(event, scenario),
        };
        if worded == Some(EventWords::Scenario) && arguments.first().is_some_and(|text| text == scenario) {
            arguments = vec![THE_SCENARIO.into()];
        }
        Call { name: name.into(), arguments }
    }
}
