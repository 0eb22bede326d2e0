//! The actions and their answers.

use alloc::sync::Arc;

use super::Fold;
use crate::{
    answer::Answer,
    area::Zone,
    ground::Piece,
    note::Note,
    player::{Action, Load},
    words::{Direction, Placed, Position, Tested, Tile, TileObject},
};

impl Fold<'_> {
    pub(super) fn act(&mut self, at: usize, action: Action) -> Answer {
        let position = self.game.players[at].position.expect("who plays has a pawn");
        match action {
            Action::Move(direction) => self.step(at, position, direction),
            Action::Discover => self.discover(position),
            Action::PickUp => self.pick_up(at, position),
            Action::Test => self.test(at),
            Action::Place => self.place(at, position),
        }
    }

    fn step(&mut self, at: usize, from: Position, direction: Direction) -> Answer {
        let to = from.toward(direction);
        if !self.may_enter(at, to) {
            return Answer::Moved { success: false, position: from, distance: None };
        }
        self.game.players[at].position = Some(to);
        Answer::Moved { success: true, position: to, distance: Some(self.game.ground.distance(to)) }
    }

    /// Whether a player may enter a tile: it is on the board, not in the other team's goal area, and has no player on it.
    fn may_enter(&self, at: usize, to: Position) -> bool {
        let open = match self.game.ground.area().zone(to) {
            None => false,
            Some(Zone::Task) => true,
            Some(Zone::Goal(team)) => self.game.players[at].team == Some(team),
        };
        open && self.game.pawn_at(to).is_none()
    }

    fn discover(&self, from: Position) -> Answer {
        let game = &*self.game;
        let tile = |position: Position| Tile {
            position,
            distance: game.ground.distance(position),
            player: game.pawn_at(position).and_then(|player| Some((player.id, player.team?))),
            object: if game.ground.piece_at(position).is_some() { TileObject::Piece } else { TileObject::Nothing },
        };
        let tiles: Arc<[Tile]> = game.ground.area().around(from).map(tile).collect();
        Answer::Discovered { tiles }
    }

    fn pick_up(&mut self, at: usize, position: Position) -> Answer {
        if self.game.players[at].load.is_some() {
            return Answer::PickedUp { success: false };
        }
        let piece = self.game.ground.take(position);
        self.game.players[at].load = piece.map(|piece| Load { piece, tested: false });
        Answer::PickedUp { success: piece.is_some() }
    }

    fn test(&mut self, at: usize) -> Answer {
        let player = &mut self.game.players[at];
        let Some(load) = &mut player.load else {
            let note = Note::NothingToTest { player: player.id };
            self.note(note);
            return Answer::Silence;
        };
        if !load.piece.sham {
            load.tested = true;
            return Answer::Tested { result: Tested::Piece };
        }
        self.lose_sham(at);
        Answer::Tested { result: Tested::Sham }
    }

    fn place(&mut self, at: usize, position: Position) -> Answer {
        let Some(load) = self.game.players[at].load.filter(|_| self.may_place(at, position)) else {
            return Answer::Placed { result: Placed::Disallowed };
        };
        if load.piece.sham {
            self.lose_sham(at);
            self.note(Note::ShamPlaced { player: self.game.players[at].id, at: position });
            return Answer::Silence;
        }
        self.game.players[at].load = None;
        Answer::Placed { result: self.use_piece(at, position, load.piece) }
    }

    /// Whether a player may place a piece on a tile: it is in the goal area of its own team, and has no piece and no completed
    /// goal.
    fn may_place(&self, at: usize, position: Position) -> bool {
        let (ground, team) = (&self.game.ground, self.game.players[at].team);
        let own = team.is_some_and(|team| ground.area().zone(position) == Some(Zone::Goal(team)));
        own && ground.piece_at(position).is_none() && ground.goal_at(position) != Some(true)
    }

    fn use_piece(&mut self, at: usize, position: Position, piece: Piece) -> Placed {
        if self.game.ground.goal_at(position).is_none() {
            self.game.ground.put(position, piece);
            return Placed::Meaningless;
        }
        self.game.ground.complete(position);
        self.game.players[at].counts.goals += 1;
        self.await_progress();
        Placed::Completed
    }

    fn lose_sham(&mut self, at: usize) {
        let player = &mut self.game.players[at];
        player.load = None;
        player.counts.shams += 1;
        self.await_progress();
    }
}
