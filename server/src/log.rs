//! The storage of games: the [`EventLog`], its read-only half [`LogReader`], and the stores that implement them.
//!
//! A room writes without waiting, and is notified through [`Acknowledge`] when its entries are durable. It sends nothing to
//! clients before that. Reading is asynchronous. [`SqliteLog`] is the store of a host, `PostgresLog` that of several hosts,
//! [`MemoryLog`] works without a disk, and [`FaultyLog`] makes any of them fail on purpose. [`open_reader`] opens a store that another process may write, [`verify()`] finds
//! damage in it. `docs/log-store.md` describes the file format.

mod copying;
mod error;
mod faulty;
mod heads;
mod location;
mod lock;
mod measures;
mod memory;
mod owner;
#[cfg(feature = "postgres")]
mod postgres;
mod postgres_error;
mod recovered;
mod removal;
mod replay_error;
mod split_header;
mod sql;
mod sqlite;
mod staging;
mod tables;
mod verify;
mod write;
mod writer;

use std::{fmt, path::Path, pin::Pin, sync::Arc};

use engine::{Chain, CommId, Digest, Header, SeatResult};
use serde::{Serialize, de::DeserializeOwned};
use tokio::sync::mpsc;

pub use copying::{Copied, CopyError, copy_game};
pub use error::{Fault, StoreError};
pub use faulty::FaultyLog;
pub use heads::{Head, HeadDifference, Heads, HeadsError, HeadsFault};
pub use location::{is_postgres, postgres_address, shown};
pub use measures::Measures;
pub use memory::MemoryLog;
#[cfg(feature = "postgres")]
pub(crate) use postgres::{HandedOver, HostRow, OwnedRow, OwnerRow, Registering, Registration, database};
#[cfg(feature = "postgres")]
pub use postgres::{PostgresAddress, PostgresLog};
pub use postgres_error::{AddressError, PostgresError};
pub use recovered::{Recovered, RecoveredBatch, RecoveryStats, Selection, visit};
pub use removal::{Redacted, Redaction, Tombstone, WhyRemoved};
pub use replay_error::ReplayError;
use sqlite::SqliteReader;
pub use sqlite::{Durability, LeftBehind, Options, Salvaged, SqliteLog, WhyLeft, backup, salvage};
pub(crate) use sqlite::{create_private_file, narrow_files};
pub use tables::{Cell, Column, ColumnKind, Record, RecordError, Rule, Table};
pub(crate) use verify::Checker;
pub use verify::{Damage, GameReport, Progress, Report, StoreDamage, verify, verify_against};

/// The pending result of a store operation.
pub type Reading<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// Reads the games of a store, even while a host writes to it.
///
/// No method blocks: a store that waits for a disk uses its own threads, and callers await.
pub trait LogReader: fmt::Debug + Send + Sync {
    /// Every game, in the order in which they were created.
    fn list(&self) -> Reading<'_, Vec<GameRecord>>;

    /// At most `limit` games that were created before the given one, newest first. Without one, starts with the newest game.
    fn page(&self, before: Option<GameKey>, limit: usize) -> Reading<'_, Vec<GameRecord>>;

    /// The game that was created first.
    fn first(&self) -> Reading<'_, Option<GameRecord>>;

    /// The games of a rulebook that ended at a moment or later, in milliseconds since 1970. The game that was created last comes
    /// first.
    fn ended_since<'a>(&'a self, rulebook: &'a str, moment: i64) -> Reading<'a, Vec<GameRecord>>;

    /// At most `limit` finished games of a rulebook: those that ended first, in this order.
    fn first_ended<'a>(&'a self, rulebook: &'a str, limit: usize) -> Reading<'a, Vec<GameRecord>>;

    /// The number of finished games of a rulebook.
    fn count_ended<'a>(&'a self, rulebook: &'a str) -> Reading<'a, u64>;

    /// The games that were removed, in the order of their keys.
    fn removed(&self) -> Reading<'_, Vec<Tombstone>>;

    /// A game by its name.
    fn find<'a>(&'a self, name: &'a str) -> Reading<'a, Option<GameHead>>;

    /// A game without its entries.
    fn head(&self, game: GameKey) -> Reading<'_, GameHead>;

    /// The durable entries of a game, starting with a sequence; empty for an unknown game.
    fn rows(&self, game: GameKey, from: u64) -> Reading<'_, Vec<Row>>;

