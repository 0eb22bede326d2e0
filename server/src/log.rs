//! Where games are kept: the [`EventLog`], its reading half [`LogReader`], and their stores.
//!
//! A room writes without waiting, and learns through [`Acknowledge`] what is durable. It sends nothing to clients before that.
//! Reading is asynchronous. [`SqliteLog`] is the store of a host, [`MemoryLog`] one without a disk, and [`FaultyLog`] makes either fail
//! on purpose. [`open_reader`] opens a store that others write, [`verify()`] finds damage in it.
//! `docs/log-store.md` describes the file for others.

mod error;
mod faulty;
mod lock;
mod measures;
mod memory;
mod recovered;
mod replay_error;
mod sqlite;
mod tables;
mod verify;

use std::{fmt, path::Path, pin::Pin, sync::Arc};

use engine::{Chain, CommId, Digest, Header, SeatResult};
use serde::{Serialize, de::DeserializeOwned};
use tokio::sync::mpsc;

pub use error::StoreError;
pub use faulty::FaultyLog;
pub use measures::Measures;
pub use memory::MemoryLog;
pub use recovered::{Recovered, RecoveredBatch, RecoveryStats, Selection, visit};
pub use replay_error::ReplayError;
use sqlite::SqliteReader;
pub use sqlite::{Durability, Options, SqliteLog};
pub use tables::{Cell, Column, ColumnKind, Record, RecordError, Rule, Table};
pub(crate) use verify::Checker;
pub use verify::{Damage, GameReport, Progress, Report, StoreDamage, verify};

/// An answer that a store gives later.
pub type Reading<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// Reads the games of a store, also while a host writes it.
///
/// Nothing here blocks: a store that has to wait for a disk waits on threads of its own, and callers await.
pub trait LogReader: fmt::Debug + Send + Sync {
    /// Every game, in the order in which they were created.
    fn list(&self) -> Reading<'_, Vec<GameRecord>>;

    /// So many games at most that were created before one, the newest first; without one the newest of all.
    fn page(&self, before: Option<GameKey>, limit: usize) -> Reading<'_, Vec<GameRecord>>;

    /// A game by its name.
    fn find<'a>(&'a self, name: &'a str) -> Reading<'a, Option<GameHead>>;

    /// A game without its entries.
    fn head(&self, game: GameKey) -> Reading<'_, GameHead>;

    /// The durable entries of a game from a sequence on; of an unknown game there are none.
    fn rows(&self, game: GameKey, from: u64) -> Reading<'_, Vec<Row>>;

    /// The clients of a game, in the order of their ids.
    fn clients(&self, game: GameKey) -> Reading<'_, Vec<StoredClient>>;

    /// Rows of a table of a rulebook, in the order of its key: all of them, or those that have a value in a column.
    fn records(&self, table: &'static Table, filter: Option<(&'static str, Cell)>) -> Reading<'_, Vec<Vec<Cell>>>;

    /// Reads whole games at any time, as of one moment, and sends what it finds in batches. A game comes before its clients,
    /// these before its entries, and entries in their order; games may be mixed. Only entries that verify are sent. It waits
    /// while the channel is full, and ends early once nothing receives any more. [`visit`] is the simple way to call it.
    fn recover(&self, which: Selection, found: mpsc::Sender<RecoveredBatch>) -> Reading<'_, RecoveryStats>;

    /// What is wrong with the store itself, beside its games, as far as only the store can tell. [`verify()`] asks for both.
    fn check(&self) -> Reading<'_, Vec<StoreDamage>>;
}

