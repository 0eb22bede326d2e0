//! The hosted game: the board, and who plays. What a command does is in `rules`.

use engine::{CommId, JavaRandom};
use serde::{Deserialize, Serialize};

use crate::{board::Board, piece::Side};

/// A game and its rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    pub(crate) board: Board,
    /// Who plays, White first.
    pub(crate) clients: [Option<CommId>; 2],
    pub(crate) random: JavaRandom,
    /// When the turn began, on the game's clock.
    pub(crate) since: u64,
}

/// What a game waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Timer {
    /// The players should be there.
    Come,
    /// The side to move has no time left.
    Flag,
}

impl Game {
    /// What everybody may know, without a copy.
    pub fn public(&self) -> &Board {
        &self.board
    }

    /// The side that a client plays.
    pub fn side_of(&self, client: CommId) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| self.clients[*side as usize] == Some(client))
    }
}
