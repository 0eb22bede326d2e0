//! Every message between a client and a server.
//!
//! In binary an enum is the number of its variant, counted from 0 in the order of this file, and a struct is its fields
//! in order. So variants and fields are only ever appended, and with a field the version of the protocol rises: whoever
//! speaks an earlier one is sent what that version has. In JSON names are what counts: those of this file in
//! `snake_case`; an optional field may be `null` or left out.

mod token;

use std::fmt;

use serde::{Deserialize, Serialize};

pub use token::NoToken;

/// The version of the protocol that this crate speaks.
pub const PROTOCOL: u16 = 2;

/// The earliest version that a server still speaks with those who know no other.
pub const FIRST_PROTOCOL: u16 = 1;

/// What a client says. `C` are the commands of the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FromClient<C> {
    /// Who the client is and what it wants; always the first message of a connection.
    Hello(Hello),
    /// A command to the game that was joined.
    Command(C),
    /// Asks for a [`ToClient::Pong`] with the same number, behind everything that was caused by earlier messages.
    Ping(u64),
}

/// Opens a connection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hello {
    /// [`PROTOCOL`] of the client.
    pub protocol: u16,
    /// What the client is here for.
    pub want: Want,
    /// The game that is joined, watched or resumed; a created one is named by the server.
    #[serde(default)]
    pub game: Option<String>,
    /// Send events of the board to this client, too. Watchers always get them.
    #[serde(default)]
    pub board: bool,
}

/// What a client is here for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Want {
    /// The games there are.
    List,
    /// A new game, and a place in it.
    Create(Create),
    /// A place in a game, or in a fork the seat of a number, where it waits to be claimed.
    Join {
        #[serde(default)]
        seat: Option<u16>,
    },
    /// To see what everybody may see, from the event after `seen`.
    Watch {
        #[serde(default)]
        seen: u64,
    },
    /// The place that the token stands for, from the event after `seen`.
    Resume {
        token: Token,
        #[serde(default)]
        seen: u64,
    },
}

/// The game to create.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Create {
    /// Without one the server takes its first.
    #[serde(default)]
    pub rulebook: Option<String>,
    /// The name of a scenario that the server has, or the whole text of one.
    pub scenario: String,
    /// Without one it is found from the scenario.
    #[serde(default)]
    pub edition: Option<String>,
    /// Without one the server draws it.
    #[serde(default)]
    pub seed: Option<i64>,
    /// How long a player may think, in milliseconds. Without one the server's own.
    #[serde(default)]
    pub timeout: Option<u64>,
}

/// What a server says. `E` are the events of the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToClient<E> {
    /// The hello was granted; what follows is of one game.
    Welcome(Welcome),
    /// The answer to [`Want::List`].
    Games(Vec<GameInfo>),
    /// Something happened in the game.
    Event(NumberedEvent<E>),
    /// The answer to [`FromClient::Ping`].
    Pong(u64),
    /// A hello or a command was not taken and nothing has changed; the connection goes on.
    Refused(Refused),
    /// The last message of a connection, and why it is closed.
    Closing(Refused),
}

/// A place in a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Welcome {
    /// The version that the server speaks on this connection.
    pub protocol: u16,
    /// The name of the game.
    pub game: String,
    /// Who the client is in this game; watchers are nobody.
    #[serde(default)]
    pub client: Option<u32>,
    /// Opens the same place again. Whoever has it is that client.
    #[serde(default)]
    pub token: Option<Token>,
    /// The number of the next event of this place: one more than what the client has seen.
    pub next: u64,
    /// What is played, from protocol 2 on, as is everything that follows.
    pub rulebook: String,
    pub edition: String,
    /// How many commands of this client the game has taken. None of an earlier connection will follow.
    pub commands: u64,
    /// What the game was made from, for those who watch it: players are told by the game itself.
    #[serde(default)]
    pub scenario: Option<String>,
}

/// An event on its way to one client.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
// The name in docs/protocol.json, which is published.
#[serde(rename = "Told")]
pub struct NumberedEvent<E> {
    /// Counts from 1 for each client of a game, without gaps.
    pub number: u64,
    pub event: E,
    /// Words that belong to the event and are not part of it: the text of a scenario, the reason of a refusal.
    #[serde(default)]
    pub text: Option<String>,
}

/// A game as the list has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameInfo {
    /// The name of the game.
    pub game: String,
    pub rulebook: String,
    pub edition: String,
    /// The names of those who play, in the order of their seats.
    pub players: Vec<String>,
    /// In words. `open`: it has not ended.
    pub status: String,
}

/// Why something is not done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refused {
    pub reason: Reason,
    /// For people: what was wrong and where.
    pub message: String,
}

/// Why something is not done, for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// What came is no message, or not one that may come here.
    BadMessage,
    /// The server does not speak the hello's version.
    WrongProtocol,
    /// There is no game of this name, or none was named.
    UnknownGame,
    /// The token opens no place in this game.
    UnknownToken,
    /// The game is over and takes nothing more.
    GameOver,
    /// The game has no free place.
    Full,
    /// There is no scenario of this name, or its text has problems; the message says which.
    BadScenario,
    /// A message is longer than the server takes.
    TooLarge,
    /// The client does not read what it is sent.
    TooSlow,
    /// The client sends more in a short time than the server takes.
    TooFast,
    /// There are too many connections or games.
    TooMany,
    /// The client said nothing for too long.
    Timeout,
    /// The server stops. Games go on when it is back; resume them.
    ShuttingDown,
    /// The log could not be written, so nothing can happen.
    StoreFailed,
    /// Another connection came with the same token.
    Replaced,
    /// A mistake in the server. The game it happened in is stopped.
    Internal,
}

/// Opens a client's place in a game again. It is a secret: `Debug` does not show it.
///
/// Comparing takes a time that depends on the bytes: whoever checks a token compares hashes of tokens.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Token([u8; 16]);

impl Reason {
    /// All reasons in the order of their numbers.
    pub const ALL: [Self; 16] = [
        Self::BadMessage,
        Self::WrongProtocol,
        Self::UnknownGame,
        Self::UnknownToken,
        Self::GameOver,
        Self::Full,
        Self::BadScenario,
        Self::TooLarge,
        Self::TooSlow,
        Self::TooFast,
        Self::TooMany,
        Self::Timeout,
        Self::ShuttingDown,
        Self::StoreFailed,
        Self::Replaced,
        Self::Internal,
    ];

    /// As JSON has it.
    pub fn name(self) -> &'static str {
        match self {
            Self::BadMessage => "bad_message",
            Self::WrongProtocol => "wrong_protocol",
            Self::UnknownGame => "unknown_game",
            Self::UnknownToken => "unknown_token",
            Self::GameOver => "game_over",
            Self::Full => "full",
            Self::BadScenario => "bad_scenario",
            Self::TooLarge => "too_large",
            Self::TooSlow => "too_slow",
            Self::TooFast => "too_fast",
            Self::TooMany => "too_many",
            Self::Timeout => "timeout",
            Self::ShuttingDown => "shutting_down",
            Self::StoreFailed => "store_failed",
            Self::Replaced => "replaced",
            Self::Internal => "internal",
        }
    }
}

impl Refused {
    pub fn new(reason: Reason, message: impl Into<String>) -> Self {
        Self { reason, message: message.into() }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Refused {}
