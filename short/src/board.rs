//! The facts that everyone knows, and those that one client knows.

use alloc::{sync::Arc, vec::Vec};

use crate::{
    chance::Chance,
    event::Event,
    game::{ShortGame, Start},
    outcome::{Ending, How},
    seat::{Seat, Turn},
    setup::Setup,
};

/// The facts that everyone knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board<G: ShortGame> {
    pub(crate) setup: Setup<G>,
    /// The players, by their seats.
    pub(crate) names: Vec<Option<Arc<str>>>,
    /// The number of players, once the game has begun.
    pub(crate) seats: Option<usize>,
    /// Whether seats know more than spectators.
    pub(crate) has_secrets: bool,
    /// The game as a spectator sees it.
    pub(crate) game: Option<G>,
    /// The number of moves.
    pub(crate) moves: u32,
    /// The milliseconds on the clocks.
    pub(crate) left_ms: Vec<u64>,
    pub(crate) ending: Option<Ending>,
}

impl<G: ShortGame> Board<G> {
    pub(crate) fn new(setup: &Setup<G>) -> Self {
        Self {
            names: (0..setup.seats()).map(|_| None).collect(),
            setup: setup.clone(),
            seats: None,
            has_secrets: false,
            game: None,
            moves: 0,
            left_ms: Vec::new(),
            ending: None,
        }
    }

    /// The game, once it has begun: all of it, or what a spectator may know.
    pub fn game(&self) -> Option<&G> {
        self.game.as_ref()
    }

    /// The parameters of the game.
    pub fn setup(&self) -> &Setup<G> {
        &self.setup
    }

    /// How the game ended.
    pub fn ending(&self) -> Option<&Ending> {
        self.ending.as_ref()
    }

    /// The name of the player on a seat.
    pub fn name(&self, seat: Seat) -> Option<&Arc<str>> {
        self.names.get(seat.0)?.as_ref()
    }

    /// The names of all players so far, in the order of their seats.
    pub fn names(&self) -> impl Iterator<Item = &Arc<str>> {
        self.names.iter().flatten()
    }

    /// The seats that may move now. Empty before the beginning and after the end.
    pub fn turn(&self) -> Turn {
        match &self.game {
            Some(game) if self.ending.is_none() => game.turn(),
            Some(_) | None => Turn::Any(Vec::new()),
        }
    }

    /// Whether the game has ended without a move, and has revealed its secrets.
    pub(crate) fn is_revealed(&self) -> bool {
        let ending = self.ending.as_ref().filter(|_| self.setup.reveals_every_end());
        ending.is_some_and(|ending| match ending.how {
            How::Resigned { .. } | How::Late { .. } => true,
            How::Rules | How::NeverBegan | How::Unplayable { .. } => false,
        })
    }

    /// Everything but the state of the game.
    pub(crate) fn apply_facts(&mut self, event: &Event<G::Move, G>) {
        match event {
            Event::Refused { .. } | Event::Seated { .. } | Event::Seen { .. } => {}
            Event::Joined { seat, name } => {
                if let Some(place) = self.names.get_mut(seat.0) {
                    *place = Some(name.clone());
                }
            }
            Event::Began { seats, drawn, .. } => {
                self.seats = Some(*seats);
                self.has_secrets = drawn.is_none();
                if let Some(clock) = self.setup.clock() {
                    self.left_ms = (0..*seats).map(|_| clock.initial_ms()).collect();
                }
            }
            Event::Played { seat, left, .. } | Event::Moved { seat, left, .. } => {
                self.moves = self.moves.saturating_add(1);
                if let (Some(left), Some(clock)) = (left, self.left_ms.get_mut(seat.0)) {
                    *clock = *left;
                }
            }
            Event::Finished { ending } => self.ending = Some(ending.clone()),
        }
    }

    pub(crate) fn apply(&mut self, event: &Event<G::Move, G>) {
        self.apply_facts(event);
        self.apply_game(event);
    }

    /// The state of the game, folded from what an event tells.
    fn apply_game(&mut self, event: &Event<G::Move, G>) {
        match event {
            Event::Began { version, seats, drawn: Some(drawn) } => {
                let start = Start::new(*seats, *version, self.setup.options());
                self.game = G::start(&start, &mut Chance::told(drawn)).ok();
            }
            Event::Played { seat, play, drawn, .. } => {
                if let Some(game) = &mut self.game {
                    let _taken = game.play(*seat, play, &mut Chance::told(drawn.as_deref().unwrap_or_default()));
                }
            }
            Event::Seen { seat: None, view } => self.game = Some(view.clone()),
            Event::Began { drawn: None, .. }
            | Event::Seen { seat: Some(_), .. }
            | Event::Refused { .. }
            | Event::Seated { .. }
            | Event::Joined { .. }
            | Event::Moved { .. }
            | Event::Finished { .. } => {}
        }
    }
}

/// A game as one client sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View<G: ShortGame> {
    /// The facts that everyone knows.
    pub board: Board<G>,
    /// The seat of the client.
    pub seat: Option<Seat>,
    /// In a game with secrets, what this seat knows.
    pub(crate) own: Option<G>,
}

impl<G: ShortGame> View<G> {
    /// The game, once it has begun: all of it, or what this client may know.
    pub fn game(&self) -> Option<&G> {
        // A seat waits for its own view: the public one shows too little to move.
        if self.seat.is_some() && self.board.has_secrets { self.own.as_ref() } else { self.board.game() }
    }

    /// The seat of the client, if it may move now.
    pub fn turn(&self) -> Option<Seat> {
        let game = self.game().filter(|_| self.board.ending.is_none())?;
        self.seat.filter(|seat| game.turn().has(*seat))
    }

    /// The moves of the client. Empty if it may not move now.
    pub fn moves(&self) -> Vec<G::Move> {
        match (self.game(), self.turn()) {
            (Some(game), Some(seat)) => game.moves(seat).collect(),
            (Some(_) | None, _) => Vec::new(),
        }
    }
}

impl<G: ShortGame> View<G> {
    /// The view before the first event.
    pub(crate) fn new(setup: &Setup<G>) -> Self {
        Self { board: Board::new(setup), seat: None, own: None }
    }

    pub(crate) fn apply(&mut self, event: &Event<G::Move, G>) {
        self.board.apply(event);
        match event {
            Event::Seated { seat } => self.seat = Some(*seat),
            Event::Seen { seat: Some(_), view } => self.own = Some(view.clone()),
            Event::Seen { seat: None, .. }
            | Event::Refused { .. }
            | Event::Joined { .. }
            | Event::Began { .. }
            | Event::Played { .. }
            | Event::Moved { .. }
            | Event::Finished { .. } => {}
        }
    }
}
