//! All messages between clients and servers.
//!
//! In the binary form, an enum is the number of its variant, from 0 in the order of this file, and a struct is its fields in
//! order. So variants and fields are only appended. A new field raises the version of the protocol, and a client with an
//! earlier version receives the fields of its version. In JSON, the names of this file are written in `snake_case`, and an
//! optional field may be `null` or missing.

mod access;
mod notice;
mod token;

use std::fmt;

use serde::{Deserialize, Serialize};

pub use access::{Access, AccessChange, Admission};
pub use notice::{Channel, ChatLine, Notice, Presence, Snapshot};
pub use token::NoToken;

/// The protocol version of this crate.
pub const PROTOCOL: u16 = 3;

/// The earliest protocol version that a server supports.
pub const FIRST_PROTOCOL: u16 = 1;

/// A message from a client. `C` are the commands of the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FromClient<C> {
    /// Opens the connection; always the first message.
    Hello(Hello),
    /// A command for the joined game.
    Command(C),
    /// Asks for a [`ToClient::Pong`] with the same number. The pong comes after all answers to earlier messages.
    Ping(u64),
    /// Asks for [`ToClient::Offers`] with the same number: what this client can do now. This message exists from protocol 3 on.
    Offers(u64),
    /// Asks for notices ([`ToClient::Notice`]), or for no more of them. The answer to `true` is a [`Notice::Snapshot`]. This
    /// message exists from protocol 3 on.
    Notices(bool),
    /// A line of chat, from a client that receives notices. This message exists from protocol 3 on.
    Chat(String),
    /// A token of an account, before the hello: this connection plays for the account. The next hello says if the token is wrong. With an
    /// empty text, the client is a guest that knows the reasons of accounts ([`Dialect`]). This message exists from protocol 3 on.
    Account(String),
    /// Stops or resumes sending the lines of a writer of chat to this connection. This message exists from protocol 3 on.
    Mute(Mute),
    /// Reports the line of chat with this number to the operator. The answer is a [`Notice::Reported`]. This message exists from
    /// protocol 3 on.
    Report(u64),
    /// Changes who may come into the game, from the client that created it and before it begins. The answer is a [`ToClient::Managed`], a
    /// [`ToClient::Refused`], or the end of the game. This message exists from protocol 3 on.
    Manage(AccessChange),
}

/// Whose lines of chat a connection does not want.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename = "Muting", deny_unknown_fields)]
pub struct Mute {
    /// The name of the writer, as in its lines.
    pub by: String,
    /// Whether its lines are left out from now on.
    pub muted: bool,
}

/// The first message of a connection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hello {
    /// The [`PROTOCOL`] of the client.
    pub protocol: u16,
    /// The client's request.
    pub want: Want,
    /// The game to join, watch or resume. The server names a created game.
    #[serde(default)]
    pub game: Option<String>,
    /// Whether this client receives board events, too. Spectators always do.
    #[serde(default)]
    pub board: bool,
}

/// The request of a hello.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Want {
    /// Lists the games.
    List,
    /// Creates a game and joins it.
    Create(Create),
    /// Joins a game.
    Join {
        /// In a forked game: the number of the seat to claim.
        #[serde(default)]
        seat: Option<u16>,
    },
    /// Watches a game as a spectator.
    Watch {
        /// The number of the last event that the spectator has seen; 0 if it has seen no event.
        #[serde(default)]
        seen: u64,
    },
    /// Continues as the client with this token.
    Resume {
        /// The token of the welcome.
        token: Token,
        /// The number of the last event that the client has seen; 0 if it has seen no event.
        #[serde(default)]
        seen: u64,
    },
    /// Creates a game that only some clients may enter, and joins it. This wish exists from protocol 3 on.
    Private {
        /// The game to create.
        create: Create,
        /// Who may come in.
        admission: Admission,
    },
}

/// The game to create.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Create {
    /// The name of the rulebook; `None` means the first rulebook of the server.
    #[serde(default)]
    pub rulebook: Option<String>,
    /// The name of a scenario on the server, or the text of a scenario.
    pub scenario: String,
    /// The edition; `None` means the edition of the scenario.
    #[serde(default)]
    pub edition: Option<String>,
    /// The seed; `None` means that the server chooses one.
    #[serde(default)]
    pub seed: Option<i64>,
    /// How long a player may think, in milliseconds; `None` means the default of the game, which may be no limit.
    #[serde(default)]
    pub timeout: Option<u64>,
}

/// A message from a server. `E` are the events of the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToClient<E> {
    /// The hello was accepted. All further messages belong to one game.
    Welcome(Welcome),
    /// The answer to [`Want::List`].
    Games(Vec<GameInfo>),
    /// Something happened in the game.
    Event(NumberedEvent<E>),
    /// The answer to [`FromClient::Ping`].
    Pong(u64),
    /// A hello or a command was refused, and nothing has changed. The connection stays open.
    Refused(Refused),
    /// The last message of a connection, with the reason.
    Closing(Refused),
    /// The answer to [`FromClient::Offers`], for this client alone. This message exists from protocol 3 on.
    Offers(Offered),
    /// Presence and chat, for a client that asked with [`FromClient::Notices`]. This message exists from protocol 3 on.
    Notice(Notice),
    /// The answer to [`FromClient::Manage`]. This message exists from protocol 3 on.
    Managed(Access),
}

