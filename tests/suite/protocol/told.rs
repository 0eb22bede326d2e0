//! The audience of each event of a rulebook, and whether a text comes with it, found in games that have all events.

use std::collections::{BTreeMap, BTreeSet};

use engine::{Audience, Message as _, laws::Trial};
use server::{Adapter, SetupOf};

/// The audience and the text of each kind of event of a rulebook.
pub(crate) type Events = BTreeMap<&'static str, How>;

#[derive(Default)]
pub(crate) struct How {
    /// The kinds of audience that occurred.
    pub(crate) audience: BTreeSet<&'static str>,
    /// Whether a text came with the event.
    pub(crate) text: BTreeSet<bool>,
}

/// Notes the events of the last step.
pub(crate) fn note<A: Adapter>(told: &mut Events, setup: &SetupOf<A>, trial: &Trial<A::Rules>) {
    for (audience, event) in trial.outbox().events() {
        let how = told.entry(event.kind().name).or_default();
        how.audience.insert(match audience {
            Audience::All => "all",
            Audience::Only(_) => "only",
            Audience::Board => "board",
        });
        how.text.insert(A::words(setup, event).is_some());
    }
}
