//! Games in one SQLite file. One thread writes it, with one commit for all writes that have arrived meanwhile. Any process may
//! read it.
//!
//! `reader` reads on the threads of `pool`, with the queries in `file`. `setups` and `editions` store parts of a header once
//! for all games that have them. `records` has the tables of rulebooks. `backend` is the file as the writer uses it, `transaction`
//! is one commit, and `read_back` finds out whether it was stored. `eager` acknowledges entries before they are written. `backup`
//! copies a log, `salvage` a damaged one. `removal` deletes games and replaces names, `removed_rows` checks what that left.

mod backend;
mod backup;
mod eager;
mod editions;
mod file;
mod pool;
mod read_back;
mod reader;
mod records;
mod removal;
mod removed_rows;
mod salvage;
mod schema;
mod setups;
mod split_headers;
mod transaction;

use std::{
    fmt,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
};

use backend::SqliteBackend;
pub use backup::backup;
use eager::Eager;
pub(super) use reader::SqliteReader;
pub use salvage::{LeftBehind, Salvaged, WhyLeft, salvage};
pub(crate) use schema::{create_private_file, narrow_files};
use tokio::sync::mpsc;

use crate::log::{
    Acknowledge, Cell, Ending, EventLog, GameHead, GameKey, GameRecord, LogReader, Measures, NewGame, Reading, Record,
    RecoveredBatch, RecoveryStats, Redaction, Row, Selection, StoreDamage, StoreError, Stored, StoredClient, Table,
    Tombstone, WhyRemoved, lock::WriterLock, write::Write, writer::WriterHandle,
};

/// The failures that an acknowledged entry survives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Durability {
    /// A loss of power.
    #[default]
    Full,
    /// The end of the process. A power loss may lose the last entries, but the file stays intact.
    Normal,
    /// None: entries are acknowledged before they are written. The end of the process loses entries of the last milliseconds,
    /// but the file stays intact. A power loss may damage the file.
    None,
}

/// The options for writing a log file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The failures that an acknowledged entry survives.
    pub durability: Durability,
    /// The maximum number of 4096-byte pages of the file. Writes that need more fail.
    pub max_pages: Option<u32>,
}

/// The log of a host in a SQLite file.
pub struct SqliteLog {
    path: PathBuf,
    writer: WriterHandle<SqliteBackend>,
    next_key: AtomicI64,
    reader: SqliteReader,
    /// Set for [`Durability::None`].
    eager: Option<Eager>,
}

impl SqliteLog {
    /// Opens a log for writing, and creates it if it does not exist. Only one process may write a log at a time.
    ///
    /// # Errors
    /// If another process writes the log, the file cannot be opened, or it is not a log of a supported version.
    pub fn open(path: &Path, options: Options) -> Result<Self, StoreError> {
        let lock = WriterLock::take(path)?;
        let connection = schema::open(path, options)?;
        let last_key = connection
            .query_row(removal::LAST_KEY, [], |row| row.get::<_, i64>(0))
            .map_err(StoreError::sqlite("reading the last game"))?;

        let eager = (options.durability == Durability::None).then(Eager::default);
        let backend = SqliteBackend::open(path.into(), options, connection, lock)?;
        let writer = WriterHandle::start(path, eager.is_some(), move || Ok(backend))?;
        // If entries are acknowledged early, a reader must still find every acknowledged entry.
        let flush = eager.is_some().then(|| Box::new(writer.flusher()) as _);
        Ok(Self {
            path: path.into(),
            writer,
            next_key: AtomicI64::new(last_key.saturating_add(1)),
            reader: SqliteReader::new(path, flush),
            eager,
        })
    }

    /// The receiver of the results of a game's writes.
    fn acknowledged(&self, game: GameKey, acknowledge: Arc<dyn Acknowledge>) -> Arc<dyn Acknowledge> {
        match &self.eager {
            Some(eager) => eager.open(game, acknowledge),
            None => acknowledge,
        }
    }
}