/// The answer to an accepted hello.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Welcome {
    /// The protocol version of this connection.
    pub protocol: u16,
    /// The name of the game.
    pub game: String,
    /// The client's number in this game; `None` for a spectator.
    #[serde(default)]
    pub client: Option<u32>,
    /// The secret to resume as this client; `None` for a spectator.
    #[serde(default)]
    pub token: Option<Token>,
    /// The number of the next event: one more than the client has seen.
    pub next: u64,
    /// The rulebook of the game. This field and all after it exist from protocol 2 on.
    pub rulebook: String,
    /// The edition of the game.
    pub edition: String,
    /// How many commands of this client the game has received. The game will receive no more commands from an earlier
    /// connection of this client.
    pub commands: u64,
    /// The text of the scenario, for a spectator. Players receive it as an event of the game.
    #[serde(default)]
    pub scenario: Option<String>,
}

/// An event for one client, with its number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
// The name in docs/protocol.json is published, so it stays.
#[serde(rename = "Told")]
pub struct NumberedEvent<E> {
    /// The number of the event. Each client of a game counts its events from 1, without gaps.
    pub number: u64,
    /// The event.
    pub event: E,
    /// A text that comes with the event: a scenario, or the reason of a refusal.
    #[serde(default)]
    pub text: Option<String>,
}

/// What a client can do, after a certain event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offered {
    /// The number of the request.
    pub number: u64,
    /// The number of the last event before this answer; 0 if the client has received none. The offers hold until the next
    /// event.
    pub after: u64,
    /// The offers as JSON. `docs/protocol.md` describes their form.
    pub offers: String,
}

/// A game in the list of games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameInfo {
    /// The name of the game.
    pub game: String,
    /// The rulebook of the game.
    pub rulebook: String,
    /// The edition of the game.
    pub edition: String,
    /// The names of the players, in the order of their seats.
    pub players: Vec<String>,
    /// The status of the game, as a text. `open` means that the game has not ended.
    pub status: String,
}

/// A refusal of a server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refused {
    /// The reason, for programs.
    pub reason: Reason,
    /// The mistake and its place, for people.
    pub message: String,
}

/// Why a server refuses something, for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The bytes are not a message, or the message is not allowed here.
    BadMessage,
    /// The server does not support the hello's protocol version.
    WrongProtocol,
    /// No game has this name, or the hello names no game.
    UnknownGame,
    /// No client of this game has this token.
    UnknownToken,
    /// The game is over.
    GameOver,
    /// The game is full.
    Full,
    /// No scenario has this name, or its text has mistakes; the message describes them.
    BadScenario,
    /// A message is longer than the server's limit.
    TooLarge,
    /// The client does not read its messages.
    TooSlow,
    /// The client exceeds the server's rate limit.
    TooFast,
    /// There are too many connections or games.
    TooMany,
    /// The client was silent for too long.
    Timeout,
    /// The server shuts down. Its games continue after a restart; resume them.
    ShuttingDown,
    /// The log takes no more of this game, so it cannot continue here.
    StoreFailed,
    /// Another connection has resumed with the same token.
    Replaced,
    /// The server has a bug. It has stopped the game.
    Internal,
    /// The log cannot be written or read now. The game is not lost; resume or try again later. This reason and all after it
    /// exist from protocol 3 on.
    StoreUnavailable,
    /// The log of this game is damaged, so it cannot continue.
    Damaged,
    /// This needs an account, or the session or token of the account is not valid. This reason and all after it are only sent to
    /// clients that know accounts ([`Dialect`]).
    AccountRequired,
    /// The name belongs to an account.
    NameTaken,
    /// The operator does not let this account or address in.
    Denied,
}

/// What a client understands. A server translates what it says with [`Reason::in_dialect`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dialect {
    /// The protocol version of the hello.
    pub protocol: u16,
    /// Whether the client has sent [`FromClient::Account`]. The first clients of protocol 3 were written before the reasons of accounts,
    /// and cannot read them.
    pub knows_accounts: bool,
}

/// The secret that a client needs to resume. `Debug` does not show it.
///
/// The time of a comparison depends on the bytes, so a server must compare hashes of tokens.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Token([u8; 16]);

impl Reason {
    /// All reasons in the order of their numbers.
    pub const ALL: [Self; 21] = [
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
        Self::StoreUnavailable,
        Self::Damaged,
        Self::AccountRequired,
        Self::NameTaken,
        Self::Denied,
    ];

    /// The name in JSON.
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
            Self::StoreUnavailable => "store_unavailable",
            Self::Damaged => "damaged",
            Self::AccountRequired => "account_required",
            Self::NameTaken => "name_taken",
            Self::Denied => "denied",
        }
    }

    /// The reason for a client that understands this much: an unknown reason becomes the one that has the same effect on it.
    #[must_use]
    pub fn in_dialect(self, dialect: Dialect) -> Self {
        let is_early = dialect.protocol < 3;
        let is_of_accounts = matches!(self, Self::AccountRequired | Self::NameTaken | Self::Denied);
        if is_early && self == Self::StoreUnavailable {
            Self::ShuttingDown
        } else if is_early && self == Self::Damaged {
            Self::StoreFailed
        } else if is_of_accounts && (is_early || !dialect.knows_accounts) {
            Self::BadMessage
        } else {
            self
        }
    }
}

impl Refused {
    /// A refusal with this reason and message.
    pub fn new(reason: Reason, message: impl Into<String>) -> Self {
        Self { reason, message: message.into() }
    }

    /// The refusal for a client that understands this much; see [`Reason::in_dialect`].
    #[must_use]
    pub fn in_dialect(self, dialect: Dialect) -> Self {
        Self { reason: self.reason.in_dialect(dialect), ..self }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Refused {}
