//! What everybody may know: who plays in which team, who is there, the score, and how many actions there were. Nothing of
//! where anything is.
//!
//! Players on the wire are not told even this before the end; it is for people who watch, as on a scoreboard.

use alloc::vec::Vec;

use crate::{area::Area, event::Event, outcome::Outcome, player::Connection, setup::Setup, team::Team};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    pub(crate) area: Area,
    pub(crate) players_per_team: usize,
    /// Those without a team in the order in which they came, then those with one in the order in which they got it.
    pub(crate) seats: Vec<Seat>,
    pub(crate) begun: bool,
    pub(crate) goals: [u32; 2],
    pub(crate) actions: u64,
    pub(crate) outcome: Option<Outcome>,
}

/// A player as everybody knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seat {
    pub player: u32,
    pub team: Option<Team>,
    pub connection: Connection,
}

impl Board {
    pub fn area(&self) -> Area {
        self.area
    }

    pub fn seats(&self) -> &[Seat] {
        &self.seats
    }

    /// The players of a team, its leader first.
    pub fn team(&self, team: Team) -> impl Iterator<Item = &Seat> {
        self.seats.iter().filter(move |seat| seat.team == Some(team))
    }

    /// Who leads a team: the first of its players.
    pub fn leader(&self, team: Team) -> Option<u32> {
        self.team(team).next().map(|seat| seat.player)
    }

    pub fn leads(&self, player: u32) -> bool {
        Team::BOTH.into_iter().any(|team| self.leader(team) == Some(player))
    }

    pub fn has_begun(&self) -> bool {
        self.begun
    }

    /// Goals that a team has completed.
    pub fn goals(&self, team: Team) -> u32 {
        self.goals[team as usize]
    }

    /// Requests that were carried out.
    pub fn actions(&self) -> u64 {
        self.actions
    }

    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    pub fn phase(&self) -> Phase {
        match (&self.outcome, self.begun) {
            (Some(_), _) => Phase::Over,
            (None, true) => Phase::Running,
            (None, false) => Phase::Lobby,
        }
    }

    pub(crate) fn has_room(&self, team: Team) -> bool {
        self.team(team).count() < self.players_per_team
    }

    fn connect(&mut self, player: u32, connection: Connection) {
        if let Some(seat) = self.seats.iter_mut().find(|seat| seat.player == player) {
            seat.connection = connection;
        }
    }

    fn join_team(&mut self, player: u32, team: Team) {
        if let Some(at) = self.seats.iter().position(|seat| seat.player == player) {
            let seat = self.seats.remove(at);
            self.seats.push(Seat { team: Some(team), ..seat });
        }
    }
}

/// How far a game is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    Lobby,
    Running,
    Over,
}

impl Board {
    /// Before the first event.
    pub(crate) fn new(setup: &Setup) -> Self {
        Self {
            area: setup.area(),
            players_per_team: setup.seats() / 2,
            seats: Vec::new(),
            begun: false,
            goals: [0, 0],
            actions: 0,
            outcome: None,
        }
    }

    pub(crate) fn apply(&mut self, event: &Event) {
        match event {
            Event::Joined { player } => {
                self.seats.push(Seat { player: *player, team: None, connection: Connection::Here });
            }
            Event::TeamJoined { player, team } => self.join_team(*player, *team),
            Event::Began {} => self.begun = true,
            Event::Acted { .. } => self.actions += 1,
            Event::Scored { team } => self.goals[*team as usize] += 1,
            Event::Lost { player } => self.connect(*player, Connection::Lost),
            Event::Returned { player } => self.connect(*player, Connection::Here),
            Event::Left { player } if self.begun => self.connect(*player, Connection::Gone),
            Event::Left { player } => self.seats.retain(|seat| seat.player != *player),
            Event::Ended { outcome } => self.outcome = Some(outcome.clone()),
            Event::Confirmed { .. }
            | Event::Refused { .. }
            | Event::TeamGiven { .. }
            | Event::Started { .. }
            | Event::Answered { .. }
            | Event::Repeated { .. }
            | Event::Noted { .. }
            | Event::Learnt { .. }
            | Event::Told { .. } => {}
        }
    }
}
