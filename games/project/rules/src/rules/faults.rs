//! Lost connections, and new pieces.

use alloc::vec::Vec;

use engine::CommId;

use super::Fold;
use crate::{
    area::Zone, event::Event, game::Timer, ground::Piece, note::Note, player::Connection, refusal::Refusal,
    words::Position,
};

impl Fold<'_> {
    pub(super) fn lost(&mut self, client: CommId) -> Result<(), Refusal> {
        let at = self.seat(client)?;

        let player = &mut self.game.players[at];
        if player.connection == Connection::Here {
            player.connection = Connection::Lost;
            let id = player.id;
            self.outbox.set_timer(Timer::Return { player: id }, self.game.setup.patience_ms());
            self.board(Event::Lost { player: id });
        }
        Ok(())
    }

    /// Removes a lost player that did not come back in time.
    pub(super) fn leave(&mut self, player: u32) {
        let Some(at) = self.player(player) else { return };
        if !self.game.board.begun {
            self.free_seat(at);
            return;
        }
        let gone = &mut self.game.players[at];
        gone.connection = Connection::Gone;
        gone.waiting.clear();
        if gone.current.take().is_some() {
            self.outbox.cancel_timer(Timer::Action { player });
        }
        let (client, stood, load) = (gone.client, gone.position.take(), gone.load.take());
        self.board(Event::Left { player });
        self.outbox.unseat(client);
        if let (Some(stood), Some(load)) = (stood, load) {
            self.drop_piece(player, stood, load.piece);
        }
        self.check_end();
    }

    /// Puts the piece of a removed player on the nearest free tile of the task area.
    fn drop_piece(&mut self, player: u32, stood: Position, piece: Piece) {
        let at = self.game.ground.nearest_free(stood);
        if let Some(at) = at {
            self.game.ground.put(at, piece);
        }
        self.note(Note::PieceFell { player, at });
    }

    /// Adds a piece if fewer pieces than at the start lie in the task area or are carried.
    pub(super) fn respawn(&mut self) {
        self.await_respawn();
        let game = &mut *self.game;
        let carried = game.players.iter().filter(|player| player.load.is_some()).count();
        if game.ground.in_task_area().count() + carried >= usize::try_from(game.setup.pieces).unwrap_or(0) {
            return;
        }
        let free = |tile: &Position| game.ground.piece_at(*tile).is_none();
        let tiles: Vec<Position> = game.setup.area().tiles(Zone::Task).filter(free).collect();
        let at = tiles[game.lots.below(tiles.len())];
        let sham = (game.lots.below(100) as i32) < game.setup.shams_percentage;
        game.ground.put(at, Piece { sham });
        self.note(Note::PieceCame { at, sham });
    }

    pub(super) fn await_respawn(&mut self) {
        if let Some(interval) = self.game.setup.respawn_interval.filter(|interval| *interval > 0) {
            self.outbox.set_timer(Timer::Respawn, interval);
        }
    }
}
