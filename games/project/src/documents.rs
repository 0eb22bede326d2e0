//! The documents of the project rulebook: [`Connection`] and [`Messages`] on the wire, [`configuration`] in files.
//!
//! A document on the wire must match its schema exactly. The namespace is always written. A document without a namespace is
//! accepted; a document with another namespace is rejected.

pub mod action;
mod address;
pub mod configuration;
mod connection;
pub mod envelope;
pub mod exchange;
pub mod game_state;
mod guid;
mod markup;
mod messages;
mod namespace;
mod strict;
mod tile;
mod timestamp;

pub use address::is_address;
pub use connection::{Connection, Role};
pub use guid::Guid;
pub use messages::{Content, MAX_MESSAGES, Message, Messages};
pub use timestamp::Timestamp;

use xml::{Element, Limits, Problem, Writer, number, read};

/// The namespace of all documents on the wire.
pub const NAMESPACE: &str = "http://messageSchema.something.com";

/// The byte that ends every document on the wire. A frame with only this byte is a keep-alive.
pub const FRAME_END: u8 = 0x17;

/// The schema has no message for a lost connection. So the server sends the Game Master a `Refusal` of the player's hash with
/// this description. A Game Master that does not know it can discard it.
pub const CONNECTION_LOST: &str = "connection lost";

/// The schema has no message for the end of a session either. So the Game Master sends the server a `Refusal` of its own hash
/// with this description. Without it, the server waits for the Game Master to come back.
pub const GAME_OVER: &str = "the game is over";

/// The end of the description if the server itself refuses a player, because the Game Master is not connected. It is for people:
/// another attempt may succeed.
pub const TRY_AGAIN: &str = "try again later";

/// The end of the description if the Game Master refuses a player. The schema does not say who refuses, and a server may use any
/// words. So a player tries again unless it finds this.
pub const DO_NOT_TRY_AGAIN: &str = "Do not try again.";

const VERSION: &str = "protocolVersion";

/// A document on the wire.
#[derive(Clone, Debug, PartialEq)]
pub enum Document {
    /// A part of a handshake.
    Connection(Connection),
    /// Messages between players and the Game Master.
    Messages(Messages),
}

impl Document {
    /// Large enough for a hundred messages, or for all tiles of a very large board.
    pub const LIMITS: Limits = Limits { bytes: 1024 * 1024, depth: 32, elements: 65536, attributes: 16 };

    /// Parses a document.
    ///
    /// # Errors
    ///
    /// The first mismatch between the document and its schema.
    pub fn read(bytes: &[u8], limits: &Limits) -> Result<Self, Problem> {
        let root = read(bytes, limits)?;
        namespace::check(&root)?;
        match root.name {
            "Connection" => Ok(Self::Connection(Connection::from_element(&root)?)),
            "Messages" => Ok(Self::Messages(Messages::from_element(&root)?)),
            name => Err(root.problem(format!("the document is a <{name}>; what works: <Connection>, <Messages>"))),
        }
    }

    /// The document as text, without its end byte.
    pub fn write(&self) -> String {
        match self {
            Self::Connection(connection) => connection.write(),
            Self::Messages(messages) => messages.write(),
        }
    }
}

/// Checks the version. Only one version exists.
fn check_version(root: &Element<'_>) -> Result<(), Problem> {
    let Some(version) = root.attribute(VERSION) else {
        return Err(root.problem(format!("attribute {VERSION} is missing in <{}>", root.name)));
    };
    if number::<i64>(version.trim()) == Some(1) {
        return Ok(());
    }
    Err(root.problem(format!("attribute {VERSION} of <{}> is {version:?}; what works: 1", root.name)))
}

/// Begins a document.
fn begin(root: &str, capacity: usize) -> Writer {
    let mut writer = Writer::new(capacity);
    writer.open(root).attribute("xmlns", NAMESPACE).attribute(VERSION, 1);
    writer
}
