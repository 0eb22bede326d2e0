//! The thread that writes a log.

use std::{
    collections::VecDeque,
    fs::File,
    path::PathBuf,
    sync::{Arc, mpsc},
    thread,
    time::Duration,
};

use rusqlite::Connection;
use tokio::sync::oneshot;

use super::{
    records,
    transaction::{OpenGames, Transaction},
};
use crate::log::{
    Acknowledge, Ending, GameKey, Measures, NewGame, Record, Row, StoreError, Stored, StoredClient, Table,
    lock::{WriterLock, beside},
};

/// The maximum number of jobs in one commit, so that a long queue is acknowledged in pieces.
const BATCH: usize = 4_096;

/// How long the writer collects entries if no game waits for them.
const GATHERING: Duration = Duration::from_millis(2);

/// A write request.
pub(super) enum Job {
    Create {
        key: GameKey,
        game: NewGame,
        acknowledge: Arc<dyn Acknowledge>,
    },
    Client {
        game: GameKey,
        client: StoredClient,
        done: Stored,
    },
    Append {
        game: GameKey,
        row: Row,
        records: Vec<Record>,
    },
    Finish {
        game: GameKey,
        ending: Ending,
        done: Stored,
    },
    Resume {
        game: GameKey,
        next_sequence: u64,
        acknowledge: Arc<dyn Acknowledge>,
    },
    /// Creates tables of rulebooks.
    Tables {
        tables: Vec<&'static Table>,
        reply: oneshot::Sender<Result<(), StoreError>>,
    },
    /// Replies when everything before it is written.
    Flush {
        reply: oneshot::Sender<()>,
    },
    Close {
        reply: mpsc::Sender<Result<(), StoreError>>,
    },
}

/// Owns the writing connection and the games that are open for writing.
pub(super) struct Writer {
    path: PathBuf,
    connection: Connection,
    games: OpenGames,
    /// The tables of rulebooks.
    tables: Vec<&'static Table>,
    jobs: mpsc::Receiver<Job>,
    measures: Arc<Measures>,
    /// Whether entries are acknowledged before the writer receives them.
    eager: bool,
    /// Declared after the connection, so that it is released last.
    _lock: WriterLock,
}

impl Writer {
    pub(super) fn new(
        path: PathBuf,
        connection: Connection,
        jobs: mpsc::Receiver<Job>,
        eager: bool,
        measures: Arc<Measures>,
        lock: WriterLock,
    ) -> Self {
        Self { path, connection, games: OpenGames::default(), tables: Vec::new(), jobs, eager, measures, _lock: lock }
    }

    /// Commits all jobs that have arrived since the last commit, until the store is closed or dropped.
    pub(super) fn run(mut self) {
        let mut batch = VecDeque::new();
        while let Ok(first) = self.jobs.recv() {
            if self.eager && matches!(first, Job::Append { .. }) {
                // Sleeps and does not wait for the next job: otherwise every sender would have to wake this thread.
                thread::sleep(GATHERING);
            }
            let (mut closing, mut flushed) = (None, Vec::new());
            let waiting = std::iter::once(first).chain(self.jobs.try_iter()).take(BATCH);
            for job in waiting {
                match job {
                    Job::Close { reply } => {
                        closing = Some(reply);
                        break;
                    }
                    Job::Flush { reply } => flushed.push(reply),
                    Job::Tables { tables, reply } => {
                        let _nobody_waits = reply.send(add_tables(&self.connection, &mut self.tables, &tables));
                    }
                    Job::Create { .. }
                    | Job::Client { .. }
                    | Job::Append { .. }
                    | Job::Finish { .. }
                    | Job::Resume { .. } => batch.push_back(job),
                }
            }
            while !batch.is_empty() {
                Transaction::new(&self.connection, &self.tables, &mut self.games, &self.measures).run(&mut batch);
            }
            for reply in flushed {
                let _nobody_waits = reply.send(());
            }
            if let Some(reply) = closing {
                // The closing thread waits for the reply, or has given up.
                let _ = reply.send(self.sync());
                return;
            }
        }
    }

    /// Makes everything durable, including writes with less than full durability.
    fn sync(&self) -> Result<(), StoreError> {
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

/// Creates the missing tables, and remembers them.
fn add_tables(
    connection: &Connection,
    known: &mut Vec<&'static Table>,
    added: &[&'static Table],
) -> Result<(), StoreError> {
    let new = records::add_tables(connection, known, added)?;
    known.extend(new);
    Ok(())
}

impl Drop for Writer {
    /// Notifies the games after a panic, so that no room waits without end.
    fn drop(&mut self) {
        if thread::panicking() {
            self.measures.failed();
            self.games.fail_all(&Arc::new(StoreError::Closed));
        }
    }
}
