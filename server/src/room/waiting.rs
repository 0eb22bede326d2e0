//! What waits until entries are durable, and what a room does while the store is silent: the clock of the game stands, and
//! after a while the clients are turned away.

use std::{collections::VecDeque, future::Future, pin::pin, time::Duration};

use commlib::{ConnectionId, Refused};
use engine::Emission;
use slog::warn;
use tokio::{
    sync::oneshot,
    time::{Instant, sleep_until},
};

use super::Room;
use crate::{
    adapter::{Adapter, EventOf, InputOf},
    handle::{Committed, unavailable},
};

/// How long a new game or an entry may wait to be durable before the clock of its game stands.
const STANDS_AFTER: Duration = Duration::from_millis(250);

/// An action that waits until entries are durable.
pub(crate) enum Waiting<A: Adapter> {
    /// The game itself.
    Game,
    Entry {
        sequence: u64,
        emissions: Vec<Emission<EventOf<A>>>,
        arrived: Option<std::time::Instant>,
        at_handle: Option<AtHandle<A>>,
    },
    Pong {
        after: u64,
        connection: ConnectionId,
        number: u64,
    },
    /// The offers of a client, computed after this entry; a refusal if they cannot be sent.
    Offers {
        after: u64,
        connection: ConnectionId,
        number: u64,
        offers: Result<String, Refused>,
    },
    Stored {
        after: u64,
        answer: oneshot::Sender<()>,
    },
    /// A gateway's request after the end. It gets no answer: the gateway then reads the game and finds that it is over, which
    /// it must not see before the end is durable.
    TooLate {
        after: u64,
        answer: oneshot::Sender<Committed<A::Rules>>,
    },
}

/// The data that a handle needs for an entry: the input for its own copy of the game, and the sender of the answer.
pub(crate) struct AtHandle<A: Adapter> {
    pub(super) input: InputOf<A>,
    pub(super) answer: Option<oneshot::Sender<Committed<A::Rules>>>,
}

impl<A: Adapter> Waiting<A> {
    /// The entry that must be durable.
    fn needed(&self) -> u64 {
        match self {
            Self::Game => 0,
            Self::Entry { sequence: needed, .. }
            | Self::Pong { after: needed, .. }
            | Self::Offers { after: needed, .. }
            | Self::Stored { after: needed, .. }
            | Self::TooLate { after: needed, .. } => *needed,
        }
    }
}

/// Everything that waits, in order, and since when.
pub(crate) struct WaitingQueue<A: Adapter>(VecDeque<(Instant, Waiting<A>)>);

impl<A: Adapter> WaitingQueue<A> {
    pub(super) fn push(&mut self, waiting: Waiting<A>) {
        self.0.push_back((Instant::now(), waiting));
    }

    /// Removes the first item if it waits no longer. `durable` counts the game itself and its durable entries.
    pub(super) fn pop_durable(&mut self, durable: u64) -> Option<Waiting<A>> {
        let (_, first) = self.0.front()?;
        if first.needed() >= durable {
            return None;
        }
        self.0.pop_front().map(|(_, first)| first)
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Since when the first item waits.
    fn since(&self) -> Option<Instant> {
        self.0.front().map(|(since, _)| *since)
    }

    /// Drops everything that waits for an answer; the game and its entries stay.
    fn drop_answers(&mut self) {
        self.0.retain_mut(|(_, waiting)| match waiting {
            Waiting::Game => true,
            Waiting::Entry { at_handle, .. } => {
                at_handle.iter_mut().for_each(|at_handle| at_handle.answer = None);
                true
            }
            Waiting::Pong { .. } | Waiting::Offers { .. } | Waiting::Stored { .. } | Waiting::TooLate { .. } => false,
        });
    }
}

impl<A: Adapter> Default for WaitingQueue<A> {
    fn default() -> Self {
        Self(VecDeque::new())
    }
}

impl<A: Adapter> Room<A> {
    /// Stops the clock of the game while something has waited too long for the store, and turns the clients away if it takes
    /// even longer. The clock also stands while the host is not certain to own the game: clients that want to enter wait then.
    /// Returns when to look again.
    pub(super) fn watch_store(&mut self) -> Option<Instant> {
        match self.waiting.since() {
            Some(since) => self.wait_since(since),
            None => {
                self.go_if_certain();
                None
            }
        }
    }

    fn go_if_certain(&mut self) {
        self.is_unavailable = false;
        match self.services.uncertain() {
            Some(at) => self.clock.stand(at, self.last_elapsed),
            None => self.clock.go(),
        }
    }

    fn wait_since(&mut self, since: Instant) -> Option<Instant> {
        let (stands, ends) = (since + STANDS_AFTER, since + self.services.limits.store_patience);
        let now = Instant::now();
        if now < stands {
            self.go_if_certain();
            return Some(stands);
        }
        let at = self.services.uncertain().map_or(stands, |at| at.min(stands));
        self.clock.stand(at, self.last_elapsed);
        if now < ends {
            self.is_unavailable = false;
            return Some(ends);
        }
        if !self.is_unavailable {
            self.is_unavailable = true;
            self.turn_away();
        }
        None
    }

    /// Waits for an answer of the store. Meanwhile the room does nothing else, so the clock stands, and the clients are turned
    /// away if it takes too long. Returns `None` if the host stops and the store stays silent.
    pub(super) async fn wait_for_store<T>(&mut self, answer: impl Future<Output = T>) -> Option<T> {
        let since = self.waiting.since().unwrap_or_else(Instant::now);
        let services = self.services.clone();
        let (mut answer, mut gives_up) = (pin!(answer), pin!(services.gives_up()));
        let mut next = Some(since + STANDS_AFTER);
        loop {
            tokio::select! {
                biased;
                answer = &mut answer => return Some(answer),
                () = &mut gives_up => return None,
                () = sleep_until(next.unwrap_or(since)), if next.is_some() => next = self.wait_since(since),
            }
        }
    }

    /// Ends all connections. Entries that are not yet durable stay, and clients that resume receive their events later.
    fn turn_away(&mut self) {
        let Refused { reason, message } = unavailable();
        warn!(self.logger, "the store is silent, clients are turned away"; "clients" => self.peers.len());
        self.peers.drain(..).for_each(|peer| peer.sink.close(reason, &message));
        self.waiting.drop_answers();
    }
}
