//! The engine in process, as the clients of one game see it.

use std::collections::{BTreeMap, VecDeque};

use colony::{Command, Event, Game, Setup, Timer};
use engine::{Cause, CommId, Input, Outbox, Rulebook, Seats};

/// A game with a queue of events for every client.
#[derive(Debug)]
pub struct Local {
    game: Game,
    outbox: Outbox<Event, Timer>,
    seats: Seats,
    queues: BTreeMap<CommId, VecDeque<Event>>,
}

impl Local {
    pub fn start(setup: &Setup, seed: i64) -> Self {
        let mut outbox = Outbox::new();
        let game = Game::start(setup, seed, &mut outbox);
        Self { game, outbox, seats: Seats::default(), queues: BTreeMap::new() }
    }

    pub fn send(&mut self, client: CommId, command: Command) {
        let input = Input { elapsed: 0, cause: Cause::Command { client, command } };
        self.outbox.clear();
        self.game.fold(&input, &mut self.outbox);
        for emission in self.outbox.emissions() {
            let Self { seats, queues, .. } = self;
            seats.follow(emission, |client, event| queues.entry(client).or_default().push_back(event.clone()));
        }
    }

    /// The next event that the client has not looked at.
    pub fn next(&mut self, client: CommId) -> Option<Event> {
        self.queues.get_mut(&client)?.pop_front()
    }

    pub fn is_over(&self) -> bool {
        self.game.outcome().is_some()
    }

    /// Events that nobody has looked at, by client.
    pub fn left_over(&self) -> impl Iterator<Item = (CommId, &Event)> {
        self.queues.iter().flat_map(|(client, queue)| queue.iter().map(|event| (*client, event)))
    }
}
