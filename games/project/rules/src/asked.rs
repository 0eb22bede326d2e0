//! Queries that do not change the game. The Game Master and the rules call them.

use alloc::sync::Arc;

use engine::CommId;

use crate::{
    answer::Answer,
    board::Phase,
    command::Command,
    game::Game,
    outcome::{Outcome, Why},
    player::{Action, Connection, MOST_WAITING, Player},
    refusal::Refusal,
    team::Team,
    words::Position,
};

/// The maximum length of an id or a hash, in bytes. A UUID has 36.
pub const LONGEST_ID: usize = 64;

/// How the game classifies a request to join.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Admission<'g> {
    /// The player is already connected.
    Here(&'g Player),
    /// The player lost its connection and comes back.
    Back(&'g Player),
    /// The player is new, and a seat is free.
    New,
}

/// How the game classifies a player's request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reception<'g> {
    /// The request was answered before, and gets the same answer again.
    Answered(&'g Answer),
    /// The request is being carried out, or waits in the queue.
    Pending,
    /// The request is new.
    New,
}

/// The team and position of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The team of the player.
    pub team: Team,
    /// Whether the player leads the team.
    pub leader: bool,
    /// The position of the player while the game runs.
    pub position: Option<Position>,
}

impl Game {
    /// Classifies a request to join with this hash.
    ///
    /// # Errors
    ///
    /// The refusal that a [`Command::Join`] gets.
    pub fn admits(&self, hash: &str) -> Result<Admission<'_>, Refusal> {
        let seats = self.setup.seats();
        match self.player_with(hash) {
            Some(player) if player.connection == Connection::Here => Ok(Admission::Here(player)),
            Some(player) => Ok(Admission::Back(player)),
            None if !self.setup.invites(hash) => Err(Refusal::NotInvited {}),
            None if self.board.begun => Err(Refusal::Running {}),
            None if self.players.len() >= seats => Err(Refusal::Full { seats: seats as u32 }),
            None => Ok(Admission::New),
        }
    }

    /// Classifies a client's request with this id.
    ///
    /// # Errors
    ///
    /// The refusal that an action gets.
    pub fn receives(&self, client: CommId, id: &Arc<str>) -> Result<Reception<'_>, Refusal> {
        let player = self.player_of(client).ok_or(Refusal::NotAPlayer {})?;
        if !self.board.begun {
            return Err(Refusal::NotBegun {});
        }
        check_length(id)?;
        if let Some(answer) = player.answered(id) {
            return Ok(Reception::Answered(answer));
        }
        if player.is_pending(id) {
            return Ok(Reception::Pending);
        }
        if player.waiting() >= MOST_WAITING {
            return Err(Refusal::TooManyWaiting { id: id.clone(), most: MOST_WAITING as u32 });
        }
        Ok(Reception::New)
    }

    /// Checks that the game accepts the report of an exchange between two players.
    ///
    /// # Errors
    ///
    /// The refusal that a [`Command::Exchanged`] gets.
    pub fn may_exchange(&self, from: u32, to: u32) -> Result<(), Refusal> {
        if self.board.phase() != Phase::Running {
            return Err(Refusal::NotBegun {});
        }
        match (self.client_of(from), self.client_of(to)) {
            (Some(_), Some(_)) => Ok(()),
            (None, _) | (_, None) => Err(Refusal::NotAPlayer {}),
        }
    }

    /// The team and position of a player; `None` before the player has a team.
    pub fn standing(&self, player: &Player) -> Option<Standing> {
        let team = player.team?;
        let leader = self.board.leads(player.id);
        Some(Standing { team, leader, position: player.position.filter(|_| self.board.phase() == Phase::Running) })
    }

    /// The outcome of a game that fails with this error.
    pub fn failed(&self, because: &str) -> Outcome {
        self.end(Why::Error { because: because.into() })
    }
}

impl Command {
    /// The id and the action of a request.
    pub fn action(&self) -> Option<(&Arc<str>, Action)> {
        match self {
            Self::Move { id, direction } => Some((id, Action::Move(*direction))),
            Self::Discover { id } => Some((id, Action::Discover)),
            Self::PickUp { id } => Some((id, Action::PickUp)),
            Self::Test { id } => Some((id, Action::Test)),
            Self::Place { id } => Some((id, Action::Place)),
            Self::Join { .. }
            | Self::ChooseTeam { .. }
            | Self::Lost {}
            | Self::Fail { .. }
            | Self::Exchanged { .. } => None,
        }
    }
}

pub(crate) fn check_length(id: &str) -> Result<(), Refusal> {
    if id.len() > LONGEST_ID { Err(Refusal::TooLong { most: LONGEST_ID as u32 }) } else { Ok(()) }
}
