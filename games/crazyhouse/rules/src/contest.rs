//! A game between two sides: moves, draw offers and the end. It does not contain the players.

use alloc::{string::String, sync::Arc, vec::Vec};

use crate::{
    moves::{Move, MoveList},
    notation::PositionError,
    outcome::{Outcome, Reason},
    piece::Side,
    position::Position,
    refusal::Refusal,
};

/// The longest part of a bad move text that a refusal repeats.
const LONGEST_ECHO: usize = 20;

/// A game: the position, the moves before it, and the outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contest {
    position: Position,
    history: Vec<Played>,
    /// The side whose draw offer is not answered yet.
    offer: Option<Side>,
    /// The side that has asked to take its move back, and has no answer yet.
    asked: Option<Side>,
    outcome: Option<Outcome>,
}

/// A move that was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    /// The move.
    pub played: Move,
    /// The position before it.
    pub before: Position,
}

impl Contest {
    /// A game that starts in a position.
    pub fn new(position: Position) -> Self {
        Self { position, history: Vec::new(), offer: None, asked: None, outcome: None }
    }

    /// The current position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The moves so far.
    pub fn history(&self) -> &[Played] {
        &self.history
    }

    /// The side whose draw offer is not answered yet.
    pub fn offer(&self) -> Option<Side> {
        self.offer
    }

    /// The side that has asked to take its move back, and has no answer yet.
    pub fn asked(&self) -> Option<Side> {
        self.asked
    }

    /// The end of the game, if it is over.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// The text of the board.
    pub fn board(&self) -> String {
        self.position.board()
    }

    /// Starts again with this board and the same side to move.
    ///
    /// # Errors
    ///
    /// The text is not a board.
    pub fn set_board(&mut self, text: &str) -> Result<(), PositionError> {
        *self = Self::new(Position::read_board(text, self.position.turn())?);
        Ok(())
    }

    /// Starts again with the same board and this side to move.
    pub fn set_next_player(&mut self, side: Side) {
        let mut position = self.position;
        position.set_turn(side);
        *self = Self::new(position);
    }

    /// Makes a legal move. A mate ends the game.
    ///
    /// # Errors
    ///
    /// The refusal of the move.
    pub fn try_move(&mut self, player: Side, text: &str) -> Result<Move, Refusal> {
        let legal = self.check_move(player, text)?;

        self.make(legal);
        if self.position.is_mate() {
            self.outcome = Some(Outcome::won(player, Reason::Checkmate));
        }
        Ok(legal)
    }

    /// Reads a move that the player may make now.
    ///
    /// # Errors
    ///
    /// The refusal of the move.
    pub fn check_move(&self, player: Side, text: &str) -> Result<Move, Refusal> {
        self.check_running()?;
        if player != self.position.turn() {
            return Err(Refusal::NotYourTurn { next: self.position.turn() });
        }
        let Some(wanted) = Move::read(text) else {
            let text: String = text.chars().take(LONGEST_ECHO).collect();
            return Err(Refusal::NotAMove { text: Arc::from(text) });
        };
        let mut moves = MoveList::new();
        self.position.legal_moves(&mut moves);
        let takes_king = self.position.pieces(player.other(), crate::Kind::King) & wanted.to().bit() != 0;
        if takes_king || !moves.as_slice().contains(&wanted) {
            return Err(Refusal::of(&self.position, wanted));
        }
        Ok(wanted)
    }

    /// Makes a legal move. It declines the opponent's draw offer, and ends every question about a takeback.
    pub(crate) fn make(&mut self, legal: Move) {
        self.asked = None;
        if self.offer == Some(self.position.turn().other()) {
            self.offer = None;
        }
        self.history.push(Played { played: legal, before: self.position });
        self.position = self.position.after(legal);
    }

    /// Offers a draw.
    ///
    /// # Errors
    ///
    /// The game is over, or there is an offer already.
    pub fn offer_draw(&mut self, player: Side) -> Result<(), Refusal> {
        self.check_offer(player)?;
        self.offer = Some(player);
        Ok(())
    }

    /// Accepts the opponent's draw offer.
    ///
    /// # Errors
    ///
    /// The game is over, or there is no offer.
    pub fn accept_draw(&mut self, player: Side) -> Result<(), Refusal> {
        self.check_answer(player)?;
        self.end(Outcome::drawn(Reason::Agreement));
        Ok(())
    }

