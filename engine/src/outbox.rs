//! What a fold says: events with their audience, who takes a seat or loses it, and timers.

use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::CommId;

/// For whom an event is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Audience {
    /// Every client that has a seat when the event happens, and everybody who watches.
    All,
    /// One client, seated or not.
    Only(CommId),
    /// A public fact that the published protocol does not send: for watchers, and for clients that asked for it.
    Board,
}

/// One thing that a fold said. The order among them is the order in which they happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Emission<E> {
    Event {
        audience: Audience,
        event: E,
    },
    /// From here on the client is one of [`Audience::All`].
    Seated {
        client: CommId,
    },
    /// From here on it no longer is.
    Unseated {
        client: CommId,
    },
}

/// A change to a game's timers. They are not in the log: a replay sets the same ones.
///
/// A host delivers a timer once, no earlier than it is due, and never after it was cancelled or set anew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TimerChange<T> {
    /// The timer comes as an input after so many milliseconds, whether or not it was set before.
    Set {
        timer: T,
        after: u64,
    },
    Cancelled {
        timer: T,
    },
}

impl<T> TimerChange<T> {
    pub fn timer(&self) -> &T {
        let (Self::Set { timer, .. } | Self::Cancelled { timer }) = self;
        timer
    }
}

/// Collects what a fold says. Reused from fold to fold, so that a command allocates nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outbox<E, T> {
    emissions: Vec<Emission<E>>,
    timers: Vec<TimerChange<T>>,
}

impl<E, T> Outbox<E, T> {
    pub const fn new() -> Self {
        Self { emissions: Vec::new(), timers: Vec::new() }
    }

    pub fn emissions(&self) -> &[Emission<E>] {
        &self.emissions
    }

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

    /// Takes what was said, for somebody who keeps it for a while.
    pub fn take_emissions(&mut self) -> Vec<Emission<E>> {
        core::mem::take(&mut self.emissions)
    }

    /// Uses the room of a list that was taken once more.
    pub fn give_back(&mut self, mut emissions: Vec<Emission<E>>) {
        if self.emissions.capacity() == 0 {
            emissions.clear();
            self.emissions = emissions;
        }
    }

    pub fn clear(&mut self) {
        self.emissions.clear();
        self.timers.clear();
    }

    pub fn all(&mut self, event: E) {
        self.emissions.push(Emission::Event { audience: Audience::All, event });
    }

    pub fn only(&mut self, client: CommId, event: E) {
        self.emissions.push(Emission::Event { audience: Audience::Only(client), event });
    }

    pub fn board(&mut self, event: E) {
        self.emissions.push(Emission::Event { audience: Audience::Board, event });
    }

    pub fn seat(&mut self, client: CommId) {
        self.emissions.push(Emission::Seated { client });
    }

    pub fn unseat(&mut self, client: CommId) {
        self.emissions.push(Emission::Unseated { client });
    }

    /// Asks for `timer` as an input after `after` milliseconds of the game's clock.
    pub fn set_timer(&mut self, timer: T, after: u64) {
        self.timers.push(TimerChange::Set { timer, after });
    }

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
    fn what_is_said_is_there_in_its_order() {
        let outbox = filled();
        assert_eq!(print(outbox.emissions()), "+1 a 2>b (c) -1 ");
        let events: String = outbox.events().map(|(_, event)| *event).collect();
        assert_eq!(events, "abc");
        let timers = [TimerChange::Set { timer: 't', after: 70 }, TimerChange::Cancelled { timer: 'u' }];
        assert_eq!(outbox.timers(), timers);
        assert_eq!(timers.map(|change| *change.timer()), ['t', 'u']);
    }

    #[test]
    fn it_is_emptied_and_its_room_used_again() {
        let mut outbox = filled();
        outbox.clear();
        assert_eq!(outbox, Outbox::new());

        let mut outbox = filled();
        let taken = outbox.take_emissions();
        assert_eq!(print(&taken), "+1 a 2>b (c) -1 ");
        assert_eq!((outbox.emissions(), outbox.timers().len()), (&[][..], 2));
        let room = taken.capacity();
        outbox.give_back(taken);
        assert_eq!((outbox.emissions(), outbox.emissions.capacity()), (&[][..], room));
        // Where something was said meanwhile, that stays.
        outbox.all('d');
        outbox.give_back(alloc::vec![Emission::Seated { client: CommId(3) }]);
        assert_eq!(print(outbox.emissions()), "d ");
    }
}