    /// The clients of a game, in the order of their ids.
    fn clients(&self, game: GameKey) -> Reading<'_, Vec<StoredClient>>;

    /// Rows of a table of a rulebook, in the order of its key: all rows, or those with the given value in a column.
    fn records(&self, table: &'static Table, filter: Option<(&'static str, Cell)>) -> Reading<'_, Vec<Vec<Cell>>>;

    /// Reads whole games from a consistent snapshot and sends them in batches. It works at any time. Each game is sent before
    /// its clients, the clients before its entries, and entries in order; different games may be interleaved. Only verified
    /// entries are sent. It waits while the channel is full, and ends early if the receiver is dropped. [`visit`] is the simple
    /// way to call it.
    fn recover(&self, which: Selection, found: mpsc::Sender<RecoveredBatch>) -> Reading<'_, RecoveryStats>;

    /// Damage of the store itself that only the store can find. [`verify()`] reports this and the damage of games.
    fn check(&self) -> Reading<'_, Vec<StoreDamage>>;
}

/// Stores the games of a host.
///
/// Writing methods return at once; the store processes the writes in order. [`create`](Self::create) or
/// [`resume`](Self::resume) opens a game for writing. Writes are ignored and never acknowledged if the game is not open,
/// because it failed or is finished, or if the store was [closed](Self::close).
///
/// A store hides faults that may pass ([`Fault::Passing`]): it keeps the writes and tries again, after it has found out which of
/// them are stored. Only a new game is refused at once, with [`StoreError::Unavailable`].
pub trait EventLog: LogReader {
    /// Creates the missing tables of rulebooks, all or none. Existing tables stay unchanged. Call this before the first record
    /// is written.
    fn add_tables(&self, tables: &[&'static Table]) -> Reading<'_, ()>;

    /// Stores a new game with its first entries, and opens it for writing. `durable` with the number of these entries reports
    /// that all of it is stored. A game is never stored in part.
    fn create(&self, game: NewGame, acknowledge: Arc<dyn Acknowledge>) -> GameKey;

    /// Adds a client to an open game. Calls `done` once; the client must not receive its token before that.
    fn add_client(&self, game: GameKey, client: StoredClient, done: Stored);

    /// Adds an entry to an open game, together with its records for tables of the rulebook: all of it is stored, or nothing. If
    /// the store expects another sequence, or a record does not fit its table, the game fails.
    fn append(&self, game: GameKey, row: Row, records: Vec<Record>);

    /// Ends an open game after everything appended so far, and closes it for writing. Calls `done` once; before that, readers
    /// do not find the end in the store.
    fn finish(&self, game: GameKey, ending: Ending, done: Stored);

    /// Opens a game that [`recover`](LogReader::recover) found, or one that failed. If the store expects another next sequence,
    /// opening fails. `durable(next_sequence - 1)` reports that the game is open.
    fn resume(&self, game: GameKey, next_sequence: u64, acknowledge: Arc<dyn Acknowledge>);

    /// Removes a finished game with everything that belongs to it, and leaves a tombstone. The setup of the game goes with the last
    /// game that has it. Entries are deleted in pieces, so that other games do not wait long.
    fn remove(&self, game: GameKey, why: WhyRemoved, at: i64) -> Reading<'_, Tombstone>;

    /// Replaces parts of a finished game, all or none. Digests stay as they are, and the store keeps which entries were replaced.
    fn redact(&self, game: GameKey, redaction: Redaction) -> Reading<'_, ()>;

    /// The measurements of the store's commits; `None` if it has no commits.
    fn measures(&self) -> Option<&Measures>;

    /// Makes everything written so far durable, and stops accepting writes. The store can still be read.
    ///
    /// # Errors
    /// If the last entries could not be made durable.
    fn close(&self) -> Result<(), StoreError>;
}

/// Opens a store for reading: a file, or the database at an address like `postgres://HOST/DATABASE`. This needs no lock and
/// changes nothing.
///
/// # Errors
///
/// If the store does not exist, or this program cannot read it.
pub async fn open_reader(store: &Path) -> Result<Arc<dyn LogReader>, StoreError> {
    match postgres_address(store) {
        Some(address) => open_database(address).await,
        None => Ok(Arc::new(SqliteReader::open(store).await?)),
    }
}

#[cfg(feature = "postgres")]
async fn open_database(address: &str) -> Result<Arc<dyn LogReader>, StoreError> {
    Ok(Arc::new(postgres::PostgresReader::open(address).await?))
}

#[cfg(not(feature = "postgres"))]
async fn open_database(_: &str) -> Result<Arc<dyn LogReader>, StoreError> {
    Err(not_built())
}

/// The name of a host that does not share its database with others.
#[cfg(feature = "postgres")]
const ALONE: &str = "alone";

/// Opens a store for the host that writes it, and creates it if it is empty: a file, or the database at an address. `options`
/// are for a file; a database always has full durability.
///
/// # Errors
/// If the store cannot be opened, or is not a log of a supported version. A file has one writer at a time. A database has one
/// host of this kind at a time: an earlier one writes nothing more.
pub fn open_store(store: &Path, options: Options) -> Result<Arc<dyn EventLog>, StoreError> {
    match postgres_address(store) {
        #[cfg(feature = "postgres")]
        Some(address) => Ok(Arc::new(PostgresLog::open_alone(&PostgresAddress::parse(address)?, ALONE)?)),
        #[cfg(not(feature = "postgres"))]
        Some(_) => Err(not_built()),
        None => Ok(Arc::new(SqliteLog::open(store, options)?)),
    }
}

/// Opens a store for a tool that adds games. Hosts of a database go on meanwhile; unfinished games that the tool adds have no
/// owner when it closes the store.
///
/// # Errors
/// As [`open_store`].
pub fn open_for_tool(store: &Path) -> Result<Arc<dyn EventLog>, StoreError> {
    match postgres_address(store) {
        #[cfg(feature = "postgres")]
        Some(address) => Ok(Arc::new(PostgresLog::open_guest(&PostgresAddress::parse(address)?)?)),
        #[cfg(not(feature = "postgres"))]
        Some(_) => Err(not_built()),
        None => Ok(Arc::new(SqliteLog::open(store, Options::default())?)),
    }
}

#[cfg(not(feature = "postgres"))]
pub(crate) fn not_built() -> StoreError {
    StoreError::Postgres { doing: "opening the store", source: PostgresError::Address(AddressError::NotBuilt) }
}

/// Receives the results of a game's writes. The store calls it from its own thread, or from the caller of [`EventLog::append`]
/// if durability is off. It must return quickly, and must not write to the store.
pub trait Acknowledge: Send + Sync {
    /// All entries up to this one are durable, as far as the store guarantees; 0 is the game itself. Called at most once per
    /// commit, or once per entry if durability is off.
    fn durable(&self, through: u64);

    /// The game accepts no more writes, because of a fault of this game, or because the store is closed. Called at most once;
    /// writes that were not acknowledged may be lost.
    fn failed(&self, error: Arc<StoreError>);
}

/// Called when a client or the end of a game is durable, or when storing it failed.
pub type Stored = Box<dyn FnOnce(Result<(), Arc<StoreError>>) + Send>;

/// The key of a game within one store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameKey(pub i64);

impl fmt::Display for GameKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// An entry as it is stored: its bytes, and the digest of everything up to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The number of the entry, from 1.
    pub sequence: u64,
    /// The encoded entry.
    pub bytes: Vec<u8>,
    /// The digest of everything up to it.
    pub digest: Digest,
}

/// A client as it is stored. The store does not have the token itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredClient {
    /// Its number in the game.
    pub client: CommId,
    /// The BLAKE3 hash of its token.
    pub token_hash: [u8; 32],
    /// The name of the client, or empty.
    pub name: String,
    /// Milliseconds since 1970.
    pub joined: i64,
}

