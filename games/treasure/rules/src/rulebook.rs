//! The implementation of the engine's rulebook traits: game, board and view.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};

use engine::{CommId, Input, JavaRandom, OffersOf, Outbox, Projection, Rulebook, SeatResult, Verdict, Waiting};

use crate::{
    board::Board,
    command::Command,
    event::Event,
    game::{Game, Timer},
    offers,
    outcome::Outcome,
    player::Player,
    rules,
    setup::Setup,
    view::{View, ViewRef},
};

impl Rulebook for Game {
    const NAME: &'static str = "treasure";
    /// Version 2 has no limit for water on the short edges of a half of 2017. Version 3 has profiles.
    const RULES_VERSION: u32 = 3;
    const VERSIONS: &'static [u32] = &[1, 2, 3];

    type Setup = Setup;
    type Command = Command;
    type Event = Event;
    type Timer = Timer;
    type Outcome = Outcome;
    type Board = Board;
    type View = View;

    fn edition(setup: &Setup) -> &'static str {
        setup.year.name()
    }

    fn start(setup: &Setup, seed: i64, outbox: &mut Outbox<Event, Timer>) -> Self {
        Self::start_version(Self::RULES_VERSION, setup, seed, outbox)
    }

    fn start_version(version: u32, setup: &Setup, seed: i64, outbox: &mut Outbox<Event, Timer>) -> Self {
        if let Some(game_ms) = setup.profile().game_ms {
            outbox.set_timer(Timer::Game, game_ms);
        }
        if let Some(lobby_ms) = setup.lobby_ms() {
            outbox.set_timer(Timer::Lobby, lobby_ms);
        }
        Self {
            board: Board::new(setup),
            halves: setup.profile().halves_in_version(version).into(),
            clients: [None; 2],
            private: [None, None],
            treasures: [None; 2],
            placements: [None; 2],
            kept: None,
            noted: [0; 2],
            random: JavaRandom::new(seed),
            seed,
        }
    }

    fn fold(&mut self, input: &Input<Command, Timer>, outbox: &mut Outbox<Event, Timer>) {
        rules::fold(self, input, outbox);
    }

    fn waiting_for(&self) -> Waiting {
        match self.turn() {
            _ if self.board.outcome().is_some() => Waiting::GameOver,
            Some(client) => Waiting::One(client),
            None => Waiting::Anyone,
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.board.outcome()
    }

    /// The results, the first player first. Points: 2 for a win, 0 for a loss. A draw is impossible, but both players can lose.
    /// A game that was removed, or that never had two players, has no results.
    fn results(&self) -> Vec<SeatResult> {
        let outcome = match self.outcome().filter(|_| self.board.has_begun()) {
            Some(outcome @ (Outcome::Won { .. } | Outcome::NobodyWon { .. })) => outcome,
            Some(Outcome::Removed { .. }) | None => return Vec::new(),
        };
        let result = |player: Player| {
            let (verdict, points) = if outcome.has_lost(player) { (Verdict::Lost, 0) } else { (Verdict::Won, 2) };
            Some(SeatResult {
                client: self.clients[player as usize]?,
                name: self.board.entrant(player)?.name(),
                side: None,
                verdict,
                points,
            })
        };
        Player::BOTH.into_iter().filter_map(result).collect()
    }

    fn board(&self) -> Board {
        self.board.clone()
    }

    fn view(&self, client: CommId) -> View {
        let ViewRef { board, private } = self.view_ref(client);
        View { board: board.clone(), private: private.cloned() }
    }

    fn is_refusal(event: &Event) -> bool {
        matches!(event, Event::Refused { .. })
    }

    fn tell_refusal(_: &View, refusal: &Event) -> String {
        refusal.problem().map_or_else(String::new, ToString::to_string)
    }

    fn candidates(view: &View) -> OffersOf<Self> {
        offers::candidates(view)
    }

    fn fill_free(view: &View, command: &Command, random: &mut JavaRandom) -> Command {
        offers::fill_free(view, command, random)
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
