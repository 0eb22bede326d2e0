//! The events of one client in words, for a program that knows the rules of its game.

use engine::{Projection, Rulebook, Shown};
use serde::Deserialize;
use serde_json::Value;

use crate::adapter::{Adapter, EventOf, SetupOf};

/// What a client knows of its game, from the events that it was told.
pub trait Story: Send {
    /// Takes the next event, and describes it to the client; `None` if the rulebook has no words of its own for it.
    fn tell(&mut self, event: &Value) -> Option<String>;
}

/// The story of a client by an adapter's rules.
pub(crate) struct ViewStory<A: Adapter>(<A::Rules as Rulebook>::View);

impl<A: Adapter> ViewStory<A> {
    pub(crate) fn new(setup: &SetupOf<A>) -> Self {
        Self(Projection::<A::Rules>::new(setup))
    }
}

impl<A: Adapter> Story for ViewStory<A> {
    fn tell(&mut self, event: &Value) -> Option<String> {
        let event = EventOf::<A>::deserialize(event).ok()?;
        let text = A::Rules::tell_event_of_view(&self.0, &event);
        self.0.apply(&event);
        text
    }
}