/// A game before its first entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewGame {
    name: String,
    about: About,
    header: Vec<u8>,
    scenario: Option<String>,
    created: i64,
    parent: Option<String>,
    /// The first entries, numbered from 1: a fork starts with the entries of its parent.
    rows: Vec<Row>,
    /// Which of them are not those of their digests, if there are such.
    redacted: Option<Box<Redacted>>,
}

impl NewGame {
    /// Creates a game. The name must be unique in the store. `scenario` is the text within the setup, if the rulebook has one,
    /// for people who query the store.
    pub fn new<S: Serialize + DeserializeOwned>(
        name: &str,
        header: &Header<S>,
        scenario: Option<String>,
        created: i64,
    ) -> Self {
        let about = About::of(header);
        let parent = header.parent.as_ref().map(|parent| parent.game.clone());
        let header = header.encode();
        let (rows, redacted) = (Vec::new(), None);
        Self { name: name.into(), about, header, scenario, created, parent, rows, redacted }
    }

    /// A game that starts with entries, which are numbered from 1 and chained to its header. `header` is the header without its
    /// setup, and `bytes` is the whole header.
    pub(crate) fn fork(header: &Header<()>, bytes: Vec<u8>, scenario: Option<String>, rows: Vec<Row>) -> Self {
        Self { header: bytes, rows, ..Self::new(&header.game, header, scenario, header.created) }
    }

