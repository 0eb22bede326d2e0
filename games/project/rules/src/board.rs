//! The public board: the players, their teams and connections, the score, and the number of actions. It has no positions.
//!
//! The board is for spectators, like a scoreboard. Players on the wire do not receive it before the end.

use alloc::vec::Vec;

use crate::{area::Area, event::Event, outcome::Outcome, player::Connection, setup::Setup, team::Team};

/// The public facts of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    pub(crate) area: Area,
    pub(crate) players_per_team: usize,
    /// First the players without a team, in the order in which they joined. Then those with a team, in the order in which they
    /// got it.
    pub(crate) seats: Vec<Seat>,
    /// The leader of each team, Blue first.
    leaders: [Option<u32>; 2],
    pub(crate) begun: bool,
    pub(crate) goals: [u32; 2],
    pub(crate) actions: u64,
    pub(crate) outcome: Option<Outcome>,
}

/// The public facts of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seat {
    /// The number of the player.
    pub player: u32,
    /// The team of the player, once it has one.
    pub team: Option<Team>,
    /// Whether the player is connected.
    pub connection: Connection,
}

impl Board {
    /// The shape of the board.
    pub fn area(&self) -> Area {
        self.area
    }

    /// All players.
    pub fn seats(&self) -> &[Seat] {
        &self.seats
    }

    /// The players of a team, its leader first, and then in the order in which they got the team.
    pub fn team(&self, team: Team) -> impl Iterator<Item = &Seat> {
        let leads = move |seat: &&Seat| Some(seat.player) == self.leader(team);
        let leader = self.seats_of(team).filter(leads);
        leader.chain(self.seats_of(team).filter(move |seat| !leads(seat)))
    }

    /// The leader of a team: its first player, and after that one left, the player with the lowest number that has not.
    pub fn leader(&self, team: Team) -> Option<u32> {
        self.leaders[team as usize]
    }

    /// Whether a player leads its team.
    pub fn leads(&self, player: u32) -> bool {
        Team::BOTH.into_iter().any(|team| self.leader(team) == Some(player))
    }

    /// Whether the game has begun. True after the end, too.
    pub fn has_begun(&self) -> bool {
        self.begun
    }

    /// The number of goals that a team has completed.
    pub fn goals(&self, team: Team) -> u32 {
        self.goals[team as usize]
    }

    /// The number of requests that the game has carried out.
    pub fn actions(&self) -> u64 {
        self.actions
    }

    /// The outcome, if the game is over.
    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    /// The phase of the game.
    pub fn phase(&self) -> Phase {
        match (&self.outcome, self.begun) {
            (Some(_), _) => Phase::Over,
            (None, true) => Phase::Running,
            (None, false) => Phase::Lobby,
        }
    }

    /// The players of a team in the order in which they got it, also those that left the running game.
    pub(crate) fn seats_of(&self, team: Team) -> impl Iterator<Item = &Seat> {
        self.seats.iter().filter(move |seat| seat.team == Some(team))
    }

    pub(crate) fn has_room(&self, team: Team) -> bool {
        self.seats_of(team).count() < self.players_per_team
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
            self.leaders[team as usize].get_or_insert(player);
        }
    }

    fn leave(&mut self, player: u32) {
        if self.begun {
            self.connect(player, Connection::Gone);
        } else {
            self.seats.retain(|seat| seat.player != player);
        }
        for team in Team::BOTH {
            if self.leader(team) == Some(player) {
                let here = self.seats_of(team).filter(|seat| seat.connection != Connection::Gone);
                self.leaders[team as usize] = here.map(|seat| seat.player).min();
            }
        }
    }
}

/// The phase of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The game waits for players.
    Lobby,
    /// The game runs.
    Running,
    /// The game is over.
    Over,
}

impl Board {
    /// The board before the first event.
    pub(crate) fn new(setup: &Setup) -> Self {
        Self {
            area: setup.area(),
            players_per_team: setup.seats() / 2,
            seats: Vec::new(),
            leaders: [None, None],
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
            Event::Left { player } => self.leave(*player),
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
