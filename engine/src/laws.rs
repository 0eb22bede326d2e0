//! The promises that every rulebook keeps, as a kit for its tests.
//!
//! A [`Trial`] is a game that checks them all at every step, whatever is thrown at it:
//! folding twice is equal; a refused command changes nothing; the board and every client's view, folded from events that
//! went through their bytes, equal the game's own; nobody is told anything after the end, nor after losing its seat, but
//! refusals of what it sends itself; there are results after the end only, for clients that had a seat, and they stay; and
//! the log, read back and folded again, gives the same game.

use alloc::{collections::BTreeMap, vec::Vec};

use crate::{
    Audience, Cause, Chain, CommId, Digest, Emission, Entry, Header, Input, Outbox, Projection, Replay, Rulebook,
    SeatResult, Seats, Waiting,
};

/// A game under watch. Every method panics when a law is broken, and says which.
#[derive(Debug)]
pub struct Trial<R: Rulebook> {
    game: R,
    /// Is given the same inputs as the game, one step behind.
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
    /// How the game ended for each seat, once it has.
    results: Vec<SeatResult>,
}

impl<R: Rulebook> Trial<R> {
    /// Starts a game for these clients; they need not all take part.
    pub fn new(setup: &R::Setup, seed: i64, clients: impl IntoIterator<Item = CommId>) -> Self {
        let mut outbox = Outbox::new();
        let trial = Self::of_version(R::RULES_VERSION, setup, seed, clients);
        assert_eq!(R::start(setup, seed, &mut outbox), trial.game, "a new game is one of the newest version");
        trial
    }

    /// The same by an older version of the rules.
    pub fn of_version(version: u32, setup: &R::Setup, seed: i64, clients: impl IntoIterator<Item = CommId>) -> Self {
        let header = Header { rules_version: version, ..Header::new::<R>("trial", 0, setup.clone(), seed) };
        let (mut outbox, mut twin_outbox) = (Outbox::new(), Outbox::new());
        let game = R::start_version(version, setup, seed, &mut outbox);
        let twin = R::start_version(version, setup, seed, &mut twin_outbox);
        assert_eq!(game, twin, "starting twice is equal");
        assert_eq!(outbox, twin_outbox, "starting twice sets the same timers");
        assert!(outbox.emissions().is_empty(), "a game says nothing before its first input");
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
        }
    }

    pub fn game(&self) -> &R {
        &self.game
    }

    pub fn outbox(&self) -> &Outbox<R::Event, R::Timer> {
        &self.outbox
    }

    /// The clients that are in the game now.
    pub fn seats(&self) -> &Seats {
        &self.seats
    }

    /// What the client knows, folded from what it and the board were told.
    pub fn view(&self, client: CommId) -> &R::View {
        &self.views[&client]
    }

    /// Feeds the game one input and checks every law that can be seen now.
    pub fn step(&mut self, elapsed: u64, cause: Cause<R::Command, R::Timer>) {
        let input = Input { elapsed, cause };
        let over = self.game.outcome().is_some();

        self.outbox.clear();
        self.game.fold(&input, &mut self.outbox);
        let refused = self.outbox.events().any(|(_, event)| R::is_refusal(event));
        if refused || over {
            assert_eq!(self.game, self.twin, "what is refused, or comes after the end, changes nothing: {input:?}");
        }
        self.twin_outbox.clear();
        self.twin.fold(&input, &mut self.twin_outbox);
        assert_eq!(self.game, self.twin, "folding twice is equal: {input:?}");
        assert_eq!(self.outbox, self.twin_outbox, "folding twice says the same: {input:?}");

        if over {
            assert!(self.outbox.emissions().is_empty(), "nothing is said after the end: {:?}", self.outbox);
            assert_eq!(self.game.results(), self.results, "results stay as they are: {input:?}");
            return;
        }
        assert_eq!(
            self.game.outcome().is_some(),
            self.game.waiting_for() == Waiting::Nobody,
            "a game waits for somebody until it is over: {input:?}"
        );
        self.record(&input);
        self.check_results();
    }

    /// Writes the entry, reads it back, and lets everybody hear of it.
    fn record(&mut self, input: &Input<R::Command, R::Timer>) {
        let link = self.chain.append(0, input, self.outbox.emissions());
        self.log.push((link.bytes.to_vec(), link.digest));
        let entry: Entry<R::Command, R::Timer, R::Event> =
            Entry::decode(link.bytes).expect("an entry can be read back");
        assert_eq!(&entry.input, input, "an input survives its bytes");
        assert_eq!(entry.emissions, self.outbox.emissions(), "emissions survive their bytes");

        for emission in &entry.emissions {
            match emission {
                Emission::Event { audience: Audience::All | Audience::Board, event } => {
                    self.board.apply(event);
                    self.views.values_mut().for_each(|view| view.apply(event));
                }
                Emission::Event { audience: Audience::Only(client), event } => {
                    self.views.get_mut(client).expect("only clients are told something").apply(event);
                }
                Emission::Seated { client } => self.unseated.retain(|left| left != client),
                Emission::Unseated { client } => self.unseated.push(*client),
            }
            let Self { seats, unseated, .. } = self;
            seats.follow(emission, |client, event| {
                let own = matches!(input.cause, Cause::Command { client: sender, .. } if sender == client);
                assert!(
                    !unseated.contains(&client) || own && R::is_refusal(event),
                    "client {client} has lost its seat and hears {event:?}"
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

    /// Nobody wins or loses before the end, and then only clients that had a seat, each seat once, and a side as one.
    fn check_results(&mut self) {
        self.results = self.game.results();
        assert!(self.results.is_empty() || self.game.outcome().is_some(), "there are no results before the end");
        for (at, result) in self.results.iter().enumerate() {
            let client = result.client;
            assert!(
                self.seats.seated().contains(&client) || self.unseated.contains(&client),
                "client {client} has a result and never had a seat"
            );
            for other in &self.results[..at] {
                assert!((client, &result.name) != (other.client, &other.name), "client {client} has a second result");
                assert!(
                    result.side.is_none() || result.side != other.side || result.verdict == other.verdict,
                    "a side wins or loses as one: {result:?}, {other:?}"
                );
            }
        }
    }

    /// Reads the whole log back from its bytes and folds it again. Gives the number of entries.
    pub fn finish(self) -> usize {
        let bytes = self.header.encode();
        let header = Header::decode(&bytes).expect("a header can be read back");
        let mut chain = Chain::new(&bytes);
        let mut replay = Replay::<R>::new(&header).expect("the log is of these rules");
        for (bytes, digest) in &self.log {
            chain.verify(bytes, digest).expect("the chain holds");
            let entry = Entry::decode(bytes).expect("an entry can be read back");
            if let Err(difference) = replay.step(&entry) {
                panic!("{difference}: {entry:?} against {:?}", replay.outbox());
            }
        }
        assert_eq!(replay.game(), &self.game, "a replay gives the same game");
        self.log.len()
    }
}