    /// A game of another store, with its entries.
    fn copy(head: GameHead, rows: Vec<Row>) -> Self {
        let GameHead { record: GameRecord { name, about, created, parent, .. }, header, scenario, redacted } = head;
        let redacted = (!redacted.is_empty()).then(|| Box::new(redacted));
        Self { name, about, header, scenario, created, parent, rows, redacted }
    }

    /// The end of the log.
    fn tail(&self) -> Tail {
        match self.rows.last() {
            Some(row) => Tail { entries: row.sequence, digest: row.digest },
            None => Tail { entries: 0, digest: Chain::new(&self.header).digest() },
        }
    }
}

/// The fields of the header that can be read without the rulebook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    /// The name of the rulebook.
    pub rulebook: String,
    /// The edition.
    pub edition: String,
    /// The version of the rules.
    pub rules_version: u32,
    /// The seed of the game.
    pub seed: i64,
}

impl About {
    fn of<S>(header: &Header<S>) -> Self {
        Self {
            rulebook: header.rulebook.clone(),
            edition: header.edition.clone(),
            rules_version: header.rules_version,
            seed: header.seed,
        }
    }
}

/// A stored game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    /// The key of the game in its store.
    pub key: GameKey,
    /// The name of the game.
    pub name: String,
    /// The facts of its header.
    pub about: About,
    /// Milliseconds since 1970.
    pub created: i64,
    /// How it ended; `None` for an unfinished game.
    pub end: Option<End>,
    /// The names of the players, in the order in which they joined. `None` for an unfinished game, or for a game that ended
    /// before the store had names; then only folding the game gives them.
    pub players: Option<Vec<String>>,
    /// The result of each seat. `None` for an unfinished game, for a rulebook without results, or for a game that ended before
    /// the store had results.
    pub results: Option<Vec<SeatResult>>,
    /// The name of the game that this one was forked from.
    pub parent: Option<String>,
    /// The end of its log.
    pub tail: Tail,
}

/// The end of a game, as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The outcome in words, for people.
    pub outcome: String,
    /// Milliseconds since 1970.
    pub at: i64,
    /// The names of the players, in the order in which they joined, for searches.
    pub players: Vec<String>,
    /// The result of each seat, for programs; empty if the rulebook has no results.
    pub results: Vec<SeatResult>,
}

impl Ending {
    /// The names of the players as a store keeps them.
    fn players_json(&self) -> String {
        serde_json::json!(self.players).to_string()
    }

    /// The results as a store keeps them, if there are any.
    fn results_json(&self) -> Option<String> {
        (!self.results.is_empty()).then(|| serde_json::json!(self.results).to_string())
    }
}

/// How and when a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    /// The outcome in words.
    pub outcome: String,
    /// Milliseconds since 1970.
    pub at: i64,
}

impl End {
    /// The outcome of a game that must not be continued.
    pub const BROKEN: &str = "broken";

    /// How the outcome of a game begins that did not end by its rules. The words after it say who ended it.
    const EARLY: &str = "ended by ";

    /// The outcome of a game that a creator, the operator or the host ended, and not its rules.
    pub(crate) fn early(by: &str) -> String {
        format!("{}{by}", Self::EARLY)
    }

    /// Whether the game ended without an outcome of its rules.
    pub fn is_early(&self) -> bool {
        self.outcome == Self::BROKEN || self.outcome.starts_with(Self::EARLY)
    }
}

/// The end of a log. It is stored beside the entries, so that the loss of the last entries is detected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tail {
    /// The number of entries.
    pub entries: u64,
    /// The digest of the last entry, or of the header.
    pub digest: Digest,
}

/// A stored game with its header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameHead {
    /// The stored facts.
    pub record: GameRecord,
    /// The encoded header.
    pub header: Vec<u8>,
    /// The text of the scenario, if the rulebook has one.
    pub scenario: Option<String>,
    /// The entries in which a name was replaced.
    pub redacted: Redacted,
}
