//! Refused commands of clients without a seat. Each of them is an entry of the log, and everyone can be such a client, so a log
//! keeps only so many. Further ones are refused without an entry.

use std::collections::BTreeMap;

use commlib::{Reason, Refused};
use engine::{Audience, CommId, Emission};

use super::Room;
use crate::adapter::{Adapter, CommandOf};

/// The refused commands of clients without a seat that are in the log.
#[derive(Clone, Debug, Default)]
pub(crate) struct Refusals {
    by_client: BTreeMap<CommId, u32>,
    all: u32,
}

impl Refusals {
    /// Counts an entry of a client without a seat, if it is a refusal.
    pub(crate) fn count<E>(&mut self, client: CommId, emissions: &[Emission<E>]) {
        if is_refusal(client, emissions) {
            *self.by_client.entry(client).or_default() += 1;
            self.all += 1;
        }
    }

    fn of(&self, client: CommId) -> u32 {
        self.by_client.get(&client).copied().unwrap_or_default()
    }
}

/// Whether the rules said nothing but words to the sender.
fn is_refusal<E>(client: CommId, emissions: &[Emission<E>]) -> bool {
    let is_told_alone = |emission: &Emission<E>| match emission {
        Emission::Event { audience: Audience::Only(only), .. } => *only == client,
        Emission::Event { audience: Audience::All | Audience::Board, .. }
        | Emission::Seated { .. }
        | Emission::Unseated { .. } => false,
    };
    emissions.iter().all(is_told_alone)
}

impl<A: Adapter> Room<A> {
    /// Checks that the log keeps another refusal of this client. If it does not, asks a copy of the game what the rules say.
    ///
    /// # Errors
    /// If the rules refuse the command.
    pub(super) fn keeps_refusal(&self, client: CommId, command: &CommandOf<A>) -> Result<(), Refused> {
        let limits = self.services.limits.refusals;
        let is_full = self.refusals.of(client) >= limits.per_client || self.refusals.all >= limits.per_game;
        if !is_full || self.seated.contains(&client) {
            return Ok(());
        }
        let Some((_, outbox)) = self.trial(client, command) else { return Ok(()) };
        if !is_refusal(client, outbox.emissions()) || !outbox.timers().is_empty() {
            return Ok(());
        }
        let words = outbox.emissions().iter().find_map(|emission| match emission {
            Emission::Event { event, .. } => A::words(&self.setup, event).map(String::from),
            Emission::Seated { .. } | Emission::Unseated { .. } => None,
        });
        Err(Refused::new(Reason::BadMessage, words.unwrap_or_else(|| "The rules refuse this.".into())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_to_the_sender_alone_are_a_refusal() {
        let event = |audience| Emission::Event { audience, event: () };
        let (client, other) = (CommId(1), CommId(2));
        for (emissions, expected) in [
            (vec![event(Audience::Only(client))], true),
            (vec![], true),
            (vec![event(Audience::Only(other))], false),
            (vec![event(Audience::Only(client)), event(Audience::All)], false),
            (vec![event(Audience::Board)], false),
            (vec![event(Audience::Only(client)), Emission::Seated { client }], false),
            (vec![Emission::Unseated { client }], false),
        ] {
            assert_eq!(is_refusal(client, &emissions), expected, "{emissions:?}");
        }
    }
}
