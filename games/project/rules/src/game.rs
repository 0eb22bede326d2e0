//! The hosted game: the Game Master's truth. What a command does is in `rules`.

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

/// The Game Master among the clients: on the wire it has the same number.
pub const GAME_MASTER: CommId = CommId(0);

/// A game and its rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    pub(crate) setup: Arc<Setup>,
    pub(crate) board: Board,
    pub(crate) ground: Ground,
    /// In the order in which they came. Who leaves a running game stays among them.
    pub(crate) players: Vec<Player>,
    /// The number of the player that came last.
    pub(crate) last_id: u32,
    pub(crate) lots: Lots,
    /// When something last happened, by the game's own clock.
    pub(crate) clock: u64,
    /// What each client was told, but not of the end.
    pub(crate) views: BTreeMap<CommId, View>,
}

/// What a game waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Timer {
    /// All players should be there.
    Join,
    /// The request of a player has taken its time.
    Action { player: u32 },
    /// A lost player should be back.
    Return { player: u32 },
    /// A new piece comes.
    Respawn,
    /// Something should have been completed.
    Progress,
}

impl Game {
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// What everybody may know, without a copy.
    pub fn public(&self) -> &Board {
        &self.board
    }

    /// Pieces and goals.
    pub fn ground(&self) -> &Ground {
        &self.ground
    }

    /// In the order in which they came, also those that have left the running game.
    pub fn all_players(&self) -> &[Player] {
        &self.players
    }

    /// The player that a client is; not one that has left.
    pub fn player_of(&self, client: CommId) -> Option<&Player> {
        self.players.iter().find(|player| player.client == client && !player.is_gone())
    }

    /// The client that plays under a number of the wire.
    pub fn client_of(&self, player: u32) -> Option<CommId> {
        self.players.iter().find(|known| known.id == player && !known.is_gone()).map(|known| known.client)
    }

    /// The player that is known by a hash; not one that has left.
    pub fn player_with(&self, hash: &str) -> Option<&Player> {
        self.players.iter().find(|player| !player.is_gone() && same_id(&player.hash, hash))
    }

    /// What a client's request was answered, for whoever is asked the same again. `Silence` is an answer too.
    pub fn answered(&self, client: CommId, id: &str) -> Option<Answer> {
        self.player_of(client).and_then(|player| player.answered(id)).cloned()
    }

    /// Whose pawn stands on a tile.
    pub fn pawn_at(&self, at: Position) -> Option<&Player> {
        self.players.iter().find(|player| player.position == Some(at))
    }
}
