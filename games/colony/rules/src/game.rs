//! A game of colony: the board, and what nobody may see.

use alloc::{string::ToString, vec::Vec};

use engine::{CommId, Input, JavaRandom, Outbox, Projection, Rulebook, SeatResult, Verdict, Waiting};
use serde::{Deserialize, Serialize};

use crate::{
    board::{Board, Outcome, Player},
    command::Command,
    event::Event,
    ids::{CardIx, CharacterIx, ConsequenceIx, CrisisIx, FateIx, LocationIx, PlayerId},
    opening::Piles,
    rules,
    setup::Setup,
    view::{Asked, View},
};

/// The state of a game and its rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    pub(crate) setup: Setup,
    pub(crate) board: Board,
    pub(crate) random: JavaRandom,
    pub(crate) stage: Stage,
    /// The client of each player.
    pub(crate) clients: Vec<CommId>,
    /// The shuffled stacks, one location after the other. The board says how many cards are left of each.
    pub(crate) stacks: Vec<CardIx>,
    pub(crate) crises: Vec<CrisisIx>,
    /// Fate cards that nobody has drawn; the next one is the last here.
    pub(crate) fates: Vec<FateIx>,
    /// Characters that are not in the game, the next one first.
    pub(crate) unused: Vec<CharacterIx>,
}

/// What the game is waiting for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    Registration,
    Preparation { player: PlayerId, offered: [CharacterIx; 4] },
    Playing(Turn),
}

/// Where a round is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Turn {
    /// Whose turn it is; `None`: all have had theirs.
    pub(crate) player: Option<PlayerId>,
    /// Its start (fate card, frostbite) is over. A turn can be lost before it begins.
    pub(crate) begun: bool,
    /// The fate card of the turn that began last, until it fires or is gone.
    pub(crate) omen: Option<Omen>,
    pub(crate) vote: Option<Vote>,
}

/// A fate card that waits for its trigger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Omen {
    pub(crate) fate: FateIx,
    /// For whom it was drawn.
    pub(crate) player: PlayerId,
    /// The size of the waste pile when the turn began.
    pub(crate) waste: u32,
}

/// A vote that is being held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Vote {
    pub(crate) asked: PlayerId,
    pub(crate) ayes: u32,
    pub(crate) noes: u32,
    pub(crate) first: ConsequenceIx,
    pub(crate) second: ConsequenceIx,
    /// Whose fate card it is.
    pub(crate) player: PlayerId,
}

/// The one timer of the game: the awaited command is late.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Timer {
    Deadline,
}

impl Game {
    /// Where the round is; only while the game is played.
    pub(crate) fn turn(&mut self) -> &mut Turn {
        match &mut self.stage {
            Stage::Playing(turn) => turn,
            Stage::Registration | Stage::Preparation { .. } => panic!("there are no turns before the first round"),
        }
    }

    /// The player that a client has registered as.
    pub(crate) fn player_of(&self, client: CommId) -> Option<PlayerId> {
        (0..).map(PlayerId).zip(&self.clients).find(|&(_, &own)| own == client).map(|(player, _)| player)
    }

    /// What every player may know, without a copy.
    pub fn public(&self) -> &Board {
        &self.board
    }

    /// Who is awaited, and for what.
    pub fn asked(&self) -> Option<(PlayerId, Asked)> {
        if self.board.outcome().is_some() {
            return None;
        }
        match self.stage {
            Stage::Registration => None,
            Stage::Preparation { player, offered } => {
                Some((player, Asked::Characters(offered.map(|ix| self.setup.scenario.character(ix).id))))
            }
            Stage::Playing(Turn { vote: Some(vote), .. }) => Some((vote.asked, Asked::Vote)),
            Stage::Playing(Turn { player, .. }) => player.map(|player| (player, Asked::Act)),
        }
    }
}

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
        if let Some(timeout) = setup.timeout {
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
            _ if self.board.outcome().is_some() => Waiting::Nobody,
            Some((player, _)) => Waiting::One(self.clients[player.at()]),
            None => Waiting::Anybody,
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.board.outcome()
    }

    /// All win or lose together, also those who left or are out. Points: 1 for a game that is won, 0 for one that is lost. A game
    /// without a first round has no results.
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
}

/// What comes next from stacks that nobody may look into.
impl Game {
    /// The top card of a location's stack.
    pub(crate) fn top_card(&self, location: LocationIx) -> Option<CardIx> {
        let left = self.board.stack(location);
        (left > 0).then(|| {
            self.stacks[mutant!(
                "cards-from-the-back",
                self.setup.first_card[location.at() + 1] - left,
                self.setup.first_card[location.at()] + left - 1
            )]
        })
    }
}
