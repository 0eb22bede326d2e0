//! Games without rules, and a receiver of their acknowledgements.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{
        Arc, Condvar, Mutex,
        atomic::{AtomicU32, Ordering},
        mpsc,
    },
};

use engine::{Cause, Chain, CommId, Emission, FORMAT, Header, Input, SeatResult, Verdict};
use server::log::{
    Acknowledge, Cell, Column, Ending, EventLog, FaultyLog, GameKey, LogReader, MemoryLog, NewGame, Options, Record,
    Report, Row, SqliteLog, StoreError, StoredClient, Table, open_reader, verify,
};

/// Waits for the result of a store operation.
pub(crate) fn wait<T>(answer: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().expect("a runtime").block_on(answer)
}

/// Verifies a log file.
pub(crate) fn verified(path: &Path) -> Result<Report, StoreError> {
    wait(async { verify(&*open_reader(path).await?, |_| {}).await })
}

/// A directory for one test, which is removed at the end.
#[derive(Debug)]
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("holdfast-log-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).expect("a scratch directory");
        Self(path)
    }

    /// The path of the log in this directory.
    pub(crate) fn log(&self) -> PathBuf {
        self.0.join("games.db")
    }

    pub(crate) fn open(&self) -> SqliteLog {
        SqliteLog::open(&self.log(), Options::default()).expect("a log")
    }

    /// A copy of database and write-ahead log as a crash at this moment would leave them.
    pub(crate) fn copy(log: &Path) -> Self {
        let copy = Self::new();
        for suffix in ["", "-wal"] {
            let from = with_suffix(log, suffix);
            if from.exists() {
                fs::copy(from, with_suffix(&copy.log(), suffix)).expect("a copy");
            }
        }
        copy
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub(crate) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    format!("{}{suffix}", path.display()).into()
}

pub(crate) const SCENARIO: &str = "a field with 3 stones";

pub(crate) fn header(name: &str) -> Header<String> {
    header_with(name, SCENARIO.into())
}

/// A header with another setup.
pub(crate) fn header_with<S>(name: &str, setup: S) -> Header<S> {
    let (game, rulebook, edition) = (name.into(), "stones".into(), "short".into());
    Header { format: FORMAT, game, created: 0, rulebook, edition, rules_version: 1, seed: 7, parent: None, setup }
}

pub(crate) fn new_game(name: &str) -> NewGame {
    NewGame::new(name, &header(name), Some(SCENARIO.into()), 1_000)
}

pub(crate) fn client(id: u32) -> StoredClient {
    StoredClient { client: CommId(id), token_hash: [id as u8; 32], name: format!("client {id}"), joined: 2_000 }
}

/// The log's view of a room: a key, a chain of entries and acknowledgements.
pub(crate) struct Room {
    pub(crate) key: GameKey,
    pub(crate) ear: Arc<Ear>,
    pub(crate) chain: Chain,
}

impl Room {
    pub(crate) fn create(log: &dyn EventLog, name: &str) -> Self {
        let ear = Arc::new(Ear::default());
        let key = log.create(new_game(name), Arc::<Ear>::clone(&ear));
        Self { key, ear, chain: Chain::new(&header(name).encode()) }
    }

    /// The next entry, with a body of about `size` bytes.
    pub(crate) fn row(&mut self, size: usize) -> Row {
        let command = "x".repeat(size);
        let input: Input<_, ()> = Input { elapsed_ms: 3, cause: Cause::Command { client: CommId(1), command } };
        let link = self.chain.append(4, &input, &[] as &[Emission<()>]);
        Row { sequence: link.sequence, bytes: link.bytes.to_vec(), digest: link.digest }
    }

    pub(crate) fn append(&mut self, log: &dyn EventLog) {
        let row = self.row(40);
        log.append(self.key, row, Vec::new());
    }

    pub(crate) fn resume(&mut self, log: &dyn EventLog, next: u64) {
        self.ear = Arc::new(Ear::default());
        log.resume(self.key, next, Arc::<Ear>::clone(&self.ear));
    }
}

/// An empty store of each kind.
pub(crate) fn stores(scratch: &Scratch) -> Vec<Arc<dyn EventLog>> {
    let mut stores: Vec<Arc<dyn EventLog>> = vec![
        Arc::new(scratch.open()),
        Arc::new(MemoryLog::new()),
        Arc::new(FaultyLog::new(Arc::new(MemoryLog::new()))),
    ];
    stores.extend(postgres());
    stores
}

/// An empty PostgreSQL store, if this machine and this build have it.
#[cfg(feature = "postgres")]
pub(crate) fn postgres() -> Option<Arc<dyn EventLog>> {
    let address = server::log::PostgresAddress::parse(&testkit::Postgres::shared()?.store()).expect("an address");
    Some(Arc::new(server::log::PostgresLog::open_alone(&address, "test").expect("a store")))
}

