//! Exchanges between players. They change only the knowledge of players, never an answer of the Game Master.

use alloc::{collections::BTreeMap, sync::Arc, vec::Vec};

use engine::CommId;

use super::Fold;
use crate::{
    event::Event,
    game::GAME_MASTER,
    refusal::Refusal,
    seen::{self, Seen},
    words::{Hearsay, Position, Tile},
};

impl Fold<'_> {
    pub(super) fn exchanged(&mut self, client: CommId, from: u32, to: u32, tiles: &[Hearsay]) -> Result<(), Refusal> {
        if client != GAME_MASTER {
            return Err(Refusal::OnlyGameMaster {});
        }
        self.game.may_exchange(from, to)?;
        let at = self.player(to).ok_or(Refusal::NotAPlayer {})?;

        self.board(Event::Told { from, to });
        let tiles = self.news(at, tiles);
        if !tiles.is_empty() {
            self.tell(at, Event::Learnt { from, tiles });
        }
        Ok(())
    }

    /// The tiles that are news for a player. If only the goal result of a tile is news, its other facts stay as the player
    /// knows them.
    fn news(&self, at: usize, tiles: &[Hearsay]) -> Arc<[Hearsay]> {
        let player = &self.game.players[at];
        let view = self.game.views.get(&player.client);
        let known = |tile: &Position| Some((*view?.tiles.get(tile)?, player.told.get(tile)?.at));
        let mut learnt: BTreeMap<Position, (Seen, u64)> = BTreeMap::new();
        let mut news = Vec::new();
        for Hearsay { tile, age } in tiles {
            let position = tile.position;
            if self.game.board.area.zone(position).is_none() {
                continue;
            }
            let before = learnt.get(&position).copied().or_else(|| known(&position));
            if let Some((seen, at)) = seen::learn_tile(before, tile, self.now.saturating_sub(*age)) {
                learnt.insert(position, (seen, at));
                let tile = Tile { object: tile.object, ..seen.tile(position) };
                news.push(Hearsay { tile, age: self.now.saturating_sub(at) });
            }
        }
        news.into()
    }
}
