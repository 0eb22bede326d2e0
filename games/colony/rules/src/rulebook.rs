//! Implements the kernel's traits: the rulebook, its board and its view.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};

use engine::{
    CommId, Imagined, Input, JavaRandom, OffersOf, Outbox, Projection, Rulebook, SeatResult, Verdict, Waiting,
};

use crate::{
    board::{Board, Outcome, Player},
    command::Command,
    event::Event,
    game::{Game, Stage, Timer},
    ids::{CharacterIx, PlayerId},
    offers,
    opening::Piles,
    rules,
    setup::Setup,
    view::{Asked, View},
};

impl Rulebook for Game {
    const NAME: &'static str = "colony";
    const RULES_VERSION: u32 = 1;

    type Setup = Setup;
    type Command = Command;
    type Event = Event;
    type Timer = Timer;
    type Outcome = Outcome;
    type Board = Board;
    type View = View;

    fn edition(setup: &Setup) -> &'static str {
        setup.edition.name()
    }

    fn start(setup: &Setup, seed: i64, outbox: &mut Outbox<Event, Timer>) -> Self {
        let mut random = JavaRandom::new(seed);
        let Piles { stacks, crises, fates } = Piles::shuffled(setup, &mut random);
        if let Some(timeout) = setup.timeout_ms {
            outbox.set_timer(Timer::Deadline, timeout);
        }
        Self {
            board: Board::new(setup),
            random,
            stage: Stage::Registration,
            clients: Vec::new(),
            stacks,
            crises,
            fates,
            unused: (0..setup.scenario.characters.len()).map(CharacterIx::from).collect(),
            setup: setup.clone(),
        }
    }

    fn fold(&mut self, input: &Input<Command, Timer>, outbox: &mut Outbox<Event, Timer>) {
        rules::fold(self, input, outbox);
    }

    fn waiting_for(&self) -> Waiting {
        match self.asked() {
            _ if self.board.outcome().is_some() => Waiting::GameOver,
            Some((player, _)) => Waiting::One(self.clients[player.at()]),
            None => Waiting::Anyone,
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.board.outcome()
    }

    /// All players win or lose together, even players who left. A win is worth 1 point, a loss 0. A game that ends before the
    /// first round has no results.
    fn results(&self) -> Vec<SeatResult> {
        let (verdict, points) = match self.outcome() {
            Some(Outcome::Won) => (Verdict::Won, 1),
            Some(Outcome::LostMorale | Outcome::LostGoal) => (Verdict::Lost, 0),
            Some(Outcome::Abandoned) if self.board.round > 0 => (Verdict::Lost, 0),
            Some(Outcome::Abandoned | Outcome::Aborted) | None => return Vec::new(),
        };
        let seats = self.clients.iter().zip(&self.board.players);
        let result = |(client, player): (&CommId, &Player)| SeatResult {
            client: *client,
            name: player.name.to_string(),
            side: None,
            verdict,
            points,
        };
        seats.map(result).collect()
    }

    fn board(&self) -> Board {
        self.board.clone()
    }

    fn view(&self, client: CommId) -> View {
        let player = self.player_of(client);
        let asked = match self.asked() {
            Some((asked, what)) if Some(asked) == player => what,
            Some(_) | None => Asked::Nothing,
        };
        View { board: self.board.clone(), player, asked }
    }

    fn is_refusal(event: &Event) -> bool {
        matches!(event, Event::CommandFailed { .. })
    }

    fn tell_refusal(view: &View, refusal: &Event) -> String {
        if let Event::CommandFailed { refusal } = refusal { view.board.tell_refusal(refusal) } else { String::new() }
    }

    fn imagine(view: &View, random: &mut JavaRandom) -> Option<Imagined<Self>> {
        // A client that is not a player has a number that no player has.
        let player = view.player.unwrap_or(PlayerId(u16::try_from(view.board.players.len()).ok()?));
        let game = Self::determinize(view, random);
        let is_asked = game.asked().is_some_and(|(asked, _)| asked == player);
        let is_possible = view.asked == Asked::Nothing || is_asked;
        is_possible.then(|| Imagined { game, client: Self::determinized_client(player) })
    }

    fn candidates(view: &View) -> OffersOf<Self> {
        offers::candidates(view)
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
