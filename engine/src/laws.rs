//! A test kit for the laws that every rulebook must obey.
//!
//! A [`Trial`] plays a game and checks all laws at every step:
//!
//! - Folding the same inputs twice gives the same state and the same emissions.
//! - A refused command changes nothing.
//! - The board and every client's view, folded from decoded events, equal those that the game computes.
//! - After the end, the game emits nothing.
//! - A client without a seat receives only refusals of its own commands.
//! - Results exist only after the end, only for clients that had a seat, and do not change.
//! - The log, decoded and replayed, gives the same game.
//!
//! [`Trial::check_offers`] checks the offers of a client at one moment: the rules take what is possible, and refuse what is
//! impossible with the promised refusal. [`explore`] plays whole games by offers and checks everything.

mod offers;

use alloc::{collections::BTreeMap, vec::Vec};

pub use offers::{Coverage, Timers, explore};

use crate::{
    Audience, Cause, Chain, CommId, Digest, Emission, Entry, Header, Input, Outbox, Projection, Replay, Rulebook,
    SeatResult, Seats, Waiting,
};

/// A game that checks all laws at every step. Its methods panic if a law is broken; the message names the law.
///
/// [`Rulebook`] has an example.
#[derive(Debug)]
pub struct Trial<R: Rulebook> {
    game: R,
    /// A second game that gets the same inputs, one step later.
    twin: R,
    header: Header<R::Setup>,
    chain: Chain,
    log: Vec<(Vec<u8>, Digest)>,
    outbox: Outbox<R::Event, R::Timer>,
    twin_outbox: Outbox<R::Event, R::Timer>,
    board: R::Board,
    views: BTreeMap<CommId, R::View>,
    seats: Seats,
    unseated: Vec<CommId>,
    /// The results after the last step.
    results: Vec<SeatResult>,
    /// The time of the last step on the game's clock.
    elapsed_ms: u64,
}

impl<R: Rulebook> Trial<R> {
    /// Starts a game for these clients. Not all of them have to take part.
    pub fn new(setup: &R::Setup, seed: i64, clients: impl IntoIterator<Item = CommId>) -> Self {
        let mut outbox = Outbox::new();
        let trial = Self::of_version(R::RULES_VERSION, setup, seed, clients);
        assert_eq!(R::start(setup, seed, &mut outbox), trial.game, "a new game has the newest version");
        trial
    }

    /// Starts a game with an older version of the rules.
    pub fn of_version(version: u32, setup: &R::Setup, seed: i64, clients: impl IntoIterator<Item = CommId>) -> Self {
        let header = Header { rules_version: version, ..Header::new::<R>("trial", 0, setup.clone(), seed) };
        let (mut outbox, mut twin_outbox) = (Outbox::new(), Outbox::new());
        let game = R::start_version(version, setup, seed, &mut outbox);
        let twin = R::start_version(version, setup, seed, &mut twin_outbox);
        assert_eq!(game, twin, "starting twice gives the same game");
        assert_eq!(outbox, twin_outbox, "starting twice sets the same timers");
        assert!(outbox.emissions().is_empty(), "a game emits nothing before its first input");
        Self {
            game,
            twin,
            chain: Chain::new(&header.encode()),
            header,
            log: Vec::new(),
            outbox,
            twin_outbox,
            board: R::Board::new(setup),
            views: clients.into_iter().map(|client| (client, R::View::new(setup))).collect(),
            seats: Seats::default(),
            unseated: Vec::new(),
            results: Vec::new(),
            elapsed_ms: 0,
        }
    }

    /// The game.
    pub fn game(&self) -> &R {
        &self.game
    }

    /// The output of the last step.
    pub fn outbox(&self) -> &Outbox<R::Event, R::Timer> {
        &self.outbox
    }

    /// The clients that have a seat.
    pub fn seats(&self) -> &Seats {
        &self.seats
    }

    /// The client's view, folded from the events that it received and those for the board.
    pub fn view(&self, client: CommId) -> &R::View {
        &self.views[&client]
    }

