//! Games with a protocol of their own. Their scripts are written in the requests and answers of that protocol, not in the commands
//! and events of the rules.
//!
//! [`Spoken`] is such a game as its clients see it. It is a rulebook like any other, so that everything that plays scripts in this
//! process plays it, too.

use std::fmt::Debug;

use engine::{
    Cause, CommId, Emission, Entry, EntryOf, Header, Input, JavaRandom, Message, OffersOf, Outbox, Projection, Replay,
    Rulebook, Seats, TimerChange, Waiting,
};

use crate::stored::{RecordingError, Stored};

/// The protocol between the rules of a game and its clients. Implement it for a type without fields.
pub trait Protocol: Copy + Debug + Eq + Send + Sync + 'static {
    /// The rules of the game.
    type Rules: Rulebook<Command: Send + Sync + 'static, Event: Send + Sync + 'static> + Send;
    /// What clients send.
    type Request: Message;
    /// What clients receive.
    type Answer: Message;

    /// Answers a request: submits a command to the game, and tells the client what the server would answer.
    fn request(table: &mut Table<'_, Self>, client: CommId, request: &Self::Request);

    /// The requests of a recorded script for a command in a log, after which the game is `game`: the request that made it, and
    /// those that show what has changed.
    fn requests(
        game: &Self::Rules,
        client: CommId,
        command: &<Self::Rules as Rulebook>::Command,
    ) -> Vec<(CommId, Self::Request)>;

    /// What a client is told of an event without having asked; `None` if the protocol has no message for it.
    fn told(game: &Self::Rules, client: CommId, event: &<Self::Rules as Rulebook>::Event) -> Option<Self::Answer> {
        let _only_answers = (game, client, event);
        None
    }
}

type CauseOf<R> = Cause<<R as Rulebook>::Command, <R as Rulebook>::Timer>;
type EmissionOf<R> = Emission<<R as Rulebook>::Event>;

/// A game as the clients of its own protocol see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spoken<P: Protocol> {
    game: P::Rules,
    seats: Seats,
}

/// A game while it handles one request or timer.
#[derive(Debug)]
pub struct Table<'f, P: Protocol> {
    spoken: &'f mut Spoken<P>,
    elapsed_ms: u64,
    outbox: &'f mut Outbox<P::Answer, <P::Rules as Rulebook>::Timer>,
}

impl<P: Protocol> Table<'_, P> {
    /// The game.
    pub fn game(&self) -> &P::Rules {
        &self.spoken.game
    }

    /// Sends a message to a client.
    pub fn tell(&mut self, client: CommId, answer: P::Answer) {
        self.outbox.only(client, answer);
    }

    /// Folds a command of a client, and returns everything that the rules said.
    pub fn submit(&mut self, client: CommId, command: <P::Rules as Rulebook>::Command) -> Vec<EmissionOf<P::Rules>> {
        self.fold(Cause::Command { client, command })
    }

    fn fold(&mut self, cause: CauseOf<P::Rules>) -> Vec<EmissionOf<P::Rules>> {
        let Spoken { game, seats } = &mut *self.spoken;
        let mut said = Outbox::new();
        game.fold(&Input { elapsed_ms: self.elapsed_ms, cause }, &mut said);
        for emission in said.emissions() {
            seats.follow(emission, |client, event| {
                if let Some(answer) = P::told(game, client, event) {
                    self.outbox.only(client, answer);
                }
            });
        }
        pass_timers(&said, self.outbox);
        said.take_emissions()
    }
}

fn pass_timers<E, A, T: Clone>(said: &Outbox<E, T>, outbox: &mut Outbox<A, T>) {
    for change in said.timers() {
        match change {
            TimerChange::Set { timer, after_ms } => outbox.set_timer(timer.clone(), *after_ms),
            TimerChange::Cancelled { timer } => outbox.cancel_timer(timer.clone()),
        }
    }
}

impl<P: Protocol> Rulebook for Spoken<P> {
    const NAME: &'static str = P::Rules::NAME;
    const RULES_VERSION: u32 = P::Rules::RULES_VERSION;

    type Setup = <P::Rules as Rulebook>::Setup;
    type Command = P::Request;
    type Event = P::Answer;
    type Timer = <P::Rules as Rulebook>::Timer;
    type Outcome = <P::Rules as Rulebook>::Outcome;
    type Board = Unseen;
    type View = Unseen;

    fn edition(setup: &Self::Setup) -> &'static str {
        P::Rules::edition(setup)
    }

    fn start(setup: &Self::Setup, seed: i64, outbox: &mut Outbox<P::Answer, Self::Timer>) -> Self {
        let mut said = Outbox::new();
        let game = P::Rules::start(setup, seed, &mut said);
        pass_timers(&said, outbox);
        Self { game, seats: Seats::default() }
    }

    /// Unlike other games, a server answers requests after the end, too.
    fn fold(&mut self, input: &Input<P::Request, Self::Timer>, outbox: &mut Outbox<P::Answer, Self::Timer>) {
        let mut table = Table { spoken: self, elapsed_ms: input.elapsed_ms, outbox };
        match &input.cause {
            Cause::Command { client, command } => P::request(&mut table, *client, command),
            Cause::Timer { timer } => drop(table.fold(Cause::Timer { timer: timer.clone() })),
        }
    }

    fn waiting_for(&self) -> Waiting {
        self.game.waiting_for()
    }

    fn outcome(&self) -> Option<Self::Outcome> {
        self.game.outcome()
    }

    fn board(&self) -> Unseen {
        Unseen
    }

    fn view(&self, _: CommId) -> Unseen {
        Unseen
    }

    fn is_refusal(_: &P::Answer) -> bool {
        false
    }

    fn sample(_: &Unseen, _: &mut JavaRandom) -> Option<P::Request> {
        None
    }

    fn offers(_: &Unseen) -> OffersOf<Self> {
        engine::Offers::none("")
    }
}

/// The board and the view of a [`Spoken`] game: only its own server folds them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unseen;

impl<P: Protocol> Projection<Spoken<P>> for Unseen {
    fn new(_: &<Spoken<P> as Rulebook>::Setup) -> Self {
        Self
    }

    fn apply(&mut self, _: &P::Answer) {}
}

/// Replays a log of the rules behind a protocol, as a game in the requests of that protocol.
///
/// # Errors
///
/// If the log cannot be read, or its replay differs.
pub fn stored_game<'l, P: Protocol>(
    header: &[u8],
    entries: impl IntoIterator<Item = &'l [u8]>,
) -> Result<StoredBehind<P>, RecordingError> {
    let header: Header<<P::Rules as Rulebook>::Setup> = Header::decode(header)?;
    let mut replay = Replay::<P::Rules>::new(&header)?;
    let mut causes = Vec::new();
    for bytes in entries {
        let entry: EntryOf<P::Rules> = Entry::decode(bytes)?;
        replay.step(&entry)?;
        match entry.input.cause {
            Cause::Command { client, command } => {
                let requests = P::requests(replay.game(), client, &command).into_iter();
                causes.extend(requests.map(|(client, command)| Cause::Command { client, command }));
            }
            Cause::Timer { timer } => causes.push(Cause::Timer { timer }),
        }
    }
    Ok(Stored { name: header.game, setup: header.setup, seed: header.seed, causes })
}

/// A game behind a protocol, in its requests.
type StoredBehind<P> = Stored<
    <<P as Protocol>::Rules as Rulebook>::Setup,
    <P as Protocol>::Request,
    <<P as Protocol>::Rules as Rulebook>::Timer,
>;
