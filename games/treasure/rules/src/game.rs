//! The hosted game: the board, what each player was told, and what nobody knows. What a command does is in `rules`.

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
    view::ViewRef,
};

/// The host itself, which can remove a game and never plays.
pub const HOST: CommId = CommId(0);

/// A game and its rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    pub(crate) board: Board,
    pub(crate) clients: [Option<CommId>; 2],
    pub(crate) private: [Option<Private>; 2],
    pub(crate) treasures: [Option<Position>; 2],
    /// Where each half belongs, drawn with the first one.
    pub(crate) placements: [Option<Placement>; 2],
    /// A half that nobody may know before the other is there.
    pub(crate) kept: Option<Kept>,
    /// How often each player sent something unreadable.
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

/// What a game waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Timer {
    /// Who must act has thought too long.
    Think,
    /// The game has taken too long.
    Game,
    /// Two players should be there.
    Lobby,
}

/// Somebody who plays, as the host knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    pub player: Player,
    pub client: CommId,
    pub id: Arc<str>,
    pub first_name: Arc<str>,
    pub last_name: Arc<str>,
    pub account: Arc<str>,
    /// Where its avatar starts, once its half is there.
    pub start: Option<Position>,
}

impl Game {
    /// What everybody may know, without a copy.
    pub fn public(&self) -> &Board {
        &self.board
    }

    /// Who plays, in the order in which they registered.
    pub fn players(&self) -> Vec<Member> {
        Player::BOTH.into_iter().filter_map(|player| self.member(player)).collect()
    }

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

    /// Whose turn it is.
    pub fn turn(&self) -> Option<CommId> {
        self.board.turn().and_then(|player| self.clients[player as usize])
    }

    /// Where a player's treasure is hidden or was found.
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
