//! The state of a game, as only the Game Master knows it. `rules` changes it.

use alloc::{collections::BTreeMap, sync::Arc, vec::Vec};

use engine::CommId;
use serde::{Deserialize, Serialize};

use crate::{
    answer::Answer,
    board::Board,
    ground::Ground,
    lots::Lots,
    player::{Player, same_id},
    setup::Setup,
    view::View,
    words::Position,
};

/// The client id of the Game Master. On the wire it has the same number.
pub const GAME_MASTER: CommId = CommId(0);

/// A game and its rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    pub(crate) setup: Arc<Setup>,
    pub(crate) board: Board,
    pub(crate) ground: Ground,
    /// In the order in which they came. A player that leaves a running game stays in the list.
    pub(crate) players: Vec<Player>,
    /// The number of the player that came last.
    pub(crate) last_id: u32,
    pub(crate) lots: Lots,
    /// The time of the last input, by the game's own clock.
    pub(crate) clock: u64,
    /// The view of each client, without the end of the game.
    pub(crate) views: BTreeMap<CommId, View>,
}

/// A timer of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Timer {
    /// The players must be complete.
    Join,
    /// The request of a player is done.
    Action {
        /// The player.
        player: u32,
    },
    /// A lost player must be back.
    Return {
        /// The player.
        player: u32,
    },
    /// A new piece appears.
    Respawn,
    /// There must be progress.
    Progress,
}

impl Game {
    /// Its setup.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The public board, without a copy.
    pub fn public(&self) -> &Board {
        &self.board
    }

    /// Pieces and goals.
    pub fn ground(&self) -> &Ground {
        &self.ground
    }

    /// All players in the order in which they came, including those that have left the running game.
    pub fn all_players(&self) -> &[Player] {
        &self.players
    }

    /// The player of a client, unless it has left.
    pub fn player_of(&self, client: CommId) -> Option<&Player> {
        self.players.iter().find(|player| player.client == client && !player.is_gone())
    }

    /// The client of the player with a number.
    pub fn client_of(&self, player: u32) -> Option<CommId> {
        self.players.iter().find(|known| known.id == player && !known.is_gone()).map(|known| known.client)
    }

    /// The player with a hash, unless it has left.
    pub fn player_with(&self, hash: &str) -> Option<&Player> {
        self.players.iter().find(|player| !player.is_gone() && same_id(&player.hash, hash))
    }

    /// The answer to a client's earlier request. `Silence` is an answer, too.
    pub fn answered(&self, client: CommId, id: &str) -> Option<Answer> {
        self.player_of(client).and_then(|player| player.answered(id)).cloned()
    }

    /// The player on a tile.
    pub fn pawn_at(&self, at: Position) -> Option<&Player> {
        self.players.iter().find(|player| player.position == Some(at))
    }
}
