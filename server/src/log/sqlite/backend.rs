//! The log file as its writer uses it.

use std::{fs::File, os::unix::fs::FileExt, path::PathBuf};

use rusqlite::Connection;

use super::{read_back::FileReadBack, records, removal, schema, transaction::Transaction};
use crate::log::{
    GameKey, Options, Redaction, StoreError, Table, Tombstone, WhyRemoved,
    lock::{WriterLock, beside},
    staging::{Committed, OpenGames},
    write::{ReadBack, Write},
    writer::Backend,
};

/// The writing connection to a log file.
pub(super) struct SqliteBackend {
    path: PathBuf,
    options: Options,
    connection: Connection,
    /// The tables of rulebooks.
    tables: Vec<&'static Table>,
    /// The next row of the entries, if the last rows were of a removed game: numbers of rows are never used again.
    next_row: Option<i64>,
    /// Declared after the connection, so that it is released last.
    _lock: WriterLock,
}

impl SqliteBackend {
    /// Begins to write. What a process that was killed had not yet deleted of removed games is deleted first.
    pub(super) fn open(
        path: PathBuf,
        options: Options,
        connection: Connection,
        lock: WriterLock,
    ) -> Result<Self, StoreError> {
        let mut backend = Self { path, options, connection, tables: Vec::new(), next_row: None, _lock: lock };
        while backend.clear()? {}
        Ok(backend)
    }
}

impl Backend for SqliteBackend {
    fn write(&mut self, batch: &[Write], games: &OpenGames) -> Result<Committed, StoreError> {
        let committed = Transaction::new(&self.connection, &self.tables, games, self.next_row).run(batch)?;
        if committed.entries() > 0 {
            self.next_row = None;
        }
        Ok(committed)
    }

    fn reopen(&mut self) -> Result<(), StoreError> {
        // The old connection is closed after this. Otherwise the shared memory of the write-ahead log would be removed and
        // created again, which needs space on the disk.
        self.connection = schema::open(&self.path, self.options)?;
        Ok(())
    }

    fn read_back<'b>(&'b mut self, _: &[Write], _: &OpenGames) -> Result<Box<dyn ReadBack + 'b>, StoreError> {
        Ok(Box::new(FileReadBack(&self.connection)))
    }

    /// Writes and syncs the write-ahead log again with the same content. After a failed sync, the kernel may serve pages from
    /// memory that are not on the disk and that it does not try to write again.
    fn secure(&mut self) -> Result<(), StoreError> {
        let path = beside(&self.path, "-wal");
        let rewrite = || {
            let file = File::options().read(true).write(true).open(&path)?;
            let (length, mut at, mut piece) = (file.metadata()?.len(), 0, vec![0; 1 << 20]);
            while at < length {
                let read = file.read_at(&mut piece, at)?;
                if read == 0 {
                    break;
                }
                file.write_all_at(&piece[..read], at)?;
                at += read as u64;
            }
            file.sync_all()
        };
        rewrite().map_err(|source| StoreError::Io { path, source })
    }

    fn probe(&mut self) -> Result<(), StoreError> {
        let read = self.connection.pragma_query_value(None, "user_version", |row| row.get::<_, i32>(0));
        let written = read.and_then(|version| self.connection.pragma_update(None, "user_version", version));
        written.map_err(StoreError::sqlite("trying to write"))
    }

    fn add_tables(&mut self, tables: &[&'static Table]) -> Result<(), StoreError> {
        let new = records::add_tables(&self.connection, &self.tables, tables)?;
        self.tables.extend(new);
        Ok(())
    }

    fn remove(&mut self, game: GameKey, why: WhyRemoved, at: i64) -> Result<Tombstone, StoreError> {
        removal::remove(&self.connection, &self.tables, game, why, at)
    }

    fn clear(&mut self) -> Result<bool, StoreError> {
        let is_more = removal::clear(&self.connection)?;
        self.next_row = removal::next_row(&self.connection)?;
        Ok(is_more)
    }

    fn redact(&mut self, game: GameKey, redaction: &Redaction) -> Result<(), StoreError> {
        removal::redact(&self.connection, &self.tables, game, redaction)
    }

    /// Makes everything durable, including writes with less than full durability.
    fn close(&mut self) -> Result<(), StoreError> {
        let checkpoint = self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        checkpoint.map_err(StoreError::sqlite("copying the write-ahead log into the file"))?;
        // A reader may have kept a part in the write-ahead log.
        for path in [self.path.clone(), beside(&self.path, "-wal")] {
            let synced = File::open(&path).and_then(|file| file.sync_all());
            synced.map_err(|source| StoreError::Io { path, source })?;
        }
        Ok(())
    }
}