impl LogReader for SqliteLog {
    fn list(&self) -> Reading<'_, Vec<GameRecord>> {
        self.reader.list()
    }

    fn page(&self, before: Option<GameKey>, limit: usize) -> Reading<'_, Vec<GameRecord>> {
        self.reader.page(before, limit)
    }

    fn first(&self) -> Reading<'_, Option<GameRecord>> {
        self.reader.first()
    }

    fn ended_since<'a>(&'a self, rulebook: &'a str, moment: i64) -> Reading<'a, Vec<GameRecord>> {
        self.reader.ended_since(rulebook, moment)
    }

    fn first_ended<'a>(&'a self, rulebook: &'a str, limit: usize) -> Reading<'a, Vec<GameRecord>> {
        self.reader.first_ended(rulebook, limit)
    }

    fn count_ended<'a>(&'a self, rulebook: &'a str) -> Reading<'a, u64> {
        self.reader.count_ended(rulebook)
    }

    fn removed(&self) -> Reading<'_, Vec<Tombstone>> {
        self.reader.removed()
    }

    fn find<'a>(&'a self, name: &'a str) -> Reading<'a, Option<GameHead>> {
        self.reader.find(name)
    }

    fn head(&self, game: GameKey) -> Reading<'_, GameHead> {
        self.reader.head(game)
    }

    fn rows(&self, game: GameKey, from: u64) -> Reading<'_, Vec<Row>> {
        self.reader.rows(game, from)
    }

    fn clients(&self, game: GameKey) -> Reading<'_, Vec<StoredClient>> {
        self.reader.clients(game)
    }

    fn records(&self, table: &'static Table, filter: Option<(&'static str, Cell)>) -> Reading<'_, Vec<Vec<Cell>>> {
        self.reader.records(table, filter)
    }

    fn recover(&self, which: Selection, found: mpsc::Sender<RecoveredBatch>) -> Reading<'_, RecoveryStats> {
        self.reader.recover(which, found)
    }

    fn check(&self) -> Reading<'_, Vec<StoreDamage>> {
        self.reader.check()
    }
}

impl EventLog for SqliteLog {
    fn add_tables(&self, tables: &[&'static Table]) -> Reading<'_, ()> {
        self.writer.add_tables(tables)
    }

    fn create(&self, game: NewGame, acknowledge: Arc<dyn Acknowledge>) -> GameKey {
        let key = GameKey(self.next_key.fetch_add(1, Ordering::Relaxed));
        let acknowledge = self.acknowledged(key, acknowledge);
        self.writer.write(Write::Create { key, game, acknowledge });
        key
    }

    fn add_client(&self, game: GameKey, client: StoredClient, done: Stored) {
        self.writer.write(Write::Client { game, client, done });
    }

    fn append(&self, game: GameKey, row: Row, records: Vec<Record>) {
        let sequence = row.sequence;
        let write = Write::Append { game, row, records };
        match &self.eager {
            Some(eager) => eager.append(game, sequence, || self.writer.write(write)),
            None => drop(self.writer.write(write)),
        }
    }

    fn finish(&self, game: GameKey, ending: Ending, done: Stored) {
        self.eager.iter().for_each(|eager| eager.finish(game));
        self.writer.write(Write::Finish { game, ending, done });
    }

    fn resume(&self, game: GameKey, next_sequence: u64, acknowledge: Arc<dyn Acknowledge>) {
        let acknowledge = self.acknowledged(game, acknowledge);
        self.writer.write(Write::Resume { game, next_sequence, acknowledge });
    }

    fn remove(&self, game: GameKey, why: WhyRemoved, at: i64) -> Reading<'_, Tombstone> {
        self.writer.remove(game, why, at)
    }

    fn redact(&self, game: GameKey, redaction: Redaction) -> Reading<'_, ()> {
        self.writer.redact(game, redaction)
    }

    fn measures(&self) -> Option<&Measures> {
        Some(self.writer.measures())
    }

    fn close(&self) -> Result<(), StoreError> {
        self.writer.close(|| {
            self.reader.forget_files();
            self.eager.iter().for_each(Eager::close);
        })
    }
}

impl Drop for SqliteLog {
    fn drop(&mut self) {
        // The thread cannot join itself; it ends when all senders are dropped.
        if !self.writer.is_inside() {
            // No caller is left to receive an error; the games have already received theirs.
            let _ = self.close();
        }
    }
}

impl fmt::Debug for SqliteLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqliteLog").field("path", &self.path).finish_non_exhaustive()
    }
}
