//! Questions to the rules that change nothing. The Game Master asks them, and so do the rules themselves.

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

/// What a request to take part means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Admission<'g> {
    /// A player that is connected already.
    Here(&'g Player),
    /// A player that was lost.
    Back(&'g Player),
    /// A new player, for which there is a seat.
    New,
}

/// What a request of a player means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reception<'g> {
    /// It was answered before, and gets the same answer again.
    Answered(&'g Answer),
    /// It is carried out now, or waits.
    Pending,
    /// It is new.
    New,
}

/// The team and position of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// Its team.
    pub team: Team,
    /// Whether it leads the team.
    pub leader: bool,
    /// Its position while the game runs.
    pub position: Option<Position>,
}

impl Game {
    /// What a request to take part with a hash means.
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

    /// What a client's request with this id means.
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

    /// Whether an exchange between two players is noted.
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

    /// The team and position of a player; none before it has a team.
    pub fn standing(&self, player: &Player) -> Option<Standing> {
        let team = player.team?;
        let leader = self.board.leads(player.id);
        Some(Standing { team, leader, position: player.position.filter(|_| self.board.phase() == Phase::Running) })
    }

    /// The outcome of a game that cannot go on.
    pub fn failed(&self, because: &str) -> Outcome {
        Outcome::new(Why::Error { because: because.into() }, self.board.goals)
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
