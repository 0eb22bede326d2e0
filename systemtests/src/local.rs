//! The engine in process, as the clients of one game see it.

use std::{collections::VecDeque, marker::PhantomData};

use colony::{Command, Event, Game, Setup, Timer};
use engine::{Cause, CommId, Input, Outbox, Rulebook, Seats, TimerChange};

use crate::{
    play::{Play, Sent},
    table::{Failure, Outcome, Table, Target, Told, Words},
};

/// Rules that scripts of colony can be played by.
pub trait Colony: Rulebook<Setup = Setup, Command = Command, Event = Event, Timer = Timer> {}

impl<G: Rulebook<Setup = Setup, Command = Command, Event = Event, Timer = Timer>> Colony for G {}

/// Plays scripts in this process, by our rules or by others that take the same messages.
#[derive(Debug)]
pub struct InProcess<G = Game>(PhantomData<fn() -> G>);

impl InProcess<Game> {
    pub const fn ours() -> Self {
        Self(PhantomData)
    }
}

impl<G: Colony> InProcess<G> {
    pub const fn by() -> Self {
        Self(PhantomData)
    }
}

impl<G: Colony + 'static> Target for InProcess<G> {
    fn open<'a>(&'a self, play: &'a Play<'_>) -> Result<Box<dyn Table + 'a>, Failure> {
        let refused = |error: &String| Failure::new(Outcome::Fail, format!("the scenario is refused: {error}"));
        let setup = play.setup.as_ref().map_err(refused)?;
        let transcript = &play.script.transcript;
        Ok(Box::new(Local::<G>::start(setup, transcript.seed, transcript.clients.iter().map(|client| client.number))))
    }

    fn refuses(&self, play: &Play<'_>, code: Option<i32>, message: &str) -> Result<(), Failure> {
        // What our program ends with.
        const OURS: i32 = 1;
        let fail = |message: String| Err(Failure::new(Outcome::Fail, message));
        match &play.setup {
            Ok(_) => fail("the scenario is taken, and should be refused".into()),
            Err(_) if code.is_some_and(|code| code != OURS) => {
                fail(format!("the exit code is {OURS}, and should be {}", code.unwrap_or_default()))
            }
            Err(said) if !said.contains(message) => {
                fail(format!("the server should say {message:?}, and says:\n{said}"))
            }
            Err(_) => Ok(()),
        }
    }
}

/// A game with a queue of events for every client.
#[derive(Debug)]
struct Local<G> {
    game: G,
    outbox: Outbox<Event, Timer>,
    seats: Seats,
    queues: Vec<(CommId, VecDeque<Event>)>,
    /// When the awaited player's time is up, on the game's own clock; `None`: never.
    deadline: Option<u64>,
    elapsed: u64,
}

impl<G: Colony> Local<G> {
    fn start(setup: &Setup, seed: i64, clients: impl Iterator<Item = u32>) -> Self {
        let mut outbox = Outbox::new();
        let game = G::start(setup, seed, &mut outbox);
        let queues = clients.map(|client| (CommId(client), VecDeque::new())).collect();
        let mut local = Self { game, outbox, seats: Seats::default(), queues, deadline: None, elapsed: 0 };
        local.hear();
        local
    }

    fn fold(&mut self, cause: Cause<Command, Timer>) {
        self.outbox.clear();
        self.game.fold(&Input { elapsed: self.elapsed, cause }, &mut self.outbox);
        self.hear();
    }

    fn hear(&mut self) {
        let Self { outbox, seats, queues, deadline, elapsed, .. } = self;
        for emission in outbox.emissions() {
            seats.follow(emission, |client, event| {
                if let Some((_, queue)) = queues.iter_mut().find(|(other, _)| *other == client) {
                    queue.push_back(event.clone());
                }
            });
        }
        for change in outbox.timers() {
            *deadline = match change {
                TimerChange::Set { timer: Timer::Deadline, after } => Some(*elapsed + after),
                TimerChange::Cancelled { timer: Timer::Deadline } => None,
            };
        }
    }
}

impl<G: Colony> Table for Local<G> {
    fn send(&mut self, client: u32, sent: &Sent<'_>) -> Result<(), Failure> {
        let command = sent.command.as_ref().map_err(|error| Failure::new(Outcome::ProtocolError, error))?;
        self.fold(Cause::Command { client: CommId(client), command: command.clone() });
        Ok(())
    }

    fn wait_for_deadline(&mut self) -> Result<(), Failure> {
        if let Some(due) = self.deadline.take() {
            self.elapsed = due;
            self.fold(Cause::Timer { timer: Timer::Deadline });
        }
        Ok(())
    }

    fn next(&mut self, client: u32) -> Result<Option<Told>, Failure> {
        let queue = self.queues.iter_mut().find(|(other, _)| *other == CommId(client));
        let event = queue.and_then(|(_, queue)| queue.pop_front());
        Ok(event.map(|event| Told { event, words: Words::Ours }))
    }

    fn ended(&mut self) -> Result<(), Failure> {
        if self.game.outcome().is_some() { Ok(()) } else { Err(Failure::new(Outcome::Fail, "the game is not over")) }
    }
}
