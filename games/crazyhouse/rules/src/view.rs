//! The facts that one client knows: the board, and its own side.

use crate::{board::Board, event::Event, piece::Side, setup::Setup};

/// A game as one client sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// The board that everyone sees.
    pub board: Board,
    /// The side that the client plays.
    pub side: Option<Side>,
}

impl View {
    /// Whether the client is to move.
    pub fn is_my_turn(&self) -> bool {
        let running = self.board.has_begun() && self.board.outcome().is_none();
        running && self.side == Some(self.board.contest().position().turn())
    }
}

impl View {
    /// The view before the first event.
    pub(crate) fn new(setup: &Setup) -> Self {
        Self { board: Board::new(setup), side: None }
    }

    pub(crate) fn apply(&mut self, event: &Event) {
        self.board.apply(event);
        if let Event::Seated { side } = event {
            self.side = Some(*side);
        }
    }
}