    /// Gives the game one input at this time of the game's clock, and checks all laws.
    pub fn step(&mut self, elapsed_ms: u64, cause: Cause<R::Command, R::Timer>) {
        let input = Input { elapsed_ms, cause };
        self.elapsed_ms = elapsed_ms;
        let over = self.game.outcome().is_some();

        self.outbox.clear();
        self.game.fold(&input, &mut self.outbox);
        let refused = self.outbox.events().any(|(_, event)| R::is_refusal(event));
        if refused || over {
            assert_eq!(
                self.game, self.twin,
                "a refused command, or an input after the end, changes nothing: {input:?}"
            );
        }
        self.twin_outbox.clear();
        self.twin.fold(&input, &mut self.twin_outbox);
        assert_eq!(self.game, self.twin, "folding twice gives the same state: {input:?}");
        assert_eq!(self.outbox, self.twin_outbox, "folding twice emits the same: {input:?}");

        if over {
            assert!(self.outbox.emissions().is_empty(), "a game emits nothing after its end: {:?}", self.outbox);
            assert_eq!(self.game.results(), self.results, "results do not change: {input:?}");
            return;
        }
        assert_eq!(
            self.game.outcome().is_some(),
            self.game.waiting_for() == Waiting::GameOver,
            "a game waits for a client until it is over: {input:?}"
        );
        self.record(&input);
        self.check_results();
    }

    /// Encodes and decodes the entry, and applies its events to the board and all views.
    fn record(&mut self, input: &Input<R::Command, R::Timer>) {
        let link = self.chain.append(0, input, self.outbox.emissions());
        self.log.push((link.bytes.to_vec(), link.digest));
        let entry: Entry<R::Command, R::Timer, R::Event> = Entry::decode(link.bytes).expect("an entry can be decoded");
        assert_eq!(&entry.input, input, "an input equals its decoded form");
        assert_eq!(entry.emissions, self.outbox.emissions(), "emissions equal their decoded form");

        for emission in &entry.emissions {
            match emission {
                Emission::Event { audience: Audience::All | Audience::Board, event } => {
                    self.board.apply(event);
                    self.views.values_mut().for_each(|view| view.apply(event));
                }
                Emission::Event { audience: Audience::Only(client), event } => {
                    self.views.get_mut(client).expect("only clients of the trial receive events").apply(event);
                }
                Emission::Seated { client } => self.unseated.retain(|left| left != client),
                Emission::Unseated { client } => self.unseated.push(*client),
            }
            let Self { seats, unseated, .. } = self;
            seats.follow(emission, |client, event| {
                let own = matches!(input.cause, Cause::Command { client: sender, .. } if sender == client);
                assert!(
                    !unseated.contains(&client) || own && R::is_refusal(event),
                    "client {client} has lost its seat and receives {event:?}"
                );
            });
        }
        assert_eq!(self.board, self.game.board(), "the board follows from the events: {input:?}");
        for (client, view) in &self.views {
            assert_eq!(
                *view,
                self.game.view(*client),
                "the view of client {client} follows from the events: {input:?}"
            );
        }
    }

    /// Checks that results exist only after the end, only for clients that had a seat and once per seat, and are the same for a
    /// whole side.
    fn check_results(&mut self) {
        self.results = self.game.results();
        assert!(self.results.is_empty() || self.game.outcome().is_some(), "there are no results before the end");
        for (at, result) in self.results.iter().enumerate() {
            let client = result.client;
            assert!(
                self.seats.seated().contains(&client) || self.unseated.contains(&client),
                "client {client} has a result but never had a seat"
            );
            for other in &self.results[..at] {
                assert!((client, &result.name) != (other.client, &other.name), "client {client} has a second result");
                assert!(
                    result.side.is_none() || result.side != other.side || result.verdict == other.verdict,
                    "all seats of a side win or lose together: {result:?}, {other:?}"
                );
            }
        }
    }

    /// Decodes and replays the whole log. Returns the number of entries.
    pub fn finish(self) -> usize {
        let bytes = self.header.encode();
        let header = Header::decode(&bytes).expect("a header can be decoded");
        let mut chain = Chain::new(&bytes);
        let mut replay = Replay::<R>::new(&header).expect("the log is of these rules");
        for (bytes, digest) in &self.log {
            chain.verify(bytes, digest).expect("the chain is unbroken");
            let entry = Entry::decode(bytes).expect("an entry can be decoded");
            if let Err(difference) = replay.step(&entry) {
                panic!("{difference}: {entry:?} against {:?}", replay.outbox());
            }
        }
        assert_eq!(replay.game(), &self.game, "a replay gives the same game");
        self.log.len()
    }
}