/// Keeps the games of a host.
///
/// The methods that write return at once; a store works through them in the order of the calls. [`create`](Self::create)
/// or [`resume`](Self::resume) opens a game for writing. Writes to a game that is not open, because it failed or is
/// finished, or after [`close`](Self::close), are ignored and never acknowledged.
pub trait EventLog: LogReader {
    /// Makes the tables of rulebooks that are missing, all or none, and leaves those that are there as they are. Comes before
    /// anything is recorded in them.
    fn add_tables(&self, tables: &[&'static Table]) -> Reading<'_, ()>;

    /// A new game, open for writing behind the entries that it begins with. `durable` with their number says that it is
    /// stored with all of them; a part of it never is.
    fn create(&self, game: NewGame, acknowledge: Arc<dyn Acknowledge>) -> GameKey;

    /// Adds a client to an open game. Calls `done` once; the client must not get its token before.
    fn add_client(&self, game: GameKey, client: StoredClient, done: Stored);

    /// Adds an entry to an open game, and with it the rows that it brings to tables of its rulebook: all of it is stored, or
    /// nothing. Its sequence is the one that the caller expects to be next; where the store expects another, or a record does not
    /// fit its table, the game fails.
    fn append(&self, game: GameKey, row: Row, records: Vec<Record>);

    /// Ends an open game after everything appended so far, and closes it for writing. Calls `done` once; before that, readers do
    /// not find the end in the store.
    fn finish(&self, game: GameKey, ending: Ending, done: Stored);

    /// Opens a game that was found by [`recover`](LogReader::recover), or one that failed. Where the next sequence is
    /// another, it fails. `durable(next_sequence - 1)` says that it is open.
    fn resume(&self, game: GameKey, next_sequence: u64, acknowledge: Arc<dyn Acknowledge>);

    /// What the store counts about its commits; nothing where it has none.
    fn measures(&self) -> Option<&Measures>;

    /// Everything written so far is durable when this returns, and the store takes no more. It can still be read.
    ///
    /// # Errors
    /// If the last entries could not be made durable.
    fn close(&self) -> Result<(), StoreError>;
}

/// Opens the store at a path for reading, which needs no lock and changes nothing.
///
/// # Errors
///
/// Where there is no store, or none that this program can read.
pub async fn open_reader(store: &Path) -> Result<Arc<dyn LogReader>, StoreError> {
    Ok(Arc::new(SqliteReader::open(store).await?))
}

/// Receives the results of a game's writes. The store calls it from its own thread, or from the caller of [`EventLog::append`] if
/// durability is off. It must return soon, and must not write to the store.
pub trait Acknowledge: Send + Sync {
    /// All entries up to this one are durable, as far as the store promises; 0 is the game itself. Called at most once for
    /// each commit, or each entry where nothing is waited for.
    fn durable(&self, through: u64);

    /// The game takes no more writes. Called at most once; what was not acknowledged before may be lost.
    fn failed(&self, error: Arc<StoreError>);
}

/// Called when a client, or the end of a game, is durable or cannot be.
pub type Stored = Box<dyn FnOnce(Result<(), Arc<StoreError>>) + Send>;

/// A game within one store.
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

/// A client as it is stored. The token itself is nowhere in the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredClient {
    /// Its number in the game.
    pub client: CommId,
    /// The BLAKE3 hash of its token.
    pub token_hash: [u8; 32],
    /// Its name, empty if it has none.
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
    /// What it begins with, numbered from 1: a fork has entries of its parent.
    rows: Vec<Row>,
}

impl NewGame {
    /// The name is unique in the store; `scenario` is the text within the setup, where the rulebook has one, for people
    /// who look into the store.
    pub fn new<S: Serialize + DeserializeOwned>(
        name: &str,
        header: &Header<S>,
        scenario: Option<String>,
        created: i64,
    ) -> Self {
        let about = About::of(header);
        let parent = header.parent.as_ref().map(|parent| parent.game.clone());
        let header = header.encode();
        Self { name: name.into(), about, header, scenario, created, parent, rows: Vec::new() }
    }

    /// A game that begins with entries, numbered from 1 and chained to its header; the header as it is read without a setup, and with it, in bytes.
    pub(crate) fn fork(header: &Header<()>, bytes: Vec<u8>, scenario: Option<String>, rows: Vec<Row>) -> Self {
        Self { header: bytes, rows, ..Self::new(&header.game, header, scenario, header.created) }
    }

    /// Where its log ends.
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
    /// The names of the players, in the order in which they came; of an unfinished game, or one that ended before names
    /// were stored, they are not known without folding it.
    pub players: Option<Vec<String>>,
    /// How it ended for each seat; of an unfinished game, one of a rulebook that does not count, or one that ended before
    /// results were stored, there are none.
    pub results: Option<Vec<SeatResult>>,
    /// The name of the game that this one was forked from.
    pub parent: Option<String>,
    /// The end of its log.
    pub tail: Tail,
}

/// The end of a game, as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// In words for people.
    pub outcome: String,
    /// Milliseconds since 1970.
    pub at: i64,
    /// The names of the players, in the order in which they came, for those who look for games.
    pub players: Vec<String>,
    /// How it ended for each seat, for programs; empty if the rulebook has no results.
    pub results: Vec<SeatResult>,
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
    /// The outcome of a game that must not go on, where its log tells how it ended.
    pub const BROKEN: &str = "broken";
}

/// The end of a log. It is stored beside the entries, so that missing last entries are noticed.
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
}
