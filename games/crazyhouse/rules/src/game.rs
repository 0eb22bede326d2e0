//! The hosted game: the public facts and the players. `rules` has the effects of commands.

use engine::{CommId, JavaRandom};
use serde::{Deserialize, Serialize};

use crate::{board::Board, piece::Side};

/// A game and its rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// The version of the rules that the game began with.
    pub(crate) version: u32,
    pub(crate) board: Board,
    /// The players, White first.
    pub(crate) clients: [Option<CommId>; 2],
    pub(crate) random: JavaRandom,
    /// The time on the game's clock when the turn began.
    pub(crate) since: u64,
}

/// The timers of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Timer {
    /// The players have not joined in time.
    Come,
    /// The side to move has no time left.
    Flag,
}

impl Game {
    /// The public facts, without a copy.
    pub fn public(&self) -> &Board {
        &self.board
    }

    /// The side that a client plays.
    pub fn side_of(&self, client: CommId) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| self.clients[*side as usize] == Some(client))
    }

    /// The opponent of a client that plays.
    pub fn opponent_of(&self, client: CommId) -> Option<CommId> {
        self.clients[self.side_of(client)?.other() as usize]
    }
}
