//! The implementation of the kernel's traits.

use alloc::{collections::BTreeMap, format, sync::Arc, vec::Vec};

use engine::{CommId, Input, Outbox, Projection, Rulebook, SeatResult, Verdict, Waiting};

use crate::{
    board::Board,
    command::Command,
    event::Event,
    game::{Game, Timer},
    ground::Ground,
    lots::Lots,
    outcome::Outcome,
    player::Player,
    rules,
    setup::Setup,
    switches::Switches,
    view::View,
};

impl Rulebook for Game {
    const NAME: &'static str = "project";
    /// Version 2 begins when every player is connected, has a leader after the first one left, and names the team with players in a
    /// tie.
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
        let problems = setup.check();
        assert!(problems.is_empty(), "only a setup without problems is played: {problems:?}");
        if let Some(time) = setup.join_timeout.filter(|time| *time > 0) {
            outbox.set_timer(Timer::Join, time);
        }
        let mut lots = Lots::new(seed);
        Self {
            setup: Arc::new(setup.clone()),
            switches: Switches::of_version(version),
            board: Board::new(setup),
            ground: Ground::new(setup, &mut lots),
            players: Vec::new(),
            last_id: 0,
            lots,
            clock: 0,
            views: BTreeMap::new(),
        }
    }

    fn fold(&mut self, input: &Input<Command, Timer>, outbox: &mut Outbox<Event, Timer>) {
        rules::fold(self, input, outbox);
    }

    fn waiting_for(&self) -> Waiting {
        if self.board.outcome.is_some() { Waiting::GameOver } else { Waiting::Anyone }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.board.outcome.clone()
    }

    /// The players are in the order in which they joined, including those that have left. The points are the goals of the team.
    fn results(&self) -> Vec<SeatResult> {
        let Some(outcome) = self.board.outcome.as_ref().filter(|_| self.board.begun) else { return Vec::new() };
        let result = |player: &Player| {
            let team = player.team?;
            let verdict = match outcome {
                Outcome { tie: true, .. } => Verdict::Drawn,
                Outcome { winner, .. } if *winner == team => Verdict::Won,
                Outcome { .. } => Verdict::Lost,
            };
            Some(SeatResult {
                client: player.client,
                name: format!("player {}", player.id),
                side: Some(team.name().into()),
                verdict,
                points: outcome.goals[team as usize].into(),
            })
        };
        self.players.iter().filter_map(result).collect()
    }

    fn board(&self) -> Board {
        self.board.clone()
    }

    fn view(&self, client: CommId) -> View {
        let told = self.views.get(&client).cloned().unwrap_or_default();
        View { outcome: self.board.outcome.clone(), ..told }
    }

    fn is_refusal(event: &Event) -> bool {
        matches!(event, Event::Refused { .. })
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
