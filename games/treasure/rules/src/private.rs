//! The facts that only one player may know.

use alloc::sync::Arc;

use crate::{
    board::Board,
    command::Coding,
    event::Event,
    fields::Fields,
    map::{Direction, Position},
    mask::Key,
    player::Player,
    refusal::Refusal,
};

/// The facts that only one player may know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Private {
    /// Which player it is.
    pub player: Player,
    /// The player's secret id.
    pub id: Arc<str>,
    /// The account.
    pub account: Arc<str>,
    /// The key of its made-up values.
    pub key: Key,
    /// The place of its fort.
    pub fort: Option<Position>,
    /// The coding of its half (2017).
    pub coding: Option<Coding>,
    /// The position of its avatar.
    pub at: Option<Position>,
    /// The progress on the way to the next field.
    pub progress: Option<Progress>,
    /// The place of its treasure, after it was seen and before it is collected.
    pub treasure: Option<Position>,
    /// Whether the treasure is collected.
    pub collected: bool,
    /// The place of the opponent's fort, once seen.
    pub enemy_fort: Option<Position>,
    /// The fields that it has seen.
    pub seen: Fields,
    /// The wrong command with which it lost the game.
    pub failed: Option<Refusal>,
}

/// The progress of an avatar on its way to the next field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The direction of the way.
    pub direction: Direction,
    /// The number of further requests in this direction until it arrives.
    pub left: u8,
}

impl Private {
    /// The facts of a player that has just registered.
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
            failed: None,
        })
    }

    /// Applies an event for this player. The board has applied it before.
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
            Event::Failed { refusal } => self.failed = Some(refusal.clone()),
            Event::Seated { .. }
            | Event::Refused { .. }
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
