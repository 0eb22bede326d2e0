//! Waits for one kind of event.

use colony_rules::Event;
use engine::{Message, from_arguments};
use script::{ANY_VALUE, Call, event_arguments};
use serde_json::Value;

use crate::script::{
    Colony,
    wish::{Happening, Which},
};

/// A pattern for events.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    /// The number of the event's kind.
    kind: usize,
    arguments: Arguments,
}

#[derive(Clone, Debug)]
enum Arguments {
    Any,
    Exact(Event),
    Some(Vec<Value>),
}

impl Pattern {
    pub(super) fn new(event: &Call) -> Self {
        let known = Event::KINDS.iter().position(|kind| kind.name == event.name);
        let kind = known.expect("a wish names events that there are");
        let any = |value: &Value| value == ANY_VALUE;
        // The scenario is the same in all games, so a wish cannot depend on it.
        let arguments = if event.name == "Config" || event.arguments.iter().all(any) {
            Arguments::Any
        } else if event.arguments.iter().any(any) {
            Arguments::Some(event.arguments.clone())
        } else {
            let exact = from_arguments(&event.name, &event.arguments);
            exact.map_or_else(|_| Arguments::Some(event.arguments.clone()), Arguments::Exact)
        };
        Self { kind, arguments }
    }

    pub(super) fn matches(&self, event: &Event) -> bool {
        event.number() == self.kind && self.fits(event)
    }

    /// Whether an event of this kind matches the pattern.
    fn fits(&self, event: &Event) -> bool {
        match &self.arguments {
            Arguments::Any => true,
            Arguments::Exact(exact) => exact == event,
            Arguments::Some(wanted) => {
                let came = event_arguments::<Colony>(event, "");
                wanted.iter().enumerate().all(|(at, want)| want == ANY_VALUE || came.get(at) == Some(want))
            }
        }
    }
}

/// A happening and its progress.
#[derive(Clone, Debug)]
pub(super) struct Sighting {
    pattern: Pattern,
    which: Which,
    round: Option<u32>,
    count: u32,
    /// Whether the event has happened; `Some(false)`: it can no longer happen.
    pub(super) seen: Option<bool>,
    /// Whether it happened during the current command.
    pub(super) armed: bool,
}

impl Sighting {
    pub(super) fn new(happening: &Happening) -> Self {
        let Happening { event, which, round } = happening;
        Self { pattern: Pattern::new(event), which: *which, round: *round, count: 0, seen: None, armed: false }
    }

    pub(super) fn restart(&mut self) {
        (self.count, self.seen, self.armed) = (0, None, false);
    }

    pub(super) fn hear(&mut self, event: &Event, round: u32) {
        if self.seen.is_none()
            && let Some(right) = self.judge(event, round)
        {
            self.count += u32::from(right);
            self.seen = match self.which {
                Which::First => Some(right),
                Which::Times(times) => (self.count >= times).then_some(true),
            };
        }
        self.give_up_after(round);
    }

    /// As [`hear`](Self::hear), but an event may match repeatedly: only `first` is decided here.
    pub(super) fn hear_each(&mut self, event: &Event, round: u32) {
        if self.seen.is_none()
            && let Some(right) = self.judge(event, round)
        {
            self.armed |= right;
            self.seen = (self.which == Which::First).then_some(right);
        }
        self.give_up_after(round);
    }

    /// Whether an event of this kind matches; `None` for other kinds.
    fn judge(&self, event: &Event, round: u32) -> Option<bool> {
        let right = || self.round.is_none_or(|wanted| wanted == round) && self.pattern.fits(event);
        (event.number() == self.pattern.kind).then(right)
    }

    fn give_up_after(&mut self, round: u32) {
        if self.seen.is_none() && self.round.is_some_and(|wanted| round > wanted) {
            self.seen = Some(false);
        }
    }
}
