//! The documents of the project rulebook: [`Connection`] and [`Messages`] on the wire, [`configuration`] in files.
//!
//! What comes over the wire has to fit the schemas exactly. The namespace is always written; a document without it is read
//! as well, one with another is not.

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
pub use messages::{Content, MOST_MESSAGES, Message, Messages};
pub use timestamp::Timestamp;

use xml::{Element, Limits, Problem, Writer, number, read};

pub const NAMESPACE: &str = "http://messageSchema.something.com";

/// What follows every document on the wire; alone it keeps a connection alive.
pub const FRAME_END: u8 = 0x17;

/// The schema has no message for a connection that was lost. The server tells the Game Master by a `Refusal` of the
/// player's hash with this description; a Game Master that expects nothing of the kind can discard it.
pub const CONNECTION_LOST: &str = "connection lost";

/// Nor has it one for a Game Master that leaves for good. It says so to the server by a `Refusal` of its own hash with this
/// description; one that leaves without is waited for.
pub const GAME_OVER: &str = "the game is over";

/// How a refusal ends that is the server's own, because the Game Master is not there: another attempt may do better.
pub const TRY_AGAIN: &str = "try again later";

const VERSION: &str = "protocolVersion";

/// Anything that may come over the wire.
#[derive(Clone, Debug, PartialEq)]
pub enum Document {
    Connection(Connection),
    Messages(Messages),
}

impl Document {
    /// A hundred messages, or a player's whole knowledge of a board several times as large as usual.
    pub const LIMITS: Limits = Limits { bytes: 1024 * 1024, depth: 32, elements: 65536, attributes: 16 };

    pub fn read(bytes: &[u8], limits: &Limits) -> Result<Self, Problem> {
        let root = read(bytes, limits)?;
        namespace::check(&root)?;
        match root.name {
            "Connection" => Ok(Self::Connection(Connection::of(&root)?)),
            "Messages" => Ok(Self::Messages(Messages::of(&root)?)),
            name => Err(root.problem(format!("the document is a <{name}>; what works: <Connection>, <Messages>"))),
        }
    }

    pub fn write(&self) -> String {
        match self {
            Self::Connection(connection) => connection.write(),
            Self::Messages(messages) => messages.write(),
        }
    }
}

/// There is one version.
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
