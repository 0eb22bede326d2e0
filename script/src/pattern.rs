//! Compares received events with expected ones.

use std::fmt::Debug;

use engine::{Message, from_arguments};
use serde_json::Value;

use crate::{
    adapter::{EventOf, EventWords, ScriptAdapter, worded},
    partial::{has_open, is_open, narrowed},
    received::{ReceivedEvent, Words},
    step::{ANY_VALUE, Call, THE_SCENARIO},
};

/// The pattern of an expected event.
pub trait EventPattern: Debug + Send + Sync {
    /// Whether an event matches; `scenario` is the text of the game's scenario.
    fn matches(&self, told: &ReceivedEvent, scenario: &str) -> bool;
}

/// A pattern that is prepared before the game starts.
#[derive(Debug)]
pub(crate) enum Pattern<A: ScriptAdapter> {
    Exact(EventOf<A>),
    /// An event with the server's own text: exactly these words, or any text if `words` is `None`.
    Own {
        kind: usize,
        words: Option<String>,
    },
    /// An event with the text of a scenario: this text, or that of the game's scenario.
    Scenario {
        kind: usize,
        text: Option<String>,
    },
    /// Any other event, compared argument by argument.
    Loose(Call),
}

impl<A: ScriptAdapter> Pattern<A> {
    pub(crate) fn new(expected: &Call) -> Self {
        let Call { name, arguments } = expected;
        let loose = || Self::Loose(expected.clone());
        let Some(words) = worded::<A>(name) else {
            // A text could be read from the sign for any value.
            if arguments.iter().any(has_open) {
                return loose();
            }
            return from_arguments(name, arguments).map_or_else(|_| loose(), Self::Exact);
        };
        let Some(kind) = EventOf::<A>::KINDS.iter().position(|kind| kind.name == name) else { return loose() };
        match (words, arguments.as_slice()) {
            (EventWords::Own | EventWords::Rules, []) => Self::Own { kind, words: None },
            (_, [Value::String(text)]) if text == ANY_VALUE => loose(),
            (EventWords::Own | EventWords::Rules, [Value::String(text)]) => {
                Self::Own { kind, words: Some(text.clone()) }
            }
            (EventWords::Scenario, [Value::String(text)]) => {
                Self::Scenario { kind, text: Some(text.clone()).filter(|text| text != THE_SCENARIO) }
            }
            (EventWords::Own | EventWords::Rules | EventWords::Scenario, _) => loose(),
        }
    }
}

impl<A: ScriptAdapter> EventPattern for Pattern<A> {
    fn matches(&self, told: &ReceivedEvent, scenario: &str) -> bool {
        let Some(came) = told.kind::<A>() else { return false };
        match self {
            Self::Exact(expected) => told.event::<A>().is_some_and(|event| expected == event),
            // The server chooses the text. It may send none, but the text must not be empty.
            Self::Own { kind, words } => {
                let fits = |said: &str| !said.is_empty() && words.as_ref().is_none_or(|expected| expected == said);
                came == *kind
                    && match &told.words {
                        Words::Ours => told.event::<A>().is_some_and(|event| fits(&A::words(event))),
                        Words::Sent(None) => words.is_none(),
                        Words::Sent(Some(said)) => fits(said),
                    }
            }
            Self::Scenario { kind, text } => {
                let expected = text.as_deref().unwrap_or(scenario);
                came == *kind
                    && match &told.words {
                        Words::Ours => expected == scenario,
                        Words::Sent(said) => said.as_deref() == Some(expected),
                    }
            }
            Self::Loose(call) => {
                let came = told.call(scenario);
                let fits = |(expected, came): (&Value, &Value)| narrowed(expected, came) == *expected;
                let count = call.arguments.len();
                came.name == call.name
                    && (came.arguments.len() == count
                        || came.arguments.len() > count && call.arguments.last().is_some_and(is_open))
                    && call.arguments.iter().zip(&came.arguments).all(fits)
            }
        }
    }
}
