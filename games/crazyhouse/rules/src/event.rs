//! The events of a game, as clients receive them.

use alloc::sync::Arc;

use engine::messages;

use crate::{outcome::Outcome, piece::Side, position::Position, refusal::Refusal, setup::Pace};

messages! {
    /// An event, with its arguments in order.
    #[allow(missing_docs, reason = "the fields are named after their types")]
    pub enum Event {
        /// The side that this client plays.
        Seated { side: Side },
        /// The last command was refused.
        Refused { refusal: Refusal },
        /// A player has taken a side.
        Joined { side: Side, name: Arc<str> },
        /// Both players are there, and the game begins with the position as `BOARD w` or `BOARD b`.
        Began { white: Arc<str>, black: Arc<str>, position: Position, clock: Option<Pace> },
        /// A move was made: the position after it, whether it gives check, and in a game with a clock the milliseconds that
        /// the side has left.
        Moved { side: Side, text: Arc<str>, position: Position, check: bool, left: Option<u64> },
        /// A side offers a draw.
        DrawOffered { side: Side },
        /// A side declines the opponent's offer.
        DrawDeclined { side: Side },
        /// The game is over.
        Finished { outcome: Outcome, because: Option<Arc<str>> },
        /// A side asks to take its last move back.
        TakebackAsked { side: Side },
        /// A side does not allow the opponent to take the move back.
        TakebackRefused { side: Side },
        /// The last move of a side was taken back, with the answer to it: how many moves were undone, the position before them,
        /// and in a game with a clock the milliseconds that each side has left.
        TakenBack { side: Side, moves: u8, position: Position, white_left: Option<u64>, black_left: Option<u64> },
    }
}
