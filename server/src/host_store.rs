//! What a host keeps beside its games: chat, who may come in, and documents about people (accounts, bans, reports). A log is handed over to others, so nothing of this is ever in it.
//!
//! [`open_host_store`] opens the store that belongs to a log: a file beside the log's file, or tables in the same database.
//! [`MemoryHostStore`] keeps everything in memory. No game waits for this store.

mod memory;
#[cfg(feature = "postgres")]
mod postgres;
mod sqlite;

use std::{
    ffi::OsString,
    fmt,
    path::{Path, PathBuf},
    sync::Arc,
};

use commlib::{Channel, ChatLine};

use crate::log::{Reading, StoreError, postgres_address};

pub use memory::MemoryHostStore;
#[cfg(feature = "postgres")]
pub use postgres::PostgresHostStore;
pub use sqlite::SqliteHostStore;

/// Stores what a host keeps beside its games.
///
/// Games are known by their names: a name is unique, and a store may outlive the log whose keys it would use.
/// No method blocks. An operation whose future is dropped may still be done.
pub trait HostStore: fmt::Debug + Send + Sync {
    /// Adds a line to the chat of a game, and returns its number: one more than that of the last line, from 1. The line is durable
    /// by then. Only the last `keep` lines stay.
    fn add_chat<'a>(&'a self, game: &'a str, line: NewChatLine, keep: u32) -> Reading<'a, u64>;

    /// The last lines of a game's chat, oldest first: at most `most` of the channel, or of all channels.
    fn chat<'a>(&'a self, game: &'a str, channel: Option<Channel>, most: u32) -> Reading<'a, Vec<ChatLine>>;

    /// Who may come into a game, as JSON; `None` for a game that has only the usual rules.
    fn access<'a>(&'a self, game: &'a str) -> Reading<'a, Option<String>>;

    /// Stores who may come into a game, and whether lists leave it out. It is durable by then.
    fn set_access<'a>(&'a self, game: &'a str, hidden: bool, rules: String) -> Reading<'a, ()>;

    /// Replaces lines of a game's chat: by number, the writer and the text.
    fn replace_chat<'a>(&'a self, game: &'a str, lines: Vec<(u64, String, String)>) -> Reading<'a, ()>;

    /// Deletes everything about a game that was removed.
    fn forget<'a>(&'a self, game: &'a str) -> Reading<'a, ()>;

    /// The games that lists leave out, by name.
    fn hidden(&self) -> Reading<'_, Vec<String>>;

    /// Replaces the text of a line of chat. Returns whether the line is there.
    fn replace_line<'a>(&'a self, game: &'a str, number: u64, text: &'a str) -> Reading<'a, bool>;

    /// A document of a kind. To a store, it is text.
    fn document<'a>(&'a self, kind: &'static str, key: &'a str) -> Reading<'a, Option<String>>;

    /// The documents of a kind whose keys begin with `prefix` and come behind `after`, with their keys, in the order of the bytes of the
    /// keys: at most `most`.
    fn documents<'a>(
        &'a self,
        kind: &'static str,
        prefix: &'a str,
        after: &'a str,
        most: u32,
    ) -> Reading<'a, Vec<(String, String)>>;

    /// Changes documents: all of them, or none. Returns false, and changes nothing, if one of them is not as expected. The changes are
    /// durable by then.
    fn change_documents(&self, changes: Vec<DocumentChange>) -> Reading<'_, bool>;
}

/// A change of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentChange {
    /// The kind of the document.
    pub kind: &'static str,
    /// Its key, which is unique in its kind.
    pub key: String,
    /// The text that it must have; `None` if it must not exist.
    pub before: Option<String>,
    /// The text that it gets; `None` deletes it.
    pub after: Option<String>,
}

/// A line of chat before it has a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewChatLine {
    /// The chat that the line belongs to.
    pub channel: Channel,
    /// The client that wrote it; `None` for a spectator.
    pub client: Option<u32>,
    /// The name of the writer.
    pub by: String,
    /// The line.
    pub text: String,
    /// When it was written, in milliseconds since 1970.
    pub at: i64,
}

impl NewChatLine {
    /// The line with its number.
    pub(crate) fn numbered(self, number: u64) -> ChatLine {
        let Self { channel, client, by, text, at } = self;
        ChatLine { number, channel, client, by, text, at }
    }
}

/// Opens the store that belongs to the log in a file or at an address, and creates it if it does not exist.
///
/// # Errors
/// If it cannot be opened, or belongs to a later version of this program.
pub async fn open_host_store(log: &Path) -> Result<Arc<dyn HostStore>, StoreError> {
    match postgres_address(log) {
        #[cfg(feature = "postgres")]
        Some(address) => Ok(Arc::new(PostgresHostStore::open(address).await?)),
        #[cfg(not(feature = "postgres"))]
        Some(_) => Err(crate::log::not_built()),
        None => Ok(Arc::new(SqliteHostStore::open(&beside_log(log))?)),
    }
}

/// The file of a host that belongs to a log file: the same name with `.host` behind it.
pub fn beside_log(log: &Path) -> PathBuf {
    let mut name = OsString::from(log);
    name.push(".host");
    name.into()
}

/// The name of a channel in a store.
fn channel_name(channel: Channel) -> &'static str {
    match channel {
        Channel::Players => "players",
        Channel::Spectators => "spectators",
    }
}

/// The channel of a stored name. A later program may have more of them; an unknown one is for spectators, who read all.
fn channel_named(name: &str) -> Channel {
    if name == channel_name(Channel::Players) { Channel::Players } else { Channel::Spectators }
}
