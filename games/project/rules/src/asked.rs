//! What the rules say before anything happens: whoever answers players asks here, and so do the rules themselves.

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

/// The longest id or hash, in bytes: a UUID has 36.
pub const LONGEST_ID: usize = 64;

/// Who somebody is that asks to take part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Admission<'g> {
    /// A player that is here already.
    Here(&'g Player),
    /// A player that was lost.
    Back(&'g Player),
    /// Somebody new, for whom there is a seat.
    New,
}

/// What a request of a player is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reception<'g> {
    /// One that was answered before; the same again is answered with the same.
    Answered(&'g Answer),
    /// One that is carried out now, or will be.
    Pending,
    /// One that waits for its turn from now on.
    New,
}

/// What a player is told to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    pub team: Team,
    pub leader: bool,
    /// Where its pawn is, while the game runs.
    pub position: Option<Position>,
}

impl Game {
    /// As whom somebody with a hash takes part, or why not.
    ///
    /// # Errors
    ///
    /// The refusal of a [`Command::Join`].
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

    /// What a client's request with this id is, or why it is dropped.
    ///
    /// # Errors
    ///
    /// The refusal of an action.
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

    /// Whether what one player tells another is worth noting.
    ///
    /// # Errors
    ///
    /// The refusal of a [`Command::Exchanged`].
    pub fn may_exchange(&self, from: u32, to: u32) -> Result<(), Refusal> {
        if self.board.phase() != Phase::Running {
            return Err(Refusal::NotBegun {});
        }
        match (self.client_of(from), self.client_of(to)) {
            (Some(_), Some(_)) => Ok(()),
            (None, _) | (_, None) => Err(Refusal::NotAPlayer {}),
        }
    }

    /// How a player stands, once it has a team.
    pub fn standing(&self, player: &Player) -> Option<Standing> {
        let team = player.team?;
        let leader = self.board.leads(player.id);
        Some(Standing { team, leader, position: player.position.filter(|_| self.board.phase() == Phase::Running) })
    }

    /// The end of a game that cannot go on.
    pub fn failed(&self, because: &str) -> Outcome {
        Outcome::new(Why::Error { because: because.into() }, self.board.goals)
    }
}

impl Command {
    /// The id of an action that is asked for, and the action.
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