    /// Declines the opponent's draw offer.
    ///
    /// # Errors
    ///
    /// The game is over, or there is no offer.
    pub fn decline_draw(&mut self, player: Side) -> Result<(), Refusal> {
        self.check_answer(player)?;
        self.offer = None;
        Ok(())
    }

    /// Resigns.
    ///
    /// # Errors
    ///
    /// The game is over.
    pub fn resign(&mut self, player: Side) -> Result<(), Refusal> {
        self.check_running()?;
        self.end(Outcome::won(player.other(), Reason::Resignation));
        Ok(())
    }

    /// Asks to take the player's last move back.
    ///
    /// # Errors
    ///
    /// The game is over, the player has not moved, or there is a question already.
    pub fn ask_takeback(&mut self, player: Side) -> Result<(), Refusal> {
        self.check_ask(player)?;
        self.asked = Some(player);
        Ok(())
    }

    /// Allows the opponent to take the last move back, with the answer to it. Returns the number of moves that are undone.
    ///
    /// # Errors
    ///
    /// The game is over, or the opponent has not asked.
    pub fn allow_takeback(&mut self, player: Side) -> Result<usize, Refusal> {
        self.check_asked(player)?;
        let undone = self.undone_for(player.other());
        self.take_back(undone);
        Ok(undone)
    }

    /// Does not allow the opponent to take the last move back.
    ///
    /// # Errors
    ///
    /// The game is over, or the opponent has not asked.
    pub fn refuse_takeback(&mut self, player: Side) -> Result<(), Refusal> {
        self.check_asked(player)?;
        self.asked = None;
        Ok(())
    }

    /// The number of moves that a takeback of this side undoes: its own last move, and the answer if there is one.
    pub(crate) fn undone_for(&self, asker: Side) -> usize {
        if self.position.turn() == asker { 2 } else { 1 }
    }

    /// Undoes moves. Open offers and questions were about a position that is gone.
    pub(crate) fn take_back(&mut self, moves: usize) {
        for _ in 0..moves {
            if let Some(last) = self.history.pop() {
                self.position = last.before;
            }
        }
        (self.offer, self.asked) = (None, None);
    }

    pub(crate) fn end(&mut self, outcome: Outcome) {
        self.outcome = Some(outcome);
    }

    pub(crate) fn set_offer(&mut self, offer: Option<Side>) {
        self.offer = offer;
    }

    pub(crate) fn set_asked(&mut self, asked: Option<Side>) {
        self.asked = asked;
    }

    fn check_running(&self) -> Result<(), Refusal> {
        if self.outcome.is_some() { Err(Refusal::GameOver {}) } else { Ok(()) }
    }

    /// Whether the player may offer a draw.
    pub(crate) fn check_offer(&self, player: Side) -> Result<(), Refusal> {
        self.check_running()?;
        match self.offer {
            Some(by) if by == player => Err(Refusal::AlreadyOffered {}),
            Some(_) => Err(Refusal::AnswerOffer {}),
            None => Ok(()),
        }
    }

    /// Whether the player is offered a draw.
    pub(crate) fn check_answer(&self, player: Side) -> Result<(), Refusal> {
        self.check_running()?;
        if self.offer == Some(player.other()) { Ok(()) } else { Err(Refusal::NoOffer {}) }
    }

    /// Whether a game that has begun can still be aborted: no side has made its second move.
    pub(crate) fn check_abort(&self) -> Result<(), Refusal> {
        self.check_running()?;
        if self.history.len() < 3 { Ok(()) } else { Err(Refusal::TooLateToAbort {}) }
    }

    /// Whether the player may ask for a takeback.
    pub(crate) fn check_ask(&self, player: Side) -> Result<(), Refusal> {
        self.check_running()?;
        match self.asked {
            Some(by) if by == player => Err(Refusal::AlreadyAsked {}),
            Some(_) => Err(Refusal::AnswerTakeback {}),
            None if self.history.len() < self.undone_for(player) => Err(Refusal::NothingToTakeBack {}),
            None => Ok(()),
        }
    }

    /// Whether the opponent asks the player for a takeback.
    pub(crate) fn check_asked(&self, player: Side) -> Result<(), Refusal> {
        self.check_running()?;
        if self.asked == Some(player.other()) { Ok(()) } else { Err(Refusal::NoTakeback {}) }
    }
}
