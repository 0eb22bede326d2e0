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

/// How much goes into one commit at most, so that a long queue is acknowledged piece by piece.
const BATCH: usize = 4_096;

/// How long entries are gathered if no game waits for them.
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
    /// Tables of games.
    Tables {
        tables: Vec<&'static Table>,
        reply: oneshot::Sender<Result<(), StoreError>>,
    },
    /// Answers when everything before it is written.
    Flush {
        reply: oneshot::Sender<()>,
    },
    Close {
        reply: mpsc::Sender<Result<(), StoreError>>,
    },
}

/// Owns the connection that writes, and the games that are open for writing.
pub(super) struct Writer {
    path: PathBuf,
    connection: Connection,
    games: OpenGames,
    /// Those of rulebooks.
    tables: Vec<&'static Table>,
    jobs: mpsc::Receiver<Job>,
    measures: Arc<Measures>,
    /// Entries are acknowledged before they come here.
    eager: bool,
    /// After the connection, so that it is freed last.
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

    /// Commits whatever has come in since the last commit, until the store is closed or dropped.
    pub(super) fn run(mut self) {
        let mut batch = VecDeque::new();
        while let Ok(first) = self.jobs.recv() {
            if self.eager && matches!(first, Job::Append { .. }) {
                // Not by waiting for the next one: who sends to a thread that waits has to wake it, every time.
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
                // The closing thread waits for the answer, or has given up.
                let _ = reply.send(self.sync());
                return;
            }
        }
    }

    /// Makes everything durable, also what was written with less than full durability.
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

/// Makes the tables that are missing, and remembers them.
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
    /// A panic must not leave a room waiting without end.
    fn drop(&mut self) {
        if thread::panicking() {
            self.measures.failed();
            self.games.fail_all(&Arc::new(StoreError::Closed));
        }
    }
}
