//! Refusals of commands, with the facts and the words for them.

use alloc::sync::Arc;
use core::fmt;

use engine::messages;

messages! {
    /// Why a command is refused.
    #[allow(missing_docs, reason = "the fields are named after their types")]
    pub enum Refusal {
        /// All seats are taken.
        Full { seats: u32 },
        /// The game runs already.
        Running {},
        /// The setup lists who may play, and the hash is not among them.
        NotInvited {},
        /// The sender takes part under another hash.
        AlreadyJoined { player: u32 },
        /// The sender does not take part.
        NotAPlayer {},
        /// The Game Master does not play.
        NoGameMaster {},
        /// Only the Game Master may send this command.
        OnlyGameMaster {},
        /// The game does not run yet.
        NotBegun {},
        /// Too many requests wait already; this one is dropped.
        TooManyWaiting { id: Arc<str>, most: u32 },
        /// An id or a hash is too long.
        TooLong { most: u32 },
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Full { seats } => write!(f, "All {seats} seats are taken."),
            Self::Running {} => write!(f, "The game is running; no new player can join it."),
            Self::NotInvited {} => write!(f, "This game is for listed hashes only, and yours is not among them."),
            Self::AlreadyJoined { player } => write!(f, "You are player {player} already, under another hash."),
            Self::NotAPlayer {} => write!(f, "You do not take part; join first."),
            Self::NoGameMaster {} => write!(f, "The Game Master does not play."),
            Self::OnlyGameMaster {} => write!(f, "Only the Game Master can do that."),
            Self::NotBegun {} => write!(f, "The game has not started; it does when all seats are taken."),
            Self::TooManyWaiting { id, most } => {
                write!(f, "Request {id} is dropped: {most} requests are waiting already.")
            }
            Self::TooLong { most } => write!(f, "An id or a hash has at most {most} bytes."),
        }
    }
}
