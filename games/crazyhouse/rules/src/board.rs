//! The public facts of a game: everything except the identities of the clients.

use alloc::sync::Arc;

use crate::{contest::Contest, event::Event, moves::Move, outcome::Outcome, piece::Side, setup::Setup};

/// The public facts of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    pub(crate) setup: Setup,
    pub(crate) players: [Option<Arc<str>>; 2],
    pub(crate) begun: bool,
    pub(crate) contest: Contest,
    /// In a game with a clock, the time that each side has left when its next turn begins.
    pub(crate) left: Option<[u64; 2]>,
}

impl Board {
    /// The setup of the game.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The position and its history.
    pub fn contest(&self) -> &Contest {
        &self.contest
    }

    /// The name of the player of a side.
    pub fn player(&self, side: Side) -> Option<&Arc<str>> {
        self.players[side as usize].as_ref()
    }

    /// Whether both players have joined.
    pub fn has_begun(&self) -> bool {
        self.begun
    }

    /// The milliseconds that a side has left when its next turn begins.
    pub fn left(&self, side: Side) -> Option<u64> {
        self.left.map(|left| left[side as usize])
    }

    /// The outcome, once the game is over.
    pub fn outcome(&self) -> Option<Outcome> {
        self.contest.outcome()
    }
}

impl Board {
    /// The board before the first event.
    pub(crate) fn new(setup: &Setup) -> Self {
        Self {
            setup: setup.clone(),
            players: [None, None],
            begun: false,
            contest: Contest::new(setup.start),
            left: setup.clock.map(|clock| [clock.initial; 2]),
        }
    }

    pub(crate) fn apply(&mut self, event: &Event) {
        match event {
            Event::Seated { .. } | Event::Refused { .. } => {}
            Event::Joined { side, name } => self.players[*side as usize] = Some(name.clone()),
            Event::Began { .. } => self.begun = true,
            Event::Moved { side, text, left, .. } => {
                self.contest.make(Move::read(text).expect("only moves are made"));
                if let (Some(all), Some(left)) = (&mut self.left, left) {
                    all[*side as usize] = *left;
                }
            }
            Event::DrawOffered { side } => self.contest.set_offer(Some(*side)),
            Event::DrawDeclined { .. } => self.contest.set_offer(None),
            Event::Finished { outcome, .. } => self.contest.end(*outcome),
            Event::TakebackAsked { side } => self.contest.set_asked(Some(*side)),
            Event::TakebackRefused { .. } => self.contest.set_asked(None),
            Event::TakenBack { moves, white_left, black_left, .. } => {
                self.contest.take_back((*moves).into());
                if let (Some(all), Some(white), Some(black)) = (&mut self.left, white_left, black_left) {
                    *all = [*white, *black];
                }
            }
        }
    }
}
