//! The hosted game: the public facts, the facts of each player, and the secrets of the game. `rules` has the effects of commands.

use alloc::{sync::Arc, vec::Vec};

use engine::{CommId, JavaRandom};
use serde::{Deserialize, Serialize};

use crate::{
    board::Board,
    chart::Placement,
    half::Report,
    map::{Position, Terrain},
    player::Player,
    private::Private,
    profile::Profile,
    view::ViewRef,
};

/// The host itself, which can remove a game and never plays.
pub const HOST: CommId = CommId(0);

/// A game and its rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    pub(crate) board: Board,
    /// The rules for halves. They depend on the version of the rulebook, which a board does not know.
    pub(crate) halves: Arc<Profile>,
    pub(crate) clients: [Option<CommId>; 2],
    pub(crate) private: [Option<Private>; 2],
    pub(crate) treasures: [Option<Position>; 2],
    /// The side of each half, drawn with the first one.
    pub(crate) placements: [Option<Placement>; 2],
    /// The first half, which is secret until the second one is there.
    pub(crate) kept: Option<Kept>,
    /// The number of unreadable messages of each player.
    pub(crate) noted: [u8; 2],
    pub(crate) random: JavaRandom,
    pub(crate) seed: i64,
}

/// A half that waits for the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Kept {
    pub(crate) player: Player,
    pub(crate) placement: Placement,
    pub(crate) report: Report,
    pub(crate) terrain: Vec<Terrain>,
}

/// The timers of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Timer {
    /// The player to act has thought too long.
    Think,
    /// The game has taken too long.
    Game,
    /// The second player has not come in time.
    Lobby,
}

/// A player, as the host knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// First or second.
    pub player: Player,
    /// The client.
    pub client: CommId,
    /// The secret id.
    pub id: Arc<str>,
    /// The first name.
    pub first_name: Arc<str>,
    /// The last name.
    pub last_name: Arc<str>,
    /// The account; in 2017 the matriculation number.
    pub account: Arc<str>,
    /// The start of its avatar, once its half was taken.
    pub start: Option<Position>,
}

impl Game {
    /// The public facts, without a copy.
    pub fn public(&self) -> &Board {
        &self.board
    }

    /// The registered players, in their order.
    pub fn players(&self) -> Vec<Member> {
        Player::BOTH.into_iter().filter_map(|player| self.member(player)).collect()
    }

    /// A player, once registered.
    pub fn member(&self, player: Player) -> Option<Member> {
        let (private, entrant) = (self.private[player as usize].as_ref()?, self.board.entrant(player)?);
        Some(Member {
            player,
            client: self.clients[player as usize]?,
            id: private.id.clone(),
            first_name: entrant.first_name.clone(),
            last_name: entrant.last_name.clone(),
            account: private.account.clone(),
            start: private.fort,
        })
    }

    /// Which player a client is.
    pub fn player_of(&self, client: CommId) -> Option<Player> {
        Player::BOTH.into_iter().find(|player| self.clients[*player as usize] == Some(client))
    }

    /// The client to act.
    pub fn turn(&self) -> Option<CommId> {
        self.board.turn().and_then(|player| self.clients[player as usize])
    }

    /// The place of a player's treasure, also after it was found.
    pub fn treasure(&self, player: Player) -> Option<Position> {
        self.treasures[player as usize]
    }

    /// The facts that only this player may know.
    pub fn private(&self, player: Player) -> Option<&Private> {
        self.private[player as usize].as_ref()
    }

    /// The game as one client knows it, without a copy.
    pub fn view_ref(&self, client: CommId) -> ViewRef<'_> {
        let private = self.player_of(client).and_then(|player| self.private(player));
        ViewRef { board: &self.board, private }
    }
}
