//! Events that a client has received.

use std::{any::Any, fmt::Debug};

use engine::{Message, arguments};
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
        Self { event: Box::new(Typed::<A>(event)), words }
    }

    /// The event, if it belongs to this game.
    pub fn event<A: ScriptAdapter>(&self) -> Option<&EventOf<A>> {
        self.event.as_any().downcast_ref::<Typed<A>>().map(|Typed(event)| event)
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
