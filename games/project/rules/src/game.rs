//! The whole state of a game, which only the Game Master has. `rules` changes it.

use alloc::{collections::BTreeMap, sync::Arc, vec::Vec};

use engine::CommId;
use serde::{Deserialize, Serialize};

use crate::{
    answer::Answer,
    board::Board,
    ground::Ground,
    lots::Lots,
    outcome::{Outcome, Why},
    player::{Player, same_id},
    setup::Setup,
    switches::Switches,
    team::Team,
    view::View,
    words::Position,
};

/// The client id of the Game Master. It has the same number on the wire.
pub const GAME_MASTER: CommId = CommId(0);

/// A game and its rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    pub(crate) setup: Arc<Setup>,
    pub(crate) switches: Switches,
    pub(crate) board: Board,
    pub(crate) ground: Ground,
    /// In the order in which they joined. A player that leaves a running game stays in the list.
    pub(crate) players: Vec<Player>,
    /// The number of the last player that joined.
    pub(crate) last_id: u32,
    pub(crate) lots: Lots,
    /// The time of the last input, on the game's own clock.
    pub(crate) clock: u64,
    /// The view of each client, without the end of the game.
    pub(crate) views: BTreeMap<CommId, View>,
}

/// The timers of a game. The comment of each variant describes its effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Timer {
    /// The game ends unless all players have joined.
    Join,
    /// The request of a player takes effect.
    Action {
        /// The player.
        player: u32,
    },
    /// A lost player loses its seat.
    Return {
        /// The player.
        player: u32,
    },
    /// A new piece appears.
    Respawn,
    /// The game ends for lack of progress.
    Progress,
}

impl Game {
    /// The setup of the game.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// A reference to the public board.
    pub fn public(&self) -> &Board {
        &self.board
    }

    /// The pieces and goals.
    pub fn ground(&self) -> &Ground {
        &self.ground
    }

    /// All players in the order in which they joined, including those that have left the running game.
    pub fn all_players(&self) -> &[Player] {
        &self.players
    }

    /// The player of a client; `None` if the player has left.
    pub fn player_of(&self, client: CommId) -> Option<&Player> {
        self.players.iter().find(|player| player.client == client && !player.is_gone())
    }

    /// The client of the player with this number.
    pub fn client_of(&self, player: u32) -> Option<CommId> {
        self.players.iter().find(|known| known.id == player && !known.is_gone()).map(|known| known.client)
    }

    /// The player with this hash; `None` if the player has left.
    pub fn player_with(&self, hash: &str) -> Option<&Player> {
        self.players.iter().find(|player| !player.is_gone() && same_id(&player.hash, hash))
    }

    /// The answer to an earlier request of a client. `Silence` counts as an answer.
    pub fn answered(&self, client: CommId, id: &str) -> Option<Answer> {
        self.player_of(client).and_then(|player| player.answered(id)).cloned()
    }

    /// The leader of a team.
    pub(crate) fn leader(&self, team: Team) -> Option<u32> {
        if self.switches.leader_follows {
            self.board.leader(team)
        } else {
            self.board.seats_of(team).next().map(|seat| seat.player)
        }
    }

    /// Ends the game in this way: the winner, and the completed goals.
    pub(crate) fn end(&self, why: Why) -> Outcome {
        let has_players = |team: Team| {
            !self.switches.tie_needs_players
                || self.players.iter().any(|player| player.team == Some(team) && !player.is_gone())
        };
        Outcome::new(why, self.board.goals, Team::BOTH.map(has_players))
    }

    /// The player on a tile.
    pub fn pawn_at(&self, at: Position) -> Option<&Player> {
        self.players.iter().find(|player| player.position == Some(at))
    }
}
