//! The audience of each event of a rulebook, found in games that have all of them, and whether the event has words.

use std::collections::{BTreeMap, BTreeSet};

use engine::{Audience, Message as _, laws::Trial};
use server::{Adapter, SetupOf};

/// The audience and words of each kind of event of a rulebook.
pub(crate) type Events = BTreeMap<&'static str, How>;

#[derive(Default)]
pub(crate) struct How {
    /// The kinds of audience.
    pub(crate) audience: BTreeSet<&'static str>,
    /// Whether words came with them.
    pub(crate) text: BTreeSet<bool>,
}

/// What the last step said.
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
