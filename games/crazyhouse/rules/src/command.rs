//! The commands of clients.

use alloc::sync::Arc;

use engine::messages;

use crate::piece::Side;

messages! {
    /// A command, with its arguments in order.
    #[allow(missing_docs, reason = "the fields are named after their types")]
    pub enum Command {
        /// Takes a side; without one, a free one.
        Join { name: Arc<str>, side: Option<Side> },
        /// Makes a move, such as `b3-c4`, or a drop, such as `P-e6`.
        Move { text: Arc<str> },
        /// Offers a draw. The offer stands until the opponent answers or moves.
        OfferDraw {},
        /// Accepts the opponent's offer: the game is drawn.
        AcceptDraw {},
        /// Declines the opponent's offer.
        DeclineDraw {},
        /// Resigns, with an optional reason for people.
        Resign { because: Option<Arc<str>> },
        /// Ends the game without a result, while it waits for a player or before a side has made its second move.
        Abort {},
        /// Asks the opponent to undo the sender's last move, and the answer to it. The question stands until the opponent
        /// answers or a side moves.
        AskTakeback {},
        /// Allows the opponent to take the move back.
        AllowTakeback {},
        /// Does not allow the opponent to take the move back.
        RefuseTakeback {},
        /// Claims the win because the opponent has left. The host decides whether the opponent has been away for long enough.
        Claim {},
    }
}
