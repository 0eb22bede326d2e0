//! What a client can ask for.

use alloc::sync::Arc;

use engine::messages;

use crate::piece::Side;

messages! {
    /// A command, with its arguments in order.
    pub enum Command {
        /// Takes a side; without one, a free one.
        Join { name: Arc<str>, side: Option<Side> },
        /// Makes a move, such as `b3-c4`, or a drop, such as `P-e6`.
        Move { text: Arc<str> },
        /// Offers a draw. The offer stands until it is answered or the other moves.
        OfferDraw {},
        /// Accepts the other's offer: the game is drawn.
        AcceptDraw {},
        /// Declines the other's offer.
        DeclineDraw {},
        /// Gives the game up, perhaps with a reason for people.
        Resign { because: Option<Arc<str>> },
    }
}
