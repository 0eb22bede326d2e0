//! The events of a game, as clients receive them.

use alloc::{
    format,
    string::{String, ToString},
    sync::Arc,
    vec::Vec,
};
use core::fmt::Debug;

use engine::{Field, Kind, Message, command_label};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{outcome::Ending, refusal::Refusal, seat::Seat};

/// An event. `M` are the moves of the game, and `V` is its state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Event<M, V> {
    /// The last command was refused.
    Refused {
        /// The reason.
        refusal: Refusal,
    },
    /// The seat of this client.
    Seated {
        /// The seat.
        seat: Seat,
    },
    /// A player has taken a seat.
    Joined {
        /// The seat.
        seat: Seat,
        /// The player's name.
        name: Arc<str>,
    },
    /// The game has begun.
    Began {
        /// The version of the rules.
        version: u32,
        /// The number of players.
        seats: usize,
        /// The numbers that chance drew. `None` in a game with secrets.
        drawn: Option<Vec<u32>>,
    },
    /// In a game without secrets: a seat has moved.
    Played {
        /// The seat.
        seat: Seat,
        /// The move.
        play: M,
        /// In a game with a clock, the milliseconds that the seat has left.
        left: Option<u64>,
        /// The numbers that chance drew, if there are any.
        drawn: Option<Vec<u32>>,
    },
    /// In a game with secrets: a seat has moved. What the receiver sees of it was told before.
    Moved {
        /// The seat.
        seat: Seat,
        /// The move, if everyone may know it.
        play: Option<M>,
        /// In a game with a clock, the milliseconds that the seat has left.
        left: Option<u64>,
    },
    /// In a game with secrets: what the receiver may know now.
    Seen {
        /// The game without what the receiver must not know.
        view: V,
        /// The receiver. `None` for spectators.
        seat: Option<Seat>,
    },
    /// The game is over.
    Finished {
        /// The result, and what ended the game.
        ending: Ending,
    },
}

impl<M: Message, V> Event<M, V> {
    /// The event in words that need no board, for clients that fold nothing. A view has none: its data says it.
    pub fn words(&self) -> Option<String> {
        Some(match self {
            Self::Refused { refusal } => refusal.to_string(),
            Self::Seated { seat } => format!("You have {seat}."),
            Self::Joined { seat, name } => format!("{name} takes {seat}."),
            Self::Began { .. } => "The game begins.".into(),
            Self::Played { seat, play, .. } | Self::Moved { seat, play: Some(play), .. } => {
                format!("{seat}: {}", move_words(play))
            }
            Self::Moved { seat, play: None, .. } => format!("{seat} moves."),
            Self::Seen { .. } => return None,
            Self::Finished { ending } => ending.to_string(),
        })
    }
}

/// The kind of a move and its arguments in small letters: `PutDown { card: 3 }` is `put down 3`.
pub(crate) fn move_words<M: Message>(play: &M) -> String {
    let label = command_label(play);
    let mut letters = label.chars();
    letters.next().into_iter().flat_map(char::to_lowercase).chain(letters).collect()
}

const SEAT: Field = Field { name: "seat", form: "Seat" };
const LEFT: Field = Field { name: "left", form: "Option<u64>" };
const DRAWN: Field = Field { name: "drawn", form: "Option<Vec<u32>>" };

const KINDS: &[Kind] = &[
    Kind {
        name: "Refused",
        about: " The last command was refused.",
        fields: &[Field { name: "refusal", form: "Refusal" }],
    },
    Kind { name: "Seated", about: " The seat of this client.", fields: &[SEAT] },
    Kind {
        name: "Joined",
        about: " A player has taken a seat.",
        fields: &[SEAT, Field { name: "name", form: "String" }],
    },
    Kind {
        name: "Began",
        about: " The game has begun.",
        fields: &[Field { name: "version", form: "u32" }, Field { name: "seats", form: "u64" }, DRAWN],
    },
    Kind {
        name: "Played",
        about: " In a game without secrets: a seat has moved.",
        fields: &[SEAT, Field { name: "play", form: "Move" }, LEFT, DRAWN],
    },
    Kind {
        name: "Moved",
        about: " In a game with secrets: a seat has moved. What the receiver sees of it was told before.",
        fields: &[SEAT, Field { name: "play", form: "Option<Move>" }, LEFT],
    },
    Kind {
        name: "Seen",
        about: " In a game with secrets: what the receiver may know now.",
        fields: &[Field { name: "view", form: "Game" }, Field { name: "seat", form: "Option<Seat>" }],
    },
    Kind { name: "Finished", about: " The game is over.", fields: &[Field { name: "ending", form: "Ending" }] },
];

impl<M: Message, V: Clone + Debug + Eq + Serialize + DeserializeOwned> Message for Event<M, V> {
    const KINDS: &'static [Kind] = KINDS;

    fn number(&self) -> usize {
        match self {
            Self::Refused { .. } => 0,
            Self::Seated { .. } => 1,
            Self::Joined { .. } => 2,
            Self::Began { .. } => 3,
            Self::Played { .. } => 4,
            Self::Moved { .. } => 5,
            Self::Seen { .. } => 6,
            Self::Finished { .. } => 7,
        }
    }
}
