//! The view of a player: what the Game Master sent it, and what other players shared. It does not include the public board.

use alloc::sync::Arc;

use crate::{
    answer::Answer,
    area::Area,
    event::Event,
    outcome::Outcome,
    seen::{self, Tiles},
    setup::Setup,
    team::Team,
    words::{Placed, Position, Tested},
};

/// A game as one player knows it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// Its number on the wire.
    pub player: Option<u32>,
    /// Its team.
    pub team: Option<Team>,
    /// Whether it leads the team.
    pub leader: bool,
    /// All players with their teams. The leader is the first of a team.
    pub players: Arc<[(u32, Team)]>,
    /// The shape of the board.
    pub area: Option<Area>,
    /// Its position.
    pub position: Option<Position>,
    /// What it carries, as far as it knows: a sham that was placed is not reported.
    pub carries: Option<Carried>,
    /// All tiles that it knows, as they were then.
    pub tiles: Tiles,
    /// The end of the game.
    pub outcome: Option<Outcome>,
}

/// A piece in hand, as its player knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carried {
    /// It may be a sham.
    Untested,
    /// It is valid.
    Piece,
}

impl View {
    /// Takes over the list of players, and its own team from it.
    fn meet(&mut self, players: &Arc<[(u32, Team)]>) {
        let own = players.iter().find(|(id, _)| Some(*id) == self.player).map(|(_, team)| *team);
        let leader = players.iter().find(|(_, team)| Some(*team) == own).map(|(id, _)| *id);
        (self.team, self.leader) = (own, leader == self.player);
        self.players = players.clone();
    }

    fn learn_answer(&mut self, answer: &Answer) {
        if let Answer::Moved { position, .. } = answer {
            self.position = Some(*position);
        }
        if let (Some(at), Some(area)) = (self.position, self.area) {
            seen::learn_answer(&mut self.tiles, area, at, answer);
        }
        match answer {
            Answer::PickedUp { success: true } => self.carries = Some(Carried::Untested),
            Answer::Tested { result: Tested::Piece } => self.carries = Some(Carried::Piece),
            Answer::Tested { result: Tested::Sham }
            | Answer::Placed { result: Placed::Completed | Placed::Meaningless } => self.carries = None,
            Answer::PickedUp { success: false }
            | Answer::Placed { result: Placed::Disallowed }
            | Answer::Moved { .. }
            | Answer::Discovered { .. }
            | Answer::Silence => {}
        }
    }
}

impl View {
    /// The view before the first event.
    pub(crate) fn new(_: &Setup) -> Self {
        Self::default()
    }

    pub(crate) fn apply(&mut self, event: &Event) {
        match event {
            Event::Confirmed { player } if self.player != Some(*player) => {
                *self = Self { player: Some(*player), ..Self::default() };
            }
            Event::TeamGiven { team, leader, .. } => (self.team, self.leader) = (Some(*team), *leader),
            Event::Started { players, width, height, position } => {
                self.meet(players);
                self.area = Some(Area { width: *width, height: *height });
                self.position = Some(*position);
            }
            Event::Answered { answer, .. } => self.learn_answer(answer),
            Event::Learnt { tiles, .. } => seen::see(&mut self.tiles, tiles.iter().map(|told| &told.tile)),
            Event::Ended { outcome } => self.outcome = Some(outcome.clone()),
            // Nothing new.
            Event::Confirmed { .. } | Event::Repeated { .. } | Event::Refused { .. } => {}
            // Not for this player.
            Event::Noted { .. }
            | Event::Joined { .. }
            | Event::TeamJoined { .. }
            | Event::Began {}
            | Event::Acted { .. }
            | Event::Scored { .. }
            | Event::Lost { .. }
            | Event::Returned { .. }
            | Event::Left { .. }
            | Event::Told { .. } => {}
        }
    }
}
