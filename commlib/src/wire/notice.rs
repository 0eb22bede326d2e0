//! Notices: who is connected, whose turn it is, and chat. They are no events of the game: they have no event numbers, and the log
//! does not keep them.

use serde::{Deserialize, Serialize};

use super::Refused;

/// News beside the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
// The name in docs/protocol.json differs from that of the message, because clients have a class for each of them.
#[serde(rename = "News", rename_all = "snake_case")]
pub enum Notice {
    /// Everything as it is now. Later notices say what changes.
    Snapshot(Snapshot),
    /// A player has come, has left, or has taken a seat.
    Presence(Presence),
    /// How many others are connected now: spectators, and clients without a seat.
    Spectators(u32),
    /// The player whose turn it is now; `None` if the game does not tell.
    Thinks(Option<String>),
    /// A line of chat. It is stored.
    Chat(ChatLine),
    /// A line of chat of this client was not taken, or this server has no notices.
    Refused(Refused),
    /// The line with this number, which this client has reported, is kept for the operator.
    Reported(u64),
}

/// The presence of all clients, and the last lines of chat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot {
    /// The players, in the order of their seats.
    pub players: Vec<Presence>,
    /// How many others are connected: spectators, and clients without a seat.
    pub spectators: u32,
    /// The player whose turn it is; `None` if the game does not tell.
    #[serde(default)]
    pub thinks: Option<String>,
    /// The chat that this client writes to.
    pub writes: Channel,
    /// The last lines that this client may read, oldest first; `None` if they cannot be read now.
    #[serde(default)]
    pub chat: Option<Vec<ChatLine>>,
}

/// Whether a player is connected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Presence {
    /// The number of the client.
    pub client: u32,
    /// The name of its player.
    pub player: String,
    /// For how long the player has been away, in milliseconds; `None` while it is connected. A restarted server counts from its start.
    #[serde(default)]
    pub away_ms: Option<u64>,
}

/// A line of chat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChatLine {
    /// The number of the line. Numbers rise; a client that may not read all lines finds gaps.
    pub number: u64,
    /// The chat that the line belongs to.
    pub channel: Channel,
    /// The number of the client that wrote it; `None` for a spectator.
    #[serde(default)]
    pub client: Option<u32>,
    /// The name of the writer.
    pub by: String,
    /// The line.
    pub text: String,
    /// When it was written, in milliseconds since 1970.
    pub at: i64,
}

/// A chat of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Channel {
    /// Players write, everyone reads.
    Players,
    /// Spectators and clients without a seat write; players do not read it while the game runs.
    Spectators,
}
