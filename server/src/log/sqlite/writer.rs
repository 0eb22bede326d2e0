//! The thread that writes a log.

use std::{
    collections::VecDeque,
    fs::File,
    path::PathBuf,
    sync::{
        Arc,
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::{Duration, Instant},
};

use rusqlite::Connection;
use tokio::sync::oneshot;

use super::{
    read_back::FileReadBack,
    records, schema,
    transaction::{OpenGames, Transaction},
};
use crate::log::{
    Fault, GameKey, Measures, Options, StoreError, Table,
    lock::{WriterLock, beside},
    write::{Backoff, Found, Write},
};

/// The maximum number of writes in one commit, so that a long queue is acknowledged in pieces.
const BATCH: usize = 4_096;

/// How long the writer collects entries if no game waits for them.
const GATHERING: Duration = Duration::from_millis(2);

/// A request to the writer.
pub(super) enum Job {
    Write(Write),
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
///
/// A fault that may pass is not an error for the games. The writer keeps their writes, opens the file again, reads back what is
/// stored, and writes the rest, until that succeeds or the store is closed.
pub(super) struct Writer {
    path: PathBuf,
    options: Options,
    connection: Connection,
    games: OpenGames,
    /// The tables of rulebooks.
    tables: Vec<&'static Table>,
    jobs: mpsc::Receiver<Job>,
    /// Jobs that arrived while the writer waited for the store.
    queue: VecDeque<Job>,
    /// Whether the store is to be closed: then the writer does not wait for it.
    is_closing: bool,
    measures: Arc<Measures>,
    /// Declared after the connection, so that it is released last.
    _lock: WriterLock,
}

impl Writer {
    pub(super) fn new(
        path: PathBuf,
        options: Options,
        connection: Connection,
        jobs: mpsc::Receiver<Job>,
        measures: Arc<Measures>,
        lock: WriterLock,
    ) -> Self {
        let (games, tables, queue) = (OpenGames::default(), Vec::new(), VecDeque::new());
        Self { path, options, connection, games, tables, jobs, queue, is_closing: false, measures, _lock: lock }
    }

    /// Commits all jobs that have arrived since the last commit, until the store is closed or dropped. Entries that were
    /// acknowledged before they arrive here (`eager`) are collected for a while.
    pub(super) fn run(mut self, eager: bool) {
        let mut lost = None;
        while let Some(first) = self.next() {
            if eager && matches!(first, Job::Write(Write::Append { .. })) {
                // Sleeps and does not wait for the next job: otherwise every sender would have to wake this thread.
                thread::sleep(GATHERING);
            }
            let (mut batch, mut closing, mut flushed) = (Vec::new(), None, Vec::new());
            let mut job = Some(first);
            while let Some(next) = job {
                match next {
                    Job::Write(write) => batch.push(write),
                    Job::Flush { reply } => flushed.push(reply),
                    Job::Tables { tables, reply } => {
                        let _caller_is_gone = reply.send(self.add_tables(&tables));
                    }
                    Job::Close { reply } => {
                        (closing, self.is_closing) = (Some(reply), true);
                        break;
                    }
                }
                if batch.len() == BATCH {
                    break;
                }
                job = self.queue.pop_front().or_else(|| self.jobs.try_recv().ok());
            }
            lost = self.commit(batch).err().or(lost);
            for reply in flushed {
                let _caller_is_gone = reply.send(());
            }
            if let Some(reply) = closing {
                // The closing thread waits for the reply, or has given up.
                let _ = reply.send(lost.map_or_else(|| self.sync(), Err));
                return;
            }
        }
    }

    /// The next job. While the store fails and there is none, tries to write from time to time, so that the end of the fault is
    /// noticed.
    fn next(&mut self) -> Option<Job> {
        let mut backoff = Backoff::new();
        while self.queue.is_empty() && self.measures.is_failing() {
            self.wait(backoff.next());
            if self.queue.is_empty() && !self.is_closing {
                match self.reopen().and_then(|()| self.probe()) {
                    Ok(()) => self.measures.recovered(),
                    Err(error) => self.measures.failed(&Arc::new(error)),
                }
            }
        }
        self.queue.pop_front().or_else(|| self.jobs.recv().ok())
    }

    /// Commits a batch, as often as it takes. It fails only if the store is closed meanwhile.
    fn commit(&mut self, mut batch: Vec<Write>) -> Result<(), StoreError> {
        let mut backoff = Backoff::new();
        while !batch.is_empty() {
            let since = Instant::now();
            self.measures.begin();
            let error = match Transaction::new(&self.connection, &self.tables, &self.games).run(&batch) {
                Ok(committed) => {
                    if committed.is_empty() {
                        // Writes of failed games are dropped, so this says nothing about the disk.
                        self.measures.end();
                    } else {
                        self.measures.committed(committed.entries(), since.elapsed());
                    }
                    committed.tell(batch, &mut self.games);
                    return Ok(());
                }
                Err(error) => Arc::new(error),
            };
            if error.fault() != Fault::Passing {
                // This says nothing about the disk either.
                self.measures.end();
                return self.commit_each_game(batch, &error);
            }
            self.measures.failed(&error);
            batch = self.recover(batch, error, &mut backoff)?;
        }
        Ok(())
    }

    /// Commits the writes of each game on their own, because those of one game cannot be stored.
    fn commit_each_game(&mut self, batch: Vec<Write>, error: &Arc<StoreError>) -> Result<(), StoreError> {
        let mut games: Vec<(GameKey, Vec<Write>)> = Vec::new();
        for write in batch {
            let key = write.game();
            match games.iter_mut().find(|(game, _)| *game == key) {
                Some((_, writes)) => writes.push(write),
                None => games.push((key, vec![write])),
            }
        }
        if let [(_, writes)] = &mut games[..] {
            self.games.refuse(std::mem::take(writes), error);
            return Ok(());
        }
        games.into_iter().try_for_each(|(_, writes)| self.commit(writes))
    }

    /// Waits until the store can be read again. Returns the writes that it does not have.
    fn recover(
        &mut self,
        batch: Vec<Write>,
        mut error: Arc<StoreError>,
        backoff: &mut Backoff,
    ) -> Result<Vec<Write>, StoreError> {
        loop {
            if self.is_closing {
                self.games.refuse(batch, &error);
                return Err(StoreError::Unavailable(error));
            }
            self.wait(backoff.next());
            self.refuse_new_games(&error);
            match self.reopen().and_then(|()| self.find(&batch)) {
                Ok(found) => return Ok(self.settle(batch, found, &error)),
                Err(again) => {
                    error = Arc::new(again);
                    self.measures.failed(&error);
                }
            }
        }
    }

    /// Reads back what the store has of each write. A game that lacks an acknowledged entry must not continue.
    fn find(&self, batch: &[Write]) -> Result<Vec<Found>, StoreError> {
        let store = FileReadBack(&self.connection);
        let find = |write: &Write| match self.games.tail(write.game()) {
            Some(tail) if !tail.is_in(&store, write.game())? => {
                Ok(Found::Other(StoreError::Diverged { game: write.game(), sequence: tail.entries }))
            }
            Some(_) | None => write.find(&store),
        };
        let found: Vec<Found> = batch.iter().map(find).collect::<Result<_, _>>()?;
        if found.iter().any(|found| matches!(found, Found::Stored)) {
            self.rewrite()?;
        }
        Ok(found)
    }

    /// Acknowledges the writes that are stored, and refuses new games and writes that can never succeed. Returns the others.
    fn settle(&mut self, batch: Vec<Write>, found: Vec<Found>, error: &Arc<StoreError>) -> Vec<Write> {
        let mut missing = Vec::new();
        for (write, found) in batch.into_iter().zip(found) {
            match (found, write) {
                (Found::Stored, write) => self.games.acknowledge(write),
                (Found::Other(error), write) => self.games.refuse(vec![write], &Arc::new(error)),
                (Found::Missing, write @ Write::Create { .. }) => {
                    self.games.refuse(vec![write], &Arc::new(StoreError::Unavailable(error.clone())));
                }
                (Found::Missing, write) => missing.push(write),
            }
        }
        missing
    }

    /// Opens the file again: after a failed write, what the old connection remembers may differ from the disk.
    fn reopen(&mut self) -> Result<(), StoreError> {
        // The old connection is closed after this. Otherwise the shared memory of the write-ahead log would be removed and
        // created again, which needs space on the disk.
        self.connection = schema::open(&self.path, self.options)?;
        Ok(())
    }

    /// Writes and syncs the write-ahead log again with the same content. After a failed sync, the kernel may serve pages from
    /// memory that are not on the disk and that it does not try to write again.
    fn rewrite(&self) -> Result<(), StoreError> {
        use std::os::unix::fs::FileExt;
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

    /// Writes something that changes nothing.
    fn probe(&self) -> Result<(), StoreError> {
        self.measures.begin();
        let read = self.connection.pragma_query_value(None, "user_version", |row| row.get::<_, i32>(0));
        let written = read.and_then(|version| self.connection.pragma_update(None, "user_version", version));
        written.map_err(StoreError::sqlite("trying to write"))
    }

    /// Waits, and collects the jobs that arrive meanwhile. Ends early if the store is to be closed.
    fn wait(&mut self, time: Duration) {
        let until = Instant::now() + time;
        while !self.is_closing {
            match self.jobs.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(job) => {
                    self.is_closing = matches!(job, Job::Close { .. });
                    self.queue.push_back(job);
                }
                Err(RecvTimeoutError::Timeout) => return,
                Err(RecvTimeoutError::Disconnected) => self.is_closing = true,
            }
        }
    }

    /// Refuses the new games in the queue: their creators need not wait.
    fn refuse_new_games(&mut self, error: &Arc<StoreError>) {
        for job in std::mem::take(&mut self.queue) {
            match job {
                Job::Write(write @ Write::Create { .. }) => {
                    self.games.refuse(vec![write], &Arc::new(StoreError::Unavailable(error.clone())));
                }
                Job::Write(_) | Job::Tables { .. } | Job::Flush { .. } | Job::Close { .. } => self.queue.push_back(job),
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

    /// Creates the missing tables, and remembers them.
    fn add_tables(&mut self, added: &[&'static Table]) -> Result<(), StoreError> {
        let new = records::add_tables(&self.connection, &self.tables, added)?;
        self.tables.extend(new);
        Ok(())
    }
}

impl Drop for Writer {
    /// Notifies the games after a panic, so that no room waits without end.
    fn drop(&mut self) {
        if thread::panicking() {
            let error = Arc::new(StoreError::Closed);
            self.measures.failed(&error);
            self.games.fail_all(&error);
        }
    }
}
