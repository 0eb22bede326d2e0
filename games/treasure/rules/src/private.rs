//! What one player alone was told.

use alloc::sync::Arc;

use crate::{
    board::Board,
    command::Coding,
    event::Event,
    fields::Fields,
    map::{Direction, Position},
    mask::Key,
    player::Player,
};

/// What one player alone was told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Private {
    pub player: Player,
    /// The player's secret.
    pub id: Arc<str>,
    pub account: Arc<str>,
    pub key: Key,
    /// Where its fort is.
    pub fort: Option<Position>,
    pub coding: Option<Coding>,
    /// Where its avatar is.
    pub at: Option<Position>,
    /// On the way to the next field.
    pub progress: Option<Progress>,
    /// Where its treasure is, between seeing and collecting it.
    pub treasure: Option<Position>,
    pub collected: bool,
    /// Where the other's fort is, once seen.
    pub enemy_fort: Option<Position>,
    /// The fields that it has seen.
    pub seen: Fields,
}

/// How far somebody is on the way to the next field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    pub direction: Direction,
    /// So many more requests in this direction, and it is there.
    pub left: u8,
}

impl Private {
    /// What the player knows when it has taken its seat.
    pub(crate) fn seated(event: &Event) -> Option<Self> {
        let Event::Seated { player, id, account, key } = event else { return None };
        Some(Self {
            player: *player,
            id: id.clone(),
            account: account.clone(),
            key: *key,
            fort: None,
            coding: None,
            at: None,
            progress: None,
            treasure: None,
            collected: false,
            enemy_fort: None,
            seen: Fields::default(),
        })
    }

    /// Learns from an event to this player, on the board as it is after the event.
    pub(crate) fn learn(&mut self, event: &Event, board: &Board) {
        match event {
            Event::HalfKept { fort, coding, .. } => {
                (self.fort, self.coding, self.at) = (Some(*fort), *coding, Some(*fort));
                self.seen.insert(*fort);
            }
            Event::Moved { to } => {
                (self.at, self.progress) = (Some(*to), None);
                self.seen.extend(board.chart().into_iter().flat_map(|chart| chart.sight(*to)));
            }
            Event::Spent { direction, left } => {
                self.progress = Some(Progress { direction: *direction, left: *left });
            }
            Event::Waited {} => self.progress = None,
            Event::TreasureSeen { at } => self.treasure = Some(*at),
            Event::TreasureTaken { .. } => (self.treasure, self.collected) = (None, true),
            Event::FortSeen { at } => self.enemy_fort = Some(*at),
            Event::Seated { .. }
            | Event::Refused { .. }
            | Event::Failed { .. }
            | Event::Noted { .. }
            | Event::Registered { .. }
            | Event::Began { .. }
            | Event::HalfTaken { .. }
            | Event::HalfRejected { .. }
            | Event::Charted { .. }
            | Event::Appeared { .. }
            | Event::Acted { .. }
            | Event::Collected { .. }
            | Event::Finished { .. } => {}
        }
    }
}
