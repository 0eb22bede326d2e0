//! The implementation of the engine's rulebook traits: game, board and view.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};

use engine::{
    CommId, Imagined, Input, JavaRandom, OffersOf, Outbox, Projection, Rulebook, SeatResult, Verdict, Waiting,
};

use crate::{
    board::Board,
    command::Command,
    event::Event,
    game::{Game, Timer},
    offers,
    outcome::Outcome,
    piece::Side,
    rules,
    setup::Setup,
    view::View,
};

/// How long a game waits for its players, in milliseconds.
const COME_WITHIN: u64 = 60 * 60 * 1000;

impl Rulebook for Game {
    const NAME: &'static str = "crazyhouse";
    /// Version 2 has `Abort`, takebacks and `Claim`.
    const RULES_VERSION: u32 = 2;
    const VERSIONS: &'static [u32] = &[1, 2];

    type Setup = Setup;
    type Command = Command;
    type Event = Event;
    type Timer = Timer;
    type Outcome = Outcome;
    type Board = Board;
    type View = View;

    fn edition(_: &Setup) -> &'static str {
        "standard"
    }

    fn start(setup: &Setup, seed: i64, outbox: &mut Outbox<Event, Timer>) -> Self {
        Self::start_version(Self::RULES_VERSION, setup, seed, outbox)
    }

    fn start_version(version: u32, setup: &Setup, seed: i64, outbox: &mut Outbox<Event, Timer>) -> Self {
        outbox.set_timer(Timer::Come, COME_WITHIN);
        Self { version, board: Board::new(setup), clients: [None, None], random: JavaRandom::new(seed), since: 0 }
    }

    fn fold(&mut self, input: &Input<Command, Timer>, outbox: &mut Outbox<Event, Timer>) {
        rules::fold(self, input, outbox);
    }

    fn waiting_for(&self) -> Waiting {
        let turn = self.board.contest.position().turn();
        match self.clients[turn as usize] {
            _ if self.board.outcome().is_some() => Waiting::GameOver,
            Some(client) if self.board.begun => Waiting::One(client),
            Some(_) | None => Waiting::Anyone,
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.board.outcome()
    }

    /// The results, White first. Points are half points: 2 for a win, 1 for a draw, 0 for a loss.
    fn results(&self) -> Vec<SeatResult> {
        let Some(outcome) = self.outcome().filter(|outcome| self.board.begun && outcome.reason.counts()) else {
            return Vec::new();
        };
        let result = |side: Side| {
            let (verdict, points) = match outcome.winner {
                Some(winner) if winner == side => (Verdict::Won, 2),
                Some(_) => (Verdict::Lost, 0),
                None => (Verdict::Drawn, 1),
            };
            Some(SeatResult {
                client: self.clients[side as usize]?,
                name: self.board.player(side)?.to_string(),
                side: Some(side.name().into()),
                verdict,
                points,
            })
        };
        Side::BOTH.into_iter().filter_map(result).collect()
    }

    fn board(&self) -> Board {
        self.board.clone()
    }

    fn view(&self, client: CommId) -> View {
        View { board: self.board.clone(), side: self.side_of(client) }
    }

    fn is_refusal(event: &Event) -> bool {
        matches!(event, Event::Refused { .. })
    }

    fn tell_refusal(_: &View, refusal: &Event) -> String {
        if let Event::Refused { refusal } = refusal { refusal.to_string() } else { String::new() }
    }

    fn imagine(view: &View, random: &mut JavaRandom) -> Option<Imagined<Self>> {
        Some(offers::imagine(view, random))
    }

    fn candidates(view: &View) -> OffersOf<Self> {
        offers::candidates(view)
    }

    /// Moves, and answers to the opponent, once the game has begun.
    fn sample(view: &View, random: &mut JavaRandom) -> Option<Command> {
        if view.side.is_none() {
            return engine::sample_candidates::<Self>(view, random);
        }
        let answers = offers::answers(view);
        if !answers.is_empty() && random.next_boolean() {
            return Some(answers[usize::from(random.next_boolean())].clone());
        }
        let moves = offers::moves(view);
        let count = i32::try_from(moves.len()).ok().filter(|count| *count > 0)?;
        Some(Command::Move { text: moves[random.next_below(count) as usize].to_string().into() })
    }
}

impl Projection<Game> for Board {
    fn new(setup: &Setup) -> Self {
        Self::new(setup)
    }

    fn apply(&mut self, event: &Event) {
        self.apply(event);
    }
}

impl Projection<Game> for View {
    fn new(setup: &Setup) -> Self {
        Self::new(setup)
    }

    fn apply(&mut self, event: &Event) {
        self.apply(event);
    }
}
