//! The output of a fold: events with their audience, changes of seats, and timers.

use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::CommId;

/// The clients that receive an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Audience {
    /// Every client that has a seat when the event happens, and all spectators.
    All,
    /// One client, with or without a seat.
    Only(CommId),
    /// Spectators, and clients that asked for board events. It is for public facts that the game's protocol does not send to
    /// players.
    Board,
}

/// One item of a fold's output. The items are in the order in which things happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Emission<E> {
    /// Something happened in the game.
    Event {
        /// The clients that receive it.
        audience: Audience,
        /// The event.
        event: E,
    },
    /// The client takes a seat: from here on it belongs to [`Audience::All`].
    Seated {
        /// The client.
        client: CommId,
    },
    /// The client loses its seat: from here on it no longer belongs to [`Audience::All`].
    Unseated {
        /// The client.
        client: CommId,
    },
}

/// A change to a game's timers. Timers are not stored in the log: a replay sets the same ones.
///
/// A host delivers a timer once, not before it is due, and never after the game has cancelled or reset it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TimerChange<T> {
    /// Sets the timer, or resets it if it is set already.
    Set {
        /// The timer.
        timer: T,
        /// Milliseconds of the game's clock until the timer is due.
        after_ms: u64,
    },
    /// Cancels the timer.
    Cancelled {
        /// The timer.
        timer: T,
    },
}

impl<T> TimerChange<T> {
    /// The timer that this change sets or cancels.
    pub fn timer(&self) -> &T {
        let (Self::Set { timer, .. } | Self::Cancelled { timer }) = self;
        timer
    }
}

/// Collects the output of a fold. Hosts reuse it for every fold, to avoid allocations.
///
/// ```
/// use engine::{Audience, CommId, Emission, Outbox};
///
/// let ana = CommId(1);
/// let mut outbox: Outbox<&str, ()> = Outbox::new();
/// outbox.seat(ana);
/// outbox.all("the game starts");
/// outbox.only(ana, "your card is a 7");
/// outbox.set_timer((), 30_000);
///
/// assert_eq!(outbox.emissions()[0], Emission::Seated { client: ana });
/// let events: Vec<_> = outbox.events().collect();
/// assert_eq!(events, [(Audience::All, &"the game starts"), (Audience::Only(ana), &"your card is a 7")]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outbox<E, T> {
    emissions: Vec<Emission<E>>,
    timers: Vec<TimerChange<T>>,
}

impl<E, T> Outbox<E, T> {
    /// An empty outbox.
    pub const fn new() -> Self {
        Self { emissions: Vec::new(), timers: Vec::new() }
    }

    /// All emissions, in order.
    pub fn emissions(&self) -> &[Emission<E>] {
        &self.emissions
    }

    /// All changes to timers, in order.
    pub fn timers(&self) -> &[TimerChange<T>] {
        &self.timers
    }

    /// The events alone, with their audience.
    pub fn events(&self) -> impl Iterator<Item = (Audience, &E)> {
        self.emissions.iter().filter_map(|emission| match emission {
            Emission::Event { audience, event } => Some((*audience, event)),
            Emission::Seated { .. } | Emission::Unseated { .. } => None,
        })
    }

    /// Moves the emissions out, for a caller that stores them. [`Self::give_back`] returns the memory.
    pub fn take_emissions(&mut self) -> Vec<Emission<E>> {
        core::mem::take(&mut self.emissions)
    }

    /// Reuses the memory of a list that [`Self::take_emissions`] returned.
    pub fn give_back(&mut self, mut emissions: Vec<Emission<E>>) {
        if self.emissions.capacity() == 0 {
            emissions.clear();
            self.emissions = emissions;
        }
    }

    /// Removes all output and keeps the memory.
    pub fn clear(&mut self) {
        self.emissions.clear();
        self.timers.clear();
    }

    /// Sends an event to [`Audience::All`].
    pub fn all(&mut self, event: E) {
        self.emissions.push(Emission::Event { audience: Audience::All, event });
    }

    /// Sends an event to one client.
    pub fn only(&mut self, client: CommId, event: E) {
        self.emissions.push(Emission::Event { audience: Audience::Only(client), event });
    }

    /// Sends an event to [`Audience::Board`].
    pub fn board(&mut self, event: E) {
        self.emissions.push(Emission::Event { audience: Audience::Board, event });
    }

    /// Gives the client a seat.
    pub fn seat(&mut self, client: CommId) {
        self.emissions.push(Emission::Seated { client });
    }

    /// Takes the client's seat away.
    pub fn unseat(&mut self, client: CommId) {
        self.emissions.push(Emission::Unseated { client });
    }

    /// Requests `timer` as an input after `after_ms` milliseconds of the game's clock.
    pub fn set_timer(&mut self, timer: T, after_ms: u64) {
        self.timers.push(TimerChange::Set { timer, after_ms });
    }

    /// Cancels a timer, if it is set.
    pub fn cancel_timer(&mut self, timer: T) {
        self.timers.push(TimerChange::Cancelled { timer });
    }
}

impl<E, T> Default for Outbox<E, T> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use alloc::{format, string::String};

    use super::*;

    fn filled() -> Outbox<char, char> {
        let mut outbox = Outbox::new();
        outbox.seat(CommId(1));
        outbox.all('a');
        outbox.only(CommId(2), 'b');
        outbox.board('c');
        outbox.unseat(CommId(1));
        outbox.set_timer('t', 70);
        outbox.cancel_timer('u');
        outbox
    }

    fn print(emissions: &[Emission<char>]) -> String {
        let word = |emission: &Emission<char>| match emission {
            Emission::Event { audience: Audience::All, event } => format!("{event} "),
            Emission::Event { audience: Audience::Only(client), event } => format!("{client}>{event} "),
            Emission::Event { audience: Audience::Board, event } => format!("({event}) "),
            Emission::Seated { client } => format!("+{client} "),
            Emission::Unseated { client } => format!("-{client} "),
        };
        emissions.iter().map(word).collect()
    }

    #[test]
    fn emissions_keep_their_order() {
        let outbox = filled();
        assert_eq!(print(outbox.emissions()), "+1 a 2>b (c) -1 ");
        let events: String = outbox.events().map(|(_, event)| *event).collect();
        assert_eq!(events, "abc");
        let timers = [TimerChange::Set { timer: 't', after_ms: 70 }, TimerChange::Cancelled { timer: 'u' }];
        assert_eq!(outbox.timers(), timers);
        assert_eq!(timers.map(|change| *change.timer()), ['t', 'u']);
    }

    #[test]
    fn memory_is_reused() {
        let mut outbox = filled();
        outbox.clear();
        assert_eq!(outbox, Outbox::new());

        let mut outbox = filled();
        let taken = outbox.take_emissions();
        assert_eq!(print(&taken), "+1 a 2>b (c) -1 ");
        assert_eq!((outbox.emissions(), outbox.timers().len()), (&[][..], 2));
        let capacity = taken.capacity();
        outbox.give_back(taken);
        assert_eq!((outbox.emissions(), outbox.emissions.capacity()), (&[][..], capacity));
        // An outbox that already has emissions keeps its own list.
        outbox.all('d');
        outbox.give_back(alloc::vec![Emission::Seated { client: CommId(3) }]);
        assert_eq!(print(outbox.emissions()), "d ");
    }
}