/// This build has no PostgreSQL.
#[cfg(not(feature = "postgres"))]
pub(crate) fn postgres() -> Option<Arc<dyn EventLog>> {
    None
}

/// A table with every kind of column.
pub(crate) const CUPS: &Table = &Table {
    name: "Cups",
    key: &["ID"],
    columns: &[
        Column::integer("ID"),
        Column::game("Game"),
        Column::text("Colour").one_of(&["red", "it's blue"]),
        Column::text("Label").optional().length(1, 3),
        Column::integer("Size").optional().between(1, 9),
        Column::time("Filled").optional(),
    ],
};

/// A table whose rows refer to other rows.
pub(crate) const PAIRS: &Table = &Table {
    name: "Pairs",
    key: &["One", "Other"],
    columns: &[
        Column::integer("One").references("Cups"),
        Column::integer("Other").references("Cups").differs_from("One"),
        Column::text("Note").optional(),
    ],
};

/// A table with only a key.
pub(crate) const PLATES: &Table = &Table { name: "Plates", key: &["ID"], columns: &[Column::integer("ID")] };

/// A row of [`CUPS`] with only the required values.
pub(crate) fn cup(id: i64) -> Record {
    let colour = Cell::Text("red".into());
    Record::insert(CUPS, [("ID", Cell::Integer(id)), ("Game", Cell::ThisGame), ("Colour", colour)])
}

/// Rows in words.
pub(crate) fn rows(log: &dyn LogReader, table: &'static Table, filter: Option<(&'static str, Cell)>) -> String {
    let word = |cell: &Cell| match cell {
        Cell::Null => "-".to_owned(),
        Cell::ThisGame => panic!("never read"),
        Cell::Game(game) => format!("game {game}"),
        Cell::Integer(number) => number.to_string(),
        Cell::Text(text) => text.clone(),
        Cell::Time(at) => format!("at {at}"),
    };
    match wait(log.records(table, filter)) {
        Ok(rows) => {
            let lines = rows.iter().map(|row| row.iter().map(word).collect::<Vec<_>>().join("|"));
            lines.collect::<Vec<_>>().join("; ")
        }
        Err(error) => error.to_string(),
    }
}

/// Stores a client and waits for the result: by then everything before it has been answered.
pub(crate) fn add_client(log: &dyn EventLog, game: GameKey, id: u32) -> Result<(), Arc<StoreError>> {
    let (sender, answer) = mpsc::channel();
    log.add_client(game, client(id), Box::new(move |result| sender.send(result).expect("the test waits")));
    answer.recv().expect("an answer")
}

/// Names that are difficult to store.
pub(crate) const PLAYERS: [&str; 3] = ["Ana", "a \"b\", ['c']", "\u{1f9df}\n"];

/// The results of two of these players.
pub(crate) fn results() -> Vec<SeatResult> {
    let seat = |client, side: Option<&str>, verdict, points| {
        let name = PLAYERS[client as usize].into();
        SeatResult { client: CommId(client), name, side: side.map(Into::into), verdict, points }
    };
    vec![seat(0, Some("blue"), Verdict::Won, i64::MAX), seat(1, None, Verdict::Drawn, -1)]
}

/// Ends a game of these players.
pub(crate) fn finish(log: &dyn EventLog, game: GameKey, outcome: &str, at: i64) {
    let ending = Ending { outcome: outcome.into(), at, players: PLAYERS.map(String::from).into(), results: results() };
    log.finish(game, ending, Box::new(drop));
}

/// Records which entries are durable, and the failure.
#[derive(Debug, Default)]
pub(crate) struct Ear {
    heard: Mutex<Heard>,
    changed: Condvar,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Heard {
    pub(crate) durable: Option<u64>,
    pub(crate) failed: Option<String>,
}

impl Ear {
    pub(crate) fn heard(&self) -> Heard {
        self.heard.lock().expect("not poisoned").clone()
    }

    /// Waits until an entry is durable or the game failed.
    pub(crate) fn wait_for(&self, sequence: u64) -> Heard {
        let heard = self.heard.lock().expect("not poisoned");
        let waiting =
            |heard: &mut Heard| heard.failed.is_none() && heard.durable.is_none_or(|durable| durable < sequence);
        self.changed.wait_while(heard, waiting).expect("not poisoned").clone()
    }

    fn change(&self, change: impl FnOnce(&mut Heard)) {
        change(&mut self.heard.lock().expect("not poisoned"));
        self.changed.notify_all();
    }
}

impl Acknowledge for Ear {
    fn durable(&self, through: u64) {
        self.change(|heard| {
            assert!(heard.failed.is_none(), "{through} is durable after a failure");
            assert!(heard.durable.is_none_or(|durable| durable <= through), "{through} after {heard:?}");
            heard.durable = Some(through);
        });
    }

    fn failed(&self, error: Arc<StoreError>) {
        self.change(|heard| {
            assert!(heard.failed.is_none(), "a second failure: {error}");
            heard.failed = Some(error.to_string());
        });
    }
}
