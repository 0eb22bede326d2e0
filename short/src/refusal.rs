//! The refusals of commands, and the words for them.

use alloc::{
    borrow::Cow,
    string::{String, ToString},
    sync::Arc,
};
use core::fmt;

use engine::messages;

use crate::seat::Seat;

messages! {
    /// The reason why a command is refused. A text becomes [`Rule`](Self::Rule), so `play` can write `.ok_or("..")?`.
    #[allow(missing_docs, reason = "the fields are named after their types")]
    pub enum Refusal {
        /// A rule of the game forbids the move.
        Rule { because: Cow<'static, str> },
        /// It is the turn of another player; without one, of several others.
        NotYourTurn { next: Option<Arc<str>> },
        /// The game has not begun.
        NotBegun {},
        /// The game has begun, so no player can join or begin it.
        HasBegun {},
        /// The sender has no seat in this game.
        NotSeated {},
        /// The sender has a seat already.
        AlreadySeated { seat: Seat },
        /// All seats are taken, or reserved for bots.
        Full {},
        /// The name is empty or too long.
        BadName { most: u16 },
        /// Too few players have joined to begin.
        TooFew { least: u16, joined: u16 },
        /// The game begins by itself when all seats are taken.
        BeginsWhenFull { seats: u16 },
    }
}

impl From<&'static str> for Refusal {
    fn from(because: &'static str) -> Self {
        Self::Rule { because: because.into() }
    }
}

impl From<String> for Refusal {
    fn from(because: String) -> Self {
        Self::Rule { because: because.into() }
    }
}

impl From<serde_json::Error> for Refusal {
    fn from(error: serde_json::Error) -> Self {
        error.to_string().into()
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rule { because } => f.write_str(because),
            Self::NotYourTurn { next: Some(name) } => write!(f, "It is the turn of {name}."),
            Self::NotYourTurn { next: None } => write!(f, "It is not your turn."),
            Self::NotBegun {} => write!(f, "The game has not begun; it waits for players."),
            Self::HasBegun {} => write!(f, "The game has begun."),
            Self::NotSeated {} => write!(f, "You do not play in this game; Join it while a seat is free."),
            Self::AlreadySeated { seat } => write!(f, "You have {seat} already."),
            Self::Full {} => write!(f, "All seats are taken; you can watch."),
            Self::BadName { most } => write!(f, "A name has 1 to {most} characters."),
            Self::TooFew { least, joined: 1 } => write!(f, "The game needs {least} players; 1 has joined."),
            Self::TooFew { least, joined } => write!(f, "The game needs {least} players; {joined} have joined."),
            Self::BeginsWhenFull { seats } => write!(f, "The game begins when all {seats} seats are taken."),
        }
    }
}

impl core::error::Error for Refusal {}
