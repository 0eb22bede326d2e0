//! The implementation of the engine's rulebook trait.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};

use engine::{
    CommId, Imagined, Input, JavaRandom, OffersOf, Outbox, Projection, Rulebook, SeatResult, Shown, Verdict, Waiting,
};

use crate::{
    board::{Board, View},
    command::Command,
    event::Event,
    game::ShortGame,
    offers,
    outcome::{Ending, How},
    rules::{self, COME_WITHIN_MS, Short, Timer},
    seat::{Seat, Turn},
    setup::Setup,
};

impl<G: ShortGame> Rulebook for Short<G> {
    const NAME: &'static str = G::NAME;
    const RULES_VERSION: u32 = match G::VERSIONS.last() {
        Some(newest) => *newest,
        None => panic!("a game has a version"),
    };
    const VERSIONS: &'static [u32] = G::VERSIONS;

    type Setup = Setup<G>;
    type Command = Command<G::Move>;
    type Event = Event<G::Move, G>;
    type Timer = Timer;
    type Outcome = Ending;
    type Board = Board<G>;
    type View = View<G>;

    fn edition(_: &Setup<G>) -> &'static str {
        "standard"
    }

    fn start(setup: &Setup<G>, seed: i64, outbox: &mut Outbox<Self::Event, Timer>) -> Self {
        Self::start_version(Self::RULES_VERSION, setup, seed, outbox)
    }

    fn start_version(version: u32, setup: &Setup<G>, seed: i64, outbox: &mut Outbox<Self::Event, Timer>) -> Self {
        outbox.set_timer(Timer::Come, COME_WITHIN_MS);
        Self {
            board: Board::new(setup),
            secret: None,
            clients: (0..setup.seats()).map(|_| None).collect(),
            random: JavaRandom::new(seed),
            version,
            since: Vec::new(),
        }
    }

    fn fold(&mut self, input: &Input<Self::Command, Timer>, outbox: &mut Outbox<Self::Event, Timer>) {
        rules::fold(self, input, outbox);
    }

    fn waiting_for(&self) -> Waiting {
        if self.board.ending.is_some() {
            return Waiting::GameOver;
        }
        let client = |seat: Seat| self.clients.get(seat.0).copied().flatten();
        match self.turn() {
            Turn::Of(seat) => client(seat).map_or(Waiting::Anyone, Waiting::One),
            Turn::Any(_) => Waiting::Anyone,
        }
    }

    fn outcome(&self) -> Option<Ending> {
        self.board.ending.clone()
    }

    /// Points are those of the game. If it counts none: 2 for a win, 1 for a draw, 0 for a loss.
    fn results(&self) -> Vec<SeatResult> {
        let Some(Ending { outcome, how, .. }) = &self.board.ending else { return Vec::new() };
        if matches!(how, How::NeverBegan | How::Unplayable { .. }) {
            return Vec::new();
        }
        let result = |(at, client): (usize, &Option<CommId>)| {
            let seat = Seat(at);
            let (verdict, usual) = match () {
                () if outcome.winners.contains(&seat) => (Verdict::Won, 2),
                () if outcome.is_drawn => (Verdict::Drawn, 1),
                () => (Verdict::Lost, 0),
            };
            let points = outcome.points.get(at).copied().unwrap_or(usual);
            Some(SeatResult {
                client: (*client)?,
                name: self.board.name(seat)?.to_string(),
                side: None,
                verdict,
                points,
            })
        };
        self.clients.iter().enumerate().filter_map(result).collect()
    }

    fn board(&self) -> Board<G> {
        self.board.clone()
    }

    fn view(&self, client: CommId) -> View<G> {
        let seat = self.seat_of(client);
        let own = self
            .secret
            .as_ref()
            .filter(|_| seat.is_some())
            .and_then(|game| if self.board.is_revealed() { Some(game.revealed()) } else { game.view(seat) });
        View { board: self.board.clone(), seat, own }
    }

    fn is_refusal(event: &Self::Event) -> bool {
        matches!(event, Event::Refused { .. })
    }

    fn tell_refusal(view: &View<G>, refusal: &Self::Event) -> String {
        Self::tell_event(&view.board, refusal)
    }

    fn imagine(view: &View<G>, random: &mut JavaRandom) -> Option<Imagined<Self>> {
        offers::imagine(view, random)
    }

    fn candidates(view: &View<G>) -> OffersOf<Self> {
        offers::candidates(view)
    }

    fn sample(view: &View<G>, random: &mut JavaRandom) -> Option<Self::Command> {
        offers::sample(view, random)
    }
}

impl<G: ShortGame> Projection<Short<G>> for Board<G> {
    fn new(setup: &Setup<G>) -> Self {
        Self::new(setup)
    }

    fn apply(&mut self, event: &Event<G::Move, G>) {
        self.apply(event);
    }
}

impl<G: ShortGame> Projection<Short<G>> for View<G> {
    fn new(setup: &Setup<G>) -> Self {
        Self::new(setup)
    }

    fn apply(&mut self, event: &Event<G::Move, G>) {
        self.apply(event);
    }
}
