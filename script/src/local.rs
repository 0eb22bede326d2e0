//! A game in this process.

use std::{collections::VecDeque, fmt::Debug};

use engine::{Cause, CommId, Input, Outbox, Rulebook, Seats, TimerChange};

use crate::{
    adapter::{CommandOf, EventOf, ScriptAdapter, SetupOf, TimerOf},
    any::AnyCommand,
    received::{ReceivedEvent, Words},
};

/// A game in this process, with a queue of events for every client.
pub trait LocalGame: Debug {
    /// Sends a command.
    ///
    /// # Panics
    ///
    /// If the command belongs to another game.
    fn send(&mut self, client: u32, command: &AnyCommand);

    /// Advances the clock until the next timer is due, if one is set.
    fn wait_for_timer(&mut self);

    /// The time on the game's own clock, in milliseconds.
    fn now_ms(&self) -> u64;

    /// The time at which the next timer is due, in milliseconds of the game's own clock, if one is set.
    fn next_due_ms(&self) -> Option<u64>;

    /// Advances the clock to this time. All timers that are due by then run, each at its time.
    fn elapse(&mut self, elapsed_ms: u64);

    /// Takes the next event from the client's queue.
    fn next(&mut self, client: u32) -> Option<ReceivedEvent>;

    /// Whether the game has ended.
    fn is_over(&self) -> bool;
}

#[derive(Debug)]
pub(crate) struct Local<A: ScriptAdapter> {
    game: A::Rules,
    outbox: Outbox<EventOf<A>, TimerOf<A>>,
    seats: Seats,
    queues: Vec<(CommId, VecDeque<EventOf<A>>)>,
    timers: Timers<TimerOf<A>>,
}

impl<A: ScriptAdapter> Local<A> {
    pub(crate) fn start(setup: &SetupOf<A>, seed: i64, clients: &[u32]) -> Self {
        let mut outbox = Outbox::new();
        let game = A::Rules::start(setup, seed, &mut outbox);
        let queues = clients.iter().map(|client| (CommId(*client), VecDeque::new())).collect();
        let mut local = Self { game, outbox, seats: Seats::default(), queues, timers: Timers::default() };
        local.deliver();
        local
    }

    fn fold(&mut self, cause: Cause<CommandOf<A>, TimerOf<A>>) {
        self.outbox.clear();
        self.game.fold(&Input { elapsed_ms: self.timers.elapsed_ms, cause }, &mut self.outbox);
        self.deliver();
    }

    fn deliver(&mut self) {
        let Self { outbox, seats, queues, timers, .. } = self;
        for emission in outbox.emissions() {
            seats.follow(emission, |client, event| {
                if let Some((_, queue)) = queues.iter_mut().find(|(other, _)| *other == client) {
                    queue.push_back(event.clone());
                }
            });
        }
        timers.follow(outbox.timers());
    }
}

impl<A: ScriptAdapter> LocalGame for Local<A> {
    fn send(&mut self, client: u32, command: &AnyCommand) {
        let command = command.downcast::<A>().expect("the command belongs to this game").clone();
        self.fold(Cause::Command { client: CommId(client), command });
    }

    fn wait_for_timer(&mut self) {
        if let Some(timer) = self.timers.next() {
            self.fold(Cause::Timer { timer });
        }
    }

    fn now_ms(&self) -> u64 {
        self.timers.elapsed_ms
    }

    fn next_due_ms(&self) -> Option<u64> {
        self.timers.due_ms()
    }

    fn elapse(&mut self, elapsed_ms: u64) {
        while self.game.outcome().is_none() && self.timers.due_ms().is_some_and(|due_ms| due_ms <= elapsed_ms) {
            self.wait_for_timer();
        }
        self.timers.elapsed_ms = self.timers.elapsed_ms.max(elapsed_ms);
    }

    fn next(&mut self, client: u32) -> Option<ReceivedEvent> {
        let (_, queue) = self.queues.iter_mut().find(|(other, _)| *other == CommId(client))?;
        queue.pop_front().map(|event| ReceivedEvent::new::<A>(event, Words::Ours))
    }

    fn is_over(&self) -> bool {
        self.game.outcome().is_some()
    }
}

/// The timers of a game, and its clock, which advances only to the time of a timer.
#[derive(Debug)]
pub(crate) struct Timers<T> {
    pub(crate) elapsed_ms: u64,
    /// The timers that are set, each with the time at which it is due.
    set: Vec<(T, u64)>,
}

impl<T> Default for Timers<T> {
    fn default() -> Self {
        Self { elapsed_ms: 0, set: Vec::new() }
    }
}

impl<T: Clone + Eq> Timers<T> {
    pub(crate) fn follow(&mut self, changes: &[TimerChange<T>]) {
        for change in changes {
            self.set.retain(|(other, _)| other != change.timer());
            if let TimerChange::Set { timer, after_ms } = change {
                self.set.push((timer.clone(), self.elapsed_ms.saturating_add(*after_ms)));
            }
        }
    }

    /// When the earliest timer is due.
    fn due_ms(&self) -> Option<u64> {
        self.set.iter().map(|(_, due_ms)| *due_ms).min()
    }

    /// Removes the earliest timer, and advances the clock to its time.
    pub(crate) fn next(&mut self) -> Option<T> {
        let at = (0..self.set.len()).min_by_key(|&at| self.set[at].1)?;
        let (timer, due) = self.set.remove(at);
        self.elapsed_ms = self.elapsed_ms.max(due);
        Some(timer)
    }

    /// Removes this timer, if it is set, and advances the clock to its time.
    pub(crate) fn run_until(&mut self, timer: &T) {
        if let Some(at) = self.set.iter().position(|(other, _)| other == timer) {
            let (_, due) = self.set.remove(at);
            self.elapsed_ms = self.elapsed_ms.max(due);
        }
    }
}
