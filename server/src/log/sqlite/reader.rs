//! Reading a log file asynchronously.

use std::{fmt, path::Path};

use tokio::sync::{mpsc, oneshot};

use super::{file::Snapshot, pool::ReaderPool};
use crate::log::{
    Cell, GameHead, GameKey, GameRecord, LogReader, Reading, RecoveredBatch, RecoveryStats, Row, Selection,
    StoreDamage, StoreError, StoredClient, Table, Tombstone, recovered::Gone,
};

/// Makes the writer of the file flush; the receiver resolves when that is done.
type Flush = Box<dyn Fn() -> oneshot::Receiver<()> + Send + Sync>;

/// A log file that is open for reading. It needs no lock.
pub(in crate::log) struct SqliteReader {
    pool: ReaderPool,
    /// Called before every read.
    flush: Option<Flush>,
}

impl SqliteReader {
    /// Opens a log file of any released version.
    pub(in crate::log) async fn open(path: &Path) -> Result<Self, StoreError> {
        let reader = Self::new(path, None);
        reader.pool.read(|_| Ok(())).await?;
        Ok(reader)
    }

    pub(super) fn new(path: &Path, flush: Option<Flush>) -> Self {
        Self { pool: ReaderPool::new(path), flush }
    }

    /// Closes the idle connections.
    pub(super) fn forget_files(&self) {
        self.pool.forget_files();
    }

    fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Snapshot<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Reading<'_, T> {
        Box::pin(async move {
            if let Some(flush) = &self.flush {
                let _writer_is_gone = flush().await;
            }
            self.pool.read(read).await
        })
    }
}

impl LogReader for SqliteReader {
    fn list(&self) -> Reading<'_, Vec<GameRecord>> {
        self.read(|file| file.list())
    }

    fn page(&self, before: Option<GameKey>, limit: usize) -> Reading<'_, Vec<GameRecord>> {
        self.read(move |file| file.page(before, limit))
    }

    fn first(&self) -> Reading<'_, Option<GameRecord>> {
        self.read(|file| file.first())
    }

    fn ended_since<'a>(&'a self, rulebook: &'a str, moment: i64) -> Reading<'a, Vec<GameRecord>> {
        let rulebook = rulebook.to_owned();
        self.read(move |file| file.ended_since(&rulebook, moment))
    }

    fn first_ended<'a>(&'a self, rulebook: &'a str, limit: usize) -> Reading<'a, Vec<GameRecord>> {
        let rulebook = rulebook.to_owned();
        self.read(move |file| file.first_ended(&rulebook, limit))
    }

    fn count_ended<'a>(&'a self, rulebook: &'a str) -> Reading<'a, u64> {
        let rulebook = rulebook.to_owned();
        self.read(move |file| file.count_ended(&rulebook))
    }

    fn removed(&self) -> Reading<'_, Vec<Tombstone>> {
        self.read(|file| file.removed())
    }

    fn find<'a>(&'a self, name: &'a str) -> Reading<'a, Option<GameHead>> {
        let name = name.to_owned();
        self.read(move |file| file.find(&name))
    }

    fn head(&self, game: GameKey) -> Reading<'_, GameHead> {
        self.read(move |file| file.head(game))
    }

    fn rows(&self, game: GameKey, from: u64) -> Reading<'_, Vec<Row>> {
        self.read(move |file| file.rows(game, from))
    }

    fn clients(&self, game: GameKey) -> Reading<'_, Vec<StoredClient>> {
        self.read(move |file| file.clients(game))
    }

    fn records(&self, table: &'static Table, filter: Option<(&'static str, Cell)>) -> Reading<'_, Vec<Vec<Cell>>> {
        self.read(move |file| file.records(table, filter.as_ref()))
    }

    fn recover(&self, which: Selection, found: mpsc::Sender<RecoveredBatch>) -> Reading<'_, RecoveryStats> {
        self.read(move |file| file.recover(&which, |batch| found.blocking_send(batch).map_err(|_| Gone)))
    }

    fn check(&self) -> Reading<'_, Vec<StoreDamage>> {
        self.read(|file| file.check())
    }
}

impl fmt::Debug for SqliteReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqliteReader").field("path", &self.pool.path()).finish_non_exhaustive()
    }
}
