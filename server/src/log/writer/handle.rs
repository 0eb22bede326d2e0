//! The way to a writer for the callers of its store.

use std::{
    path::Path,
    sync::{Arc, Mutex, PoisonError, mpsc},
    thread::{self, JoinHandle},
};

use tokio::sync::oneshot;

use super::{Backend, Job, Writer};
use crate::log::{
    GameKey, Measures, Reading, Redaction, StoreError, Table, Tombstone, WhyRemoved, staging::OpenGames, write::Write,
};

/// Passes writes to the thread that writes a store.
pub(in crate::log) struct WriterHandle<B: Backend> {
    jobs: mpsc::Sender<Job<B>>,
    thread: Mutex<Option<JoinHandle<()>>>,
    measures: Arc<Measures>,
}

impl<B: Backend> WriterHandle<B> {
    /// Starts the thread, which opens the store at `path`, and waits for that. `is_eager` says that entries are acknowledged
    /// before they are written.
    pub(in crate::log) fn start(
        path: &Path,
        is_eager: bool,
        open: impl FnOnce() -> Result<B, StoreError> + Send + 'static,
    ) -> Result<Self, StoreError> {
        let (jobs, received) = mpsc::channel();
        let (reply, opened) = mpsc::channel();
        let measures = Arc::new(Measures::default());
        let measured = measures.clone();
        let run = move || {
            let (backend, answer) = match open() {
                Ok(backend) => (Some(backend), Ok(())),
                Err(error) => (None, Err(error)),
            };
            let _caller_is_gone = reply.send(answer);
            if let Some(backend) = backend {
                Writer::new(backend, received, measured).run(is_eager);
            }
        };
        let thread = thread::Builder::new().name("log writer".into()).spawn(run);
        let thread = thread.map_err(|source| StoreError::Io { path: path.into(), source })?;
        opened.recv().unwrap_or(Err(StoreError::Closed))?;
        Ok(Self { jobs, thread: Mutex::new(Some(thread)), measures })
    }

    pub(in crate::log) fn measures(&self) -> &Measures {
        &self.measures
    }

    /// Passes a write to the writer. Returns false if the writer is gone: then it has notified every open game, or was closed.
    pub(in crate::log) fn write(&self, write: Write) -> bool {
        let Err(mpsc::SendError(Job::Write(write))) = self.jobs.send(Job::Write(write)) else { return true };
        let closed = Arc::new(StoreError::Closed);
        match write {
            Write::Create { acknowledge, .. } | Write::Resume { acknowledge, .. } => acknowledge.failed(closed),
            Write::Client { done, .. } | Write::Finish { done, .. } => done(Err(closed)),
            Write::Append { .. } => {}
        }
        false
    }

    /// Creates the missing tables of rulebooks.
    pub(in crate::log) fn add_tables(&self, tables: &[&'static Table]) -> Reading<'_, ()> {
        let tables = tables.to_vec();
        Box::pin(async move {
            if tables.is_empty() {
                return Ok(());
            }
            let (reply, made) = oneshot::channel();
            // If the writer is gone, the job and its reply channel are dropped.
            drop(self.jobs.send(Job::Tables { tables, reply }));
            made.await.unwrap_or(Err(StoreError::Closed))
        })
    }

    /// Removes a finished game. Other writes go on between two pieces.
    pub(in crate::log) fn remove(&self, game: GameKey, why: WhyRemoved, at: i64) -> Reading<'_, Tombstone> {
        Box::pin(async move {
            let removed = self.run(move |backend, _| backend.remove(game, why, at)).await;
            let stone = removed.unwrap_or(Err(StoreError::Closed))?;
            while self.run(|backend, _| backend.clear()).await.unwrap_or(Err(StoreError::Closed))? {}
            Ok(stone)
        })
    }

    /// Replaces parts of a finished game.
    pub(in crate::log) fn redact(&self, game: GameKey, redaction: Redaction) -> Reading<'_, ()> {
        Box::pin(async move {
            let redacted = self.run(move |backend, _| backend.redact(game, &redaction)).await;
            redacted.unwrap_or(Err(StoreError::Closed))
        })
    }

    /// Runs work on the writer's thread, when everything before it is written. If the writer is gone, the receiver fails.
    pub(in crate::log) fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut B, &mut OpenGames) -> T + Send + 'static,
    ) -> oneshot::Receiver<T> {
        run(&self.jobs, work)
    }

    /// The same for a caller that does not have the store: it resolves when everything before it is written.
    pub(in crate::log) fn flusher(&self) -> impl Fn() -> oneshot::Receiver<()> + Send + Sync + use<B> {
        let jobs = self.jobs.clone();
        move || run(&jobs, |_, _| ())
    }

    /// Makes everything written so far durable, and ends the thread. `first` runs before that, if the thread still runs.
    pub(in crate::log) fn close(&self, first: impl FnOnce()) -> Result<(), StoreError> {
        let Some(thread) = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take() else { return Ok(()) };
        first();
        let (reply, closed) = mpsc::channel();
        let _ = self.jobs.send(Job::Close { reply });
        let result = closed.recv().unwrap_or(Err(StoreError::Closed));
        // The thread has ended, so its locks are free for the next writer. A panic of the thread was already reported.
        let _ = thread.join();
        result
    }

    /// Whether the caller is the writer's thread, which cannot wait for itself.
    pub(in crate::log) fn is_inside(&mut self) -> bool {
        let thread = self.thread.get_mut().unwrap_or_else(PoisonError::into_inner);
        thread.as_ref().is_some_and(|thread| thread.thread().id() == thread::current().id())
    }
}

fn run<B: Backend, T: Send + 'static>(
    jobs: &mpsc::Sender<Job<B>>,
    work: impl FnOnce(&mut B, &mut OpenGames) -> T + Send + 'static,
) -> oneshot::Receiver<T> {
    let (reply, done) = oneshot::channel();
    let work = Box::new(move |backend: &mut B, games: &mut OpenGames| {
        let _caller_is_gone = reply.send(work(backend, games));
    });
    let _writer_is_gone = jobs.send(Job::Run(work));
    done
}
