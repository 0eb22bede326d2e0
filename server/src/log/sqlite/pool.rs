//! Threads that read a log file, so that no task waits for a disk.

use std::{
    collections::VecDeque,
    fmt,
    panic::{self, AssertUnwindSafe},
    path::{Path, PathBuf},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
};

use tokio::sync::oneshot;

use super::file::{LogFile, Snapshot};
use crate::log::StoreError;

/// The maximum number of reader threads. While one scans the whole file, the others can read single games.
const MOST_THREADS: usize = 4;

/// Reads a file on separate threads, in the order of the requests. A new thread starts if a request finds no idle one.
pub(super) struct ReaderPool {
    shared: Arc<Shared>,
}

impl ReaderPool {
    pub(super) fn new(path: &Path) -> Self {
        let shared =
            Shared { path: path.into(), queue: Mutex::default(), changed: Condvar::new(), files: Mutex::default() };
        Self { shared: Arc::new(shared) }
    }

    pub(super) fn path(&self) -> &Path {
        &self.shared.path
    }

    /// Runs `read` on one of the threads and returns its result.
    pub(super) async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Snapshot<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (reply, answer) = oneshot::channel();
        self.submit(Box::new(move |shared| {
            let _nobody_waits = reply.send(shared.read(read));
        }))?;
        // If there is no answer, the thread panicked.
        answer.await.unwrap_or(Err(StoreError::Closed))
    }

    /// Closes the idle connections. Later requests open new ones.
    pub(super) fn forget_files(&self) {
        self.shared.files().clear();
    }

    fn submit(&self, job: Job) -> Result<(), StoreError> {
        let mut queue = self.shared.queue();
        queue.jobs.push_back(job);
        if queue.jobs.len() <= queue.idle || queue.threads == MOST_THREADS {
            self.shared.changed.notify_one();
            return Ok(());
        }
        let shared = self.shared.clone();
        let started = thread::Builder::new().name("log reader".into()).spawn(move || shared.work());
        match started {
            Ok(_) => queue.threads += 1,
            // The existing threads process the job.
            Err(_) if queue.threads > 0 => {}
            Err(source) => {
                queue.jobs.pop_back();
                return Err(StoreError::Io { path: self.shared.path.clone(), source });
            }
        }
        Ok(())
    }
}

impl Drop for ReaderPool {
    /// The threads end after they have answered the waiting requests.
    fn drop(&mut self) {
        self.shared.queue().closed = true;
        self.shared.changed.notify_all();
    }
}

impl fmt::Debug for ReaderPool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReaderPool").field("path", &self.shared.path).finish_non_exhaustive()
    }
}

type Job = Box<dyn FnOnce(&Shared) + Send>;

struct Shared {
    path: PathBuf,
    queue: Mutex<Queue>,
    /// Notified when a job arrives or the pool closes.
    changed: Condvar,
    /// Idle connections.
    files: Mutex<Vec<LogFile>>,
}

#[derive(Default)]
struct Queue {
    jobs: VecDeque<Job>,
    threads: usize,
    /// The number of threads that wait for a job.
    idle: usize,
    closed: bool,
}

impl Shared {
    /// The main loop of each thread.
    fn work(&self) {
        while let Some(job) = self.next() {
            // After a panic, the connection is dropped, and the caller receives an error.
            let _panicked = panic::catch_unwind(AssertUnwindSafe(|| job(self)));
        }
    }

    fn next(&self) -> Option<Job> {
        let mut queue = self.queue();
        loop {
            if let Some(job) = queue.jobs.pop_front() {
                return Some(job);
            }
            if queue.closed {
                return None;
            }
            queue.idle += 1;
            queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
            queue.idle -= 1;
        }
    }

    /// Reads with an exclusive connection. After an error, the connection is not used again.
    fn read<T>(&self, read: impl FnOnce(&Snapshot<'_>) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let idle = self.files().pop();
        let file = idle.map_or_else(|| LogFile::open(&self.path), Ok)?;
        let given = file.read(read)?;
        self.files().push(file);
        Ok(given)
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn files(&self) -> MutexGuard<'_, Vec<LogFile>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;
    use crate::log::{Options, SqliteLog};

    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("holdfast-pool-{name}-{}", std::process::id()));
            std::fs::create_dir_all(&path).expect("a directory");
            drop(SqliteLog::open(&path.join("games.db"), Options::default()).expect("a log"));
            Self(path)
        }

