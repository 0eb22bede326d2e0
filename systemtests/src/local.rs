//! The engine in process, as the clients of one game see it.

use std::collections::{BTreeMap, VecDeque};

use colony::{Event, Game, Setup, Timer};
use engine::{Cause, CommId, Input, Message, Outbox, Rulebook, Seats};
use script::{command, event_arguments};
use serde_json::Value;

use crate::table::{Came, Table};

/// A game with a queue of events for every client.
#[derive(Debug)]
pub struct Local {
    setup: Setup,
    game: Game,
    outbox: Outbox<Event, Timer>,
    seats: Seats,
    queues: BTreeMap<CommId, VecDeque<Event>>,
}

impl Local {
    pub fn start(setup: &Setup, seed: i64) -> Self {
        let mut outbox = Outbox::new();
        let game = Game::start(setup, seed, &mut outbox);
        Self { setup: setup.clone(), game, outbox, seats: Seats::default(), queues: BTreeMap::new() }
    }

    fn came(&self, event: &Event) -> Came {
        Came { name: event.kind().name.into(), arguments: event_arguments(event, &self.setup.text) }
    }
}

impl Table for Local {
    fn send(&mut self, client: u32, name: &str, arguments: &[Value]) -> Result<(), String> {
        let command = command(name, arguments).map_err(|error| format!("no command {name}: {error}"))?;
        let input = Input { elapsed: 0, cause: Cause::Command { client: CommId(client), command } };
        self.outbox.clear();
        self.game.fold(&input, &mut self.outbox);
        for emission in self.outbox.emissions() {
            let Self { seats, queues, .. } = self;
            seats.follow(emission, |client, event| queues.entry(client).or_default().push_back(event.clone()));
        }
        Ok(())
    }

    fn next(&mut self, client: u32) -> Option<Came> {
        let event = self.queues.get_mut(&CommId(client))?.pop_front()?;
        Some(self.came(&event))
    }

    fn ended(&mut self) -> Result<(), String> {
        let more = self.queues.iter().find_map(|(client, queue)| Some((client, queue.front()?)));
        if let Some((client, event)) = more {
            return Err(format!("client {client} is told more: {}", self.came(event)));
        }
        if self.game.outcome().is_some() { Ok(()) } else { Err("the game is not over".into()) }
    }
}
