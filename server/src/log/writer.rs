//! The thread that writes a store: it collects writes, commits them, and tries again after faults that may pass.

mod handle;

use std::{
    collections::VecDeque,
    sync::{
        Arc,
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::{Duration, Instant},
};

use tokio::sync::oneshot;

pub(super) use handle::WriterHandle;

use crate::log::{
    Fault, GameKey, Measures, Redaction, StoreError, Table, Tombstone, WhyRemoved,
    staging::{Committed, OpenGames},
    write::{Backoff, Found, ReadBack, Write},
};

/// The maximum number of writes in one commit, so that a long queue is acknowledged in pieces.
const BATCH: usize = 4_096;

/// How long the writer collects entries if no game waits for them.
const GATHERING: Duration = Duration::from_millis(2);

/// Where a writer writes. All calls come from its thread, so they may block.
pub(super) trait Backend: Send + 'static {
    /// Writes a batch in one transaction.
    ///
    /// An error whose fault may pass leaves the outcome unknown. After any other error, nothing of the batch is stored.
    fn write(&mut self, batch: &[Write], games: &OpenGames) -> Result<Committed, StoreError>;

    /// Connects to the store again: after a failed write, what the old connection remembers may differ from what is stored.
    fn reopen(&mut self) -> Result<(), StoreError>;

    /// Reads what the store has of a batch with an unknown outcome, and of the ends of its games.
    fn read_back<'b>(&'b mut self, batch: &[Write], games: &OpenGames) -> Result<Box<dyn ReadBack + 'b>, StoreError>;

    /// Makes sure that everything that was read back is durable.
    fn secure(&mut self) -> Result<(), StoreError>;

    /// Writes something that changes nothing.
    fn probe(&mut self) -> Result<(), StoreError>;

    /// Creates the missing tables of rulebooks, and remembers them.
    fn add_tables(&mut self, tables: &[&'static Table]) -> Result<(), StoreError>;

    /// Removes a finished game, and leaves its entries for [`clear`](Self::clear).
    fn remove(&mut self, game: GameKey, why: WhyRemoved, at: i64) -> Result<Tombstone, StoreError>;

    /// Deletes some entries of removed games. Returns whether there are more.
    fn clear(&mut self) -> Result<bool, StoreError>;

    /// Replaces parts of a finished game.
    fn redact(&mut self, game: GameKey, redaction: &Redaction) -> Result<(), StoreError>;

    /// Makes everything durable. Nothing is written after this.
    fn close(&mut self) -> Result<(), StoreError>;
}

/// Something that the writer does between two commits.
type Work<B> = Box<dyn FnOnce(&mut B, &mut OpenGames) + Send>;

/// A request to the writer.
enum Job<B> {
    Write(Write),
    /// Creates tables of rulebooks.
    Tables {
        tables: Vec<&'static Table>,
        reply: oneshot::Sender<Result<(), StoreError>>,
    },
    /// Runs when everything before it is written.
    Run(Work<B>),
    Close {
        reply: mpsc::Sender<Result<(), StoreError>>,
    },
}

/// Owns the writing connection and the games that are open for writing.
///
/// A fault that may pass is not an error for the games. The writer keeps their writes, opens the store again, reads back what is
/// stored, and writes the rest, until that succeeds or the store is closed.
struct Writer<B> {
    backend: B,
    games: OpenGames,
    jobs: mpsc::Receiver<Job<B>>,
    /// Jobs that arrived while the writer waited for the store.
    queue: VecDeque<Job<B>>,
    /// Whether the store is to be closed: then the writer does not wait for it.
    is_closing: bool,
    measures: Arc<Measures>,
}

impl<B: Backend> Writer<B> {
    fn new(backend: B, jobs: mpsc::Receiver<Job<B>>, measures: Arc<Measures>) -> Self {
        Self { backend, games: OpenGames::default(), jobs, queue: VecDeque::new(), is_closing: false, measures }
    }

    /// Commits all jobs that have arrived since the last commit, until the store is closed or dropped. Entries that were
    /// acknowledged before they arrive here (`eager`) are collected for a while.
    fn run(mut self, eager: bool) {
        let mut lost = None;
        while let Some(first) = self.next() {
            if eager && matches!(first, Job::Write(Write::Append { .. })) {
                // Sleeps and does not wait for the next job: otherwise every sender would have to wake this thread.
                thread::sleep(GATHERING);
            }
            let (mut batch, mut closing, mut after) = (Vec::new(), None, None);
            let mut job = Some(first);
            while let Some(next) = job {
                match next {
                    Job::Write(write) => batch.push(write),
                    Job::Tables { tables, reply } => {
                        let _caller_is_gone = reply.send(self.backend.add_tables(&tables));
                    }
                    Job::Run(work) => {
                        after = Some(work);
                        break;
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
            if let Some(work) = after {
                work(&mut self.backend, &mut self.games);
            }
            if let Some(reply) = closing {
                // The closing thread waits for the reply, or has given up.
                let _ = reply.send(lost.map_or_else(|| self.backend.close(), Err));
                return;
            }
        }
    }

    /// The next job. While the store fails and there is none, tries to write from time to time, so that the end of the fault is
    /// noticed.
    fn next(&mut self) -> Option<Job<B>> {
        let mut backoff = Backoff::new();
        while self.queue.is_empty() && self.measures.is_failing() {
            self.wait(backoff.next());
            if self.queue.is_empty() && !self.is_closing {
                self.measures.begin();
                match self.backend.reopen().and_then(|()| self.backend.probe()) {
                    Ok(()) => self.measures.recovered(),
                    Err(error) if error.fault() == Fault::Fenced => {
                        self.measures.recovered();
                        self.fence(Vec::new());
                    }
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
            let error = match self.backend.write(&batch, &self.games) {
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
            match error.fault() {
                Fault::Passing => {
                    self.measures.failed(&error);
                    batch = self.recover(batch, error, &mut backoff)?;
                }
                // These say nothing about the disk either.
                Fault::Game => {
                    self.measures.end();
                    return self.commit_apart(batch, &error);
                }
                Fault::Fenced => {
                    self.measures.end();
                    self.fence(batch);
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Commits the writes of each game on their own, because those of one game cannot be stored. If all are of one game, commits
    /// each write on its own.
    fn commit_apart(&mut self, batch: Vec<Write>, error: &Arc<StoreError>) -> Result<(), StoreError> {
        let mut games: Vec<(GameKey, Vec<Write>)> = Vec::new();
        for write in batch {
            let key = write.game();
            match games.iter_mut().find(|(game, _)| *game == key) {
                Some((_, writes)) => writes.push(write),
                None => games.push((key, vec![write])),
            }
        }
        match &mut games[..] {
            [(_, writes)] if writes.len() == 1 => {
                self.games.refuse(std::mem::take(writes), error);
                Ok(())
            }
            [(_, writes)] => std::mem::take(writes).into_iter().try_for_each(|write| self.commit(vec![write])),
            _ => games.into_iter().try_for_each(|(_, writes)| self.commit(writes)),
        }
    }

    /// Ends all games: another host owns them.
    fn fence(&mut self, batch: Vec<Write>) {
        self.measures.fenced.add(1);
        self.games.fence(batch);
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
            match self.backend.reopen().and_then(|()| self.find(&batch)) {
                Ok(found) => {
                    self.measures.read_back.add(1);
                    return Ok(self.settle(batch, found, &error));
                }
                Err(again) if again.fault() == Fault::Fenced => {
                    // The store can be written, but not by this host.
                    self.measures.recovered();
                    self.fence(batch);
                    return Ok(Vec::new());
                }
                Err(again) => {
                    error = Arc::new(again);
                    self.measures.failed(&error);
                }
            }
        }
    }

    /// Reads back what the store has of each write. A game that lacks an acknowledged entry must not continue.
    fn find(&mut self, batch: &[Write]) -> Result<Vec<Found>, StoreError> {
        let store = self.backend.read_back(batch, &self.games)?;
        let find = |write: &Write| match self.games.tail(write.game()) {
            Some(tail) if !tail.is_in(&*store, write.game())? => {
                Ok(Found::Other(StoreError::Diverged { game: write.game(), sequence: tail.entries }))
            }
            Some(_) | None => write.find(&*store),
        };
        let found: Vec<Found> = batch.iter().map(find).collect::<Result<_, _>>()?;
        drop(store);
        if found.iter().any(|found| matches!(found, Found::Stored)) {
            self.backend.secure()?;
        }
        Ok(found)
    }

    /// Acknowledges the writes that are stored, and refuses new games and writes that can never succeed. Returns the others.
    fn settle(&mut self, batch: Vec<Write>, found: Vec<Found>, error: &Arc<StoreError>) -> Vec<Write> {
        let mut missing = Vec::new();
        let resolved = &self.measures.resolved;
        for (write, found) in batch.into_iter().zip(found) {
            match &found {
                Found::Stored => resolved.stored.add(1),
                Found::Missing => resolved.missing.add(1),
                Found::Other(_) => resolved.other.add(1),
            }
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
                Job::Write(_) | Job::Tables { .. } | Job::Run(_) | Job::Close { .. } => self.queue.push_back(job),
            }
        }
    }
}

impl<B> Drop for Writer<B> {
    /// Notifies the games after a panic, so that no room waits without end.
    fn drop(&mut self) {
        if thread::panicking() {
            let error = Arc::new(StoreError::Closed);
            self.measures.failed(&error);
            self.games.fail_all(&error);
        }
    }
}
