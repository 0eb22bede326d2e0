//! The refusals of commands, with the facts, and the words for them.

use alloc::sync::Arc;
use core::fmt;

use engine::messages;

use crate::{
    moves::{Move, Origin},
    piece::{Piece, Side},
    position::Position,
    reach::reaches,
    square::{ENDS, Square},
};

messages! {
    /// The reason why a command is refused, with its facts.
    #[allow(missing_docs, reason = "the fields are named after their types")]
    pub enum Refusal {
        /// The text does not have the form of a move.
        NotAMove { text: Arc<str> },
        /// It is the other side's move.
        NotYourTurn { next: Side },
        /// There is no piece to move.
        NothingThere { square: Square },
        /// The piece on this square is the other side's.
        NotYourPiece { square: Square, piece: Piece },
        /// The letter is one of the other side's pieces.
        NotYourPocket { piece: Piece },
        /// The pocket has no such piece.
        NotInPocket { piece: Piece },
        /// A drop needs an empty square.
        Occupied { square: Square },
        /// No pawn is dropped on the first or the last rank.
        PawnRank { square: Square },
        /// A piece of the same side is there.
        OwnPiece { square: Square },
        /// A king is never taken.
        KingStands { square: Square },
        /// The piece does not move like this, or something is in its way.
        CannotReach { piece: Piece, square: Square },
        /// The own king would be in check.
        KingInCheck {},
        /// The game is over.
        GameOver {},
        /// The players are not all there.
        NotBegun {},
        /// The sender has no seat in this game.
        NotSeated {},
        /// The sender has a seat already.
        AlreadySeated { side: Side },
        /// Another player has this side, or it is reserved for one.
        SideTaken { side: Side, by: Arc<str> },
        /// Both sides are taken.
        Full {},
        /// The sender has offered a draw, and the opponent has not answered.
        AlreadyOffered {},
        /// The opponent has offered a draw, which can be accepted or declined.
        AnswerOffer {},
        /// There is no offer of a draw to answer.
        NoOffer {},
        /// The reason for resigning is too long.
        ReasonTooLong { most: u16 },
        /// A side has made its second move, so the game counts.
        TooLateToAbort {},
        /// The sender has not made a move that could be taken back.
        NothingToTakeBack {},
        /// The sender has asked to take a move back, and the opponent has not answered.
        AlreadyAsked {},
        /// The opponent has asked to take a move back, which can be allowed or refused.
        AnswerTakeback {},
        /// There is no question about a takeback to answer.
        NoTakeback {},
        /// The game began under an older version of the rules, which does not have the command.
        NotInThisVersion { version: u32 },
    }
}

impl Refusal {
    /// The reason why a well-formed move is illegal.
    pub(crate) fn of(position: &Position, illegal: Move) -> Self {
        match illegal.origin() {
            Origin::Pocket(piece) => Self::of_drop(position, piece, illegal.to()),
            Origin::Board(from) => Self::of_shift(position, from, illegal.to()),
        }
    }

    fn of_drop(position: &Position, piece: Piece, square: Square) -> Self {
        if piece.side != position.turn() {
            return Self::NotYourPocket { piece };
        }
        if position.held(piece.side, piece.kind) == 0 {
            return Self::NotInPocket { piece };
        }
        match position.piece_at(square) {
            Some(_) => Self::Occupied { square },
            None if piece.kind == crate::Kind::Pawn && square.bit() & ENDS != 0 => Self::PawnRank { square },
            None => Self::KingInCheck {},
        }
    }

    fn of_shift(position: &Position, from: Square, square: Square) -> Self {
        let piece = match position.piece_at(from) {
            None => return Self::NothingThere { square: from },
            Some(piece) if piece.side != position.turn() => return Self::NotYourPiece { square: from, piece },
            Some(piece) => piece,
        };
        match position.piece_at(square) {
            Some(taken) if taken.side == piece.side => Self::OwnPiece { square },
            Some(_) | None if !reaches(position, piece, from, square) => Self::CannotReach { piece, square },
            Some(taken) if taken.kind == crate::Kind::King => Self::KingStands { square },
            Some(_) | None => Self::KingInCheck {},
        }
    }
}

/// The valid forms of a move, for people.
const FORMS: &str = "a move is like b3-c4, a drop like r-c4 (black) or P-e6 (white)";

impl fmt::Display for Refusal {
    #[expect(clippy::too_many_lines, reason = "one line for each refusal")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAMove { text } => write!(f, "{text:?} is not a move; {FORMS}."),
            Self::NotYourTurn { next } => write!(f, "It is {next}'s move."),
            Self::NothingThere { square } => write!(f, "There is no piece on {square}."),
            Self::NotYourPiece { square, piece } => write!(f, "On {square} is a {piece}, which is not yours."),
            Self::NotYourPocket { piece } => write!(f, "{} is not yours; drop {}.", piece.letter(), own(*piece)),
            Self::NotInPocket { piece } => write!(f, "You have no {} in your pocket.", piece.kind.name()),
            Self::Occupied { square } => write!(f, "{square} is not empty; a piece is dropped on an empty square."),
            Self::PawnRank { square } => write!(f, "{square} is on an end rank, where no pawn is dropped."),
            Self::OwnPiece { square } => write!(f, "Your own piece is on {square}."),
            Self::KingStands { square } => write!(f, "The king on {square} cannot be taken."),
            Self::CannotReach { piece, square } => write!(f, "The {} cannot go to {square}.", piece.kind.name()),
            Self::KingInCheck {} => write!(f, "Your king would be in check."),
            Self::GameOver {} => write!(f, "The game is over."),
            Self::NotBegun {} => write!(f, "The game has not begun; it does when both players are there."),
            Self::NotSeated {} => write!(f, "You do not play in this game; Join it while a side is free."),
            Self::AlreadySeated { side } => write!(f, "You play {side} already."),
            Self::SideTaken { side, by } => write!(f, "{side} is played by {by}."),
            Self::Full {} => write!(f, "Both sides are taken; you can watch."),
            Self::AlreadyOffered {} => write!(f, "You have offered a draw; wait for the answer."),
            Self::AnswerOffer {} => write!(f, "The other player has offered a draw: accept or decline it."),
            Self::NoOffer {} => write!(f, "There is no draw offer."),
            Self::ReasonTooLong { most } => write!(f, "A reason has at most {most} characters."),
            Self::TooLateToAbort {} => write!(f, "It is too late to abort: a side has made its second move; resign."),
            Self::NothingToTakeBack {} => write!(f, "You have not made a move that could be taken back."),
            Self::AlreadyAsked {} => write!(f, "You have asked to take a move back; wait for the answer."),
            Self::AnswerTakeback {} => write!(f, "The other player asks to take a move back: allow or refuse it."),
            Self::NoTakeback {} => write!(f, "The other player has not asked to take a move back."),
            Self::NotInThisVersion { version } => {
                write!(f, "This game has version {version} of the rules, without takebacks, aborting and claims.")
            }
        }
    }
}

/// The letter of the other side's piece of the same kind.
fn own(piece: Piece) -> char {
    Piece { side: piece.side.other(), ..piece }.letter()
}
