//! The view of a player: facts that the Game Master sent to it, and tiles that other players shared. It does not include the
//! public board.

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
    /// The number of the player on the wire.
    pub player: Option<u32>,
    /// The team of the player.
    pub team: Option<Team>,
    /// Whether the player leads the team.
    pub leader: bool,
    /// All players with their teams. The leader of a team comes before its other players.
    pub players: Arc<[(u32, Team)]>,
    /// The shape of the board.
    pub area: Option<Area>,
    /// The position of the player.
    pub position: Option<Position>,
    /// The piece that the player carries, as far as the player knows: the Game Master does not report that a placed piece was a
    /// sham.
    pub carries: Option<Carried>,
    /// All tiles that the player knows, each as it was when it was last seen.
    pub tiles: Tiles,
    /// The end of the game.
    pub outcome: Option<Outcome>,
}

/// A carried piece, as far as its player knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carried {
    /// The piece may be a sham.
    Untested,
    /// The piece is valid.
    Piece,
}

impl View {
    /// Stores the list of players, and finds its own team in it.
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
            // These events add no knowledge.
            Event::Confirmed { .. } | Event::Repeated { .. } | Event::Refused { .. } => {}
            // This player does not receive these events.
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
