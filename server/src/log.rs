//! Where games are kept: the [`EventLog`] and its stores.
//!
//! A room writes without waiting and is told through [`Acknowledge`] what is durable; only then may anybody hear of it.
//! [`SqliteLog`] is the store of a host, [`MemoryLog`] one without a disk, and [`FaultyLog`] makes either fail on purpose.
//! [`verify`] looks for what was changed in a file. `docs/log-store.md` describes the file for others.

mod error;
mod faulty;
mod lock;
mod measures;
mod memory;
mod sqlite;
mod verify;

use std::{fmt, sync::Arc};

use engine::{Chain, CommId, Digest, Header};
use serde::{Serialize, de::DeserializeOwned};

pub use error::StoreError;
pub use faulty::FaultyLog;
pub use measures::Measures;
pub use memory::MemoryLog;
pub use sqlite::{Durability, LogFile, Options, SqliteLog};
pub(crate) use verify::Checker;
pub use verify::{Damage, FileDamage, GameReport, Progress, Report, verify};

/// Keeps the games of a host.
///
/// The methods that write return at once; a store works through them in the order of the calls. [`create`](Self::create)
/// or [`resume`](Self::resume) opens a game for writing. Writes to a game that is not open, because it failed or is
/// finished, or after [`close`](Self::close), go nowhere, and nothing acknowledges them. The methods that return a
/// `Result` read from the disk: a task calls them where it may block.
pub trait EventLog: fmt::Debug + Send + Sync {
    /// A new game, open for writing behind the entries that it begins with. `durable` with their number says that it is
    /// stored with all of them; a part of it never is.
    fn create(&self, game: NewGame, acknowledge: Arc<dyn Acknowledge>) -> GameKey;

    /// A client of an open game. `done` is called once: nobody may be told the client's token before.
    fn add_client(&self, game: GameKey, client: StoredClient, done: Stored);

    /// Adds an entry to an open game. Its sequence is the one that the caller expects to be next; where the store
    /// expects another, the game fails.
    fn append(&self, game: GameKey, row: Row);

    /// Adds an entry, and in the same transaction rows of tables that a rulebook has for people who ask in SQL. A store without
    /// such tables keeps the entry alone.
    fn append_recorded(&self, game: GameKey, row: Row, records: Vec<Record>) {
        let _no_tables = records;
        self.append(game, row);
    }

    /// An open game is over, after everything appended so far, with the names of its players for those who look for
    /// games. It is no longer open. `done` is called once: until then nobody finds the end in the store.
    fn finish(&self, game: GameKey, end: End, players: Vec<String>, done: Stored);

    /// Opens a game that was found by [`recover`](Self::recover), or one that failed. Where the next sequence is
    /// another, it fails. `durable(next_sequence - 1)` says that it is open.
    fn resume(&self, game: GameKey, next_sequence: u64, acknowledge: Arc<dyn Acknowledge>);

    /// The durable entries of a game from a sequence on.
    fn read(&self, game: GameKey, from: u64) -> Result<Vec<Row>, StoreError>;

    /// A game without its entries.
    fn head(&self, game: GameKey) -> Result<GameHead, StoreError>;

    /// A game by its name.
    fn find(&self, name: &str) -> Result<Option<GameHead>, StoreError>;

    /// The clients of a game, in the order of their ids.
    fn clients(&self, game: GameKey) -> Result<Vec<StoredClient>, StoreError>;

    /// Every game, in the order in which they were created.
    fn list(&self) -> Result<Vec<GameRecord>, StoreError>;

    /// So many games at most that were created before one, the newest first; without one before nothing.
    fn page(&self, before: Option<GameKey>, limit: usize) -> Result<Vec<GameRecord>, StoreError>;

    /// Makes the tables of games that are missing, each by statements that leave one that is there as it is. A store without
    /// such tables has nothing to make. Comes before anything is recorded in them.
    fn add_tables(&self, tables: &[&'static str]) -> Result<(), StoreError> {
        let _no_tables = tables;
        Ok(())
    }

    /// Asks a table of a rulebook whether it has something: `question` is one statement that gives a number, `?1` is what it is
    /// about. A store without such tables has nothing.
    fn is_recorded(&self, question: &'static str, about: i64) -> Result<bool, StoreError> {
        let _no_tables = (question, about);
        Ok(false)
    }

    /// One scan over all unfinished games. A game comes before its clients, these before its entries, and entries in
    /// their order; entries of several games are mixed as they were written. Only entries that verify are visited.
    fn recover(&self, visit: &mut dyn FnMut(Recovered<'_>)) -> Result<RecoveryStats, StoreError>;

    /// What the store counts about its commits; nothing where it has none.
    fn measures(&self) -> Option<&Measures>;

    /// Everything written so far is durable when this returns, and the store takes no more.
    fn close(&self) -> Result<(), StoreError>;
}

/// Who hears what became of the writes of a game. It is called from the store's own thread, or by [`EventLog::append`] from
/// the caller's where nothing is waited for; it must return soon, and not write in turn.
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
    pub sequence: u64,
    pub bytes: Vec<u8>,
    pub digest: Digest,
}

/// A change in a table of a rulebook, which an entry of the log brings with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// One statement. `?1` is the game's number in the store, the values are `?2` and on.
    pub statement: &'static str,
    pub values: Vec<Cell>,
}

/// A value in a table of a rulebook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell {
    Integer(i64),
    Text(String),
}

/// A client as it is stored. The token itself is nowhere in the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredClient {
    pub client: CommId,
    pub token_hash: [u8; 32],
    pub name: String,
    /// Milliseconds since 1970.
    pub joined: i64,
}

/// What a game is before anything happens in it.
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

/// What the header says, as far as it can be read without the rulebook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    pub rulebook: String,
    pub edition: String,
    pub rules_version: u32,
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
    pub key: GameKey,
    pub name: String,
    pub about: About,
    /// Milliseconds since 1970.
    pub created: i64,
    pub end: Option<End>,
    /// The names of the players, in the order in which they came; of an unfinished game, or one that ended before names
    /// were stored, they are not known without folding it.
    pub players: Option<Vec<String>>,
    /// The name of the game that this one was forked from.
    pub parent: Option<String>,
    pub tail: Tail,
}

/// How and when a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    pub outcome: String,
    /// Milliseconds since 1970.
    pub at: i64,
}

impl End {
    /// The outcome of a game that must not go on, where its log tells how it ended.
    pub const BROKEN: &str = "broken";
}

/// Where a log ends. It is stored beside the entries, so that a log without its last ones is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tail {
    pub entries: u64,
    pub digest: Digest,
}

/// A stored game with its header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameHead {
    pub record: GameRecord,
    pub header: Vec<u8>,
    pub scenario: Option<String>,
}

/// What [`EventLog::recover`] comes across.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recovered<'r> {
    Game {
        head: &'r GameHead,
    },
    Client {
        game: GameKey,
        client: &'r StoredClient,
    },
    Entry {
        game: GameKey,
        sequence: u64,
        bytes: &'r [u8],
        digest: Digest,
    },
    /// The log of this game is not what was written. Nothing more of it is visited, and it must not be continued.
    Damaged {
        game: GameKey,
        damage: &'r Damage,
    },
}

/// What a recovery went through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecoveryStats {
    pub games: u64,
    pub clients: u64,
    pub entries: u64,
    /// Of the entries.
    pub bytes: u64,
    pub damaged: u64,
}