        fn pool(&self) -> ReaderPool {
            ReaderPool::new(&self.0.join("games.db"))
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _gone_already = std::fs::remove_dir_all(&self.0);
        }
    }

    fn threads(pool: &ReaderPool) -> usize {
        pool.shared.queue().threads
    }

    #[tokio::test]
    async fn threads_start_as_they_are_needed_and_requests_wait_for_them() {
        let scratch = Scratch::new("threads");
        let pool = Arc::new(scratch.pool());
        assert_eq!(threads(&pool), 0);
        let (started, starting) = mpsc::channel();
        let mut releases = Vec::new();
        let mut readings = Vec::new();
        for number in 0..MOST_THREADS + 2 {
            let (release, released) = mpsc::channel::<()>();
            let (pool, started) = (pool.clone(), started.clone());
            releases.push(release);
            readings.push(tokio::spawn(async move {
                let work = move |_: &Snapshot<'_>| {
                    started.send(number).expect("the test counts");
                    released.recv().expect("the test releases");
                    Ok(number)
                };
                pool.read(work).await
            }));
            tokio::task::yield_now().await;
        }
        let mut busy: Vec<usize> = (0..MOST_THREADS).map(|_| starting.recv().expect("a thread")).collect();
        busy.sort_unstable();
        assert_eq!(busy, (0..MOST_THREADS).collect::<Vec<_>>(), "in the order of the requests");
        assert!(starting.try_recv().is_err(), "the others wait");
        releases.iter().for_each(|release| release.send(()).expect("it waits"));
        for (number, reading) in readings.into_iter().enumerate() {
            assert_eq!(reading.await.expect("no panic").expect("an answer"), number);
        }
        assert_eq!(threads(&pool), MOST_THREADS);
    }

    #[tokio::test]
    async fn one_thread_is_enough_for_one_caller() {
        let scratch = Scratch::new("one");
        let pool = scratch.pool();
        for _ in 0..20 {
            assert_eq!(pool.read(|file| file.list()).await.expect("a list"), []);
            // The thread has answered, but may not be idle yet.
            while pool.shared.queue().idle == 0 {
                thread::yield_now();
            }
        }
        assert_eq!((threads(&pool), pool.shared.files().len()), (1, 1));
        pool.forget_files();
        assert_eq!(pool.shared.files().len(), 0);
        assert_eq!(pool.read(|file| file.list()).await.expect("a list"), [], "another connection");
    }

    #[tokio::test]
    async fn a_panic_and_an_error_leave_the_pool_as_it_was() {
        let scratch = Scratch::new("panic");
        let pool = scratch.pool();
        let panicked = pool.read(|_| -> Result<(), StoreError> { panic!("a test wants it") }).await;
        assert!(matches!(panicked, Err(StoreError::Closed)), "{panicked:?}");
        let failed = pool.read(|_| Err::<(), _>(StoreError::Injected { write: 7 })).await;
        assert!(matches!(failed, Err(StoreError::Injected { write: 7 })), "{failed:?}");
        assert_eq!(pool.read(|file| file.list()).await.expect("a list"), []);
    }

    #[tokio::test]
    async fn who_asked_before_the_end_is_answered() {
        let scratch = Scratch::new("end");
        let pool = scratch.pool();
        let (reply, answer) = oneshot::channel();
        pool.submit(Box::new(move |shared| drop(reply.send(shared.read(|file| file.list()))))).expect("a thread");
        drop(pool);
        assert_eq!(answer.await.expect("an answer").expect("a list"), []);
    }

    #[tokio::test]
    async fn a_file_that_is_not_there() {
        let pool = ReaderPool::new(Path::new("/nowhere/games.db"));
        let error = pool.read(|file| file.list()).await.expect_err("no file");
        assert!(matches!(error, StoreError::Sqlite { .. }), "{error}");
    }
}
