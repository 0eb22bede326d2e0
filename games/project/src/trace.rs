//! The trace of a program: a text file of bounded size with a line for each message and error. Adding a line never waits for
//! the disk.

use std::{
    fmt::{self, Write as _},
    fs::{self, File, OpenOptions},
    io::{self, Write as _},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use cli::moment;
use server::World;
use tokio::{sync::Notify, time::sleep};

/// How many bytes may wait for the disk. Lines beyond that are dropped and counted.
const MAX_PENDING_BYTES: usize = 1 << 20;

/// The maximum length of a line. Longer lines are cut.
const MAX_LINE_BYTES: usize = 4 << 10;

/// The pause between two writes, so that many lines are written together.
const WRITE_INTERVAL: Duration = Duration::from_millis(50);

/// An open trace file, or no trace. A full file is renamed to `NAME.1`, which replaces the previous `NAME.1`, and a new file
/// begins.
///
/// The host's [`World`] provides the time of a line, and the thread that writes to the disk.
#[derive(Debug, Clone)]
pub struct TraceFile(Option<Arc<Open>>);

#[derive(Debug)]
struct Open {
    world: Arc<dyn World>,
    shared: Arc<Shared>,
}

/// State shared by the threads that add lines and the thread that writes them.
#[derive(Debug)]
struct Shared {
    pending: Mutex<Pending>,
    has_pending: Notify,
    file: Mutex<Rotating>,
}

#[derive(Debug, Default)]
struct Pending {
    lines: String,
    dropped: u64,
    /// The time of the last line in milliseconds, and its text.
    time: (i64, String),
    closed: bool,
}

/// The file of a trace cannot be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceError {
    /// The file.
    pub file: PathBuf,
    /// Why it cannot be written.
    pub kind: io::ErrorKind,
}

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot write the trace file {}: {}", self.file.display(), self.kind)
    }
}

impl std::error::Error for TraceError {}

impl TraceFile {
    /// The maximum size of a program's trace file: 10 MiB.
    pub const MAX_BYTES: u64 = 10 << 20;

    /// Opens a file to append to it, or creates it. Must be called in a tokio runtime, which runs the task that writes.
    ///
    /// # Errors
    ///
    /// If the file cannot be opened for writing.
    pub fn open(world: Arc<dyn World>, path: &Path, max_bytes: u64) -> Result<Self, TraceError> {
        let file = Rotating::open(path.to_owned(), max_bytes)
            .map_err(|error| TraceError { file: path.to_owned(), kind: error.kind() })?;
        let shared = Shared { pending: Mutex::default(), has_pending: Notify::new(), file: Mutex::new(file) };
        let shared = Arc::new(shared);
        tokio::spawn(write_lines(Arc::clone(&world), Arc::clone(&shared)));
        Ok(Self(Some(Arc::new(Open { world, shared }))))
    }

    /// No trace: lines are dropped.
    pub fn off() -> Self {
        Self(None)
    }

    /// Whether lines are written. Callers check it before they compute an expensive line.
    pub fn is_on(&self) -> bool {
        self.0.is_some()
    }

    /// Adds a line with the time. Escapes control characters, so that the text stays on one line.
    pub fn line(&self, text: fmt::Arguments<'_>) {
        let Some(open) = &self.0 else { return };
        let now = open.world.now();
        let mut pending = lock(&open.shared.pending);
        if pending.lines.len() > MAX_PENDING_BYTES {
            pending.dropped += 1;
            return;
        }
        let is_first = pending.lines.is_empty();
        pending.add(now, text);
        drop(pending);
        if is_first {
            open.shared.has_pending.notify_one();
        }
    }

    /// Waits until all lines are written. A program that ends without this call may lose the last lines.
    pub async fn flush(&self) {
        let Some(open) = &self.0 else { return };
        write_pending(&*open.world, &open.shared).await;
    }
}

impl Pending {
    fn add(&mut self, now: i64, text: fmt::Arguments<'_>) {
        if self.dropped > 0 {
            let count = std::mem::take(&mut self.dropped);
            self.add(now, format_args!("{count} lines were left out: the disk is too slow"));
        }
        if self.time.0 != now {
            self.time = (now, format!("{}.{:03} ", moment(now), now.rem_euclid(1000)));
        }
        let Self { lines, time, .. } = self;
        lines.push_str(&time.1);
        // Writing to a string cannot fail; an error means only that the line was cut.
        let _ = Line { lines, left: MAX_LINE_BYTES }.write_fmt(text);
        lines.push('\n');
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        lock(&self.shared.pending).closed = true;
        self.shared.has_pending.notify_one();
    }
}

/// Ignores poisoning: a thread that panics leaves both values consistent.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes lines until the last handle is dropped.
async fn write_lines(world: Arc<dyn World>, shared: Arc<Shared>) {
    loop {
        shared.has_pending.notified().await;
        let closed = lock(&shared.pending).closed;
        write_pending(&*world, &shared).await;
        if closed {
            return;
        }
        sleep(WRITE_INTERVAL).await;
    }
}

async fn write_pending(world: &dyn World, shared: &Arc<Shared>) {
    let shared = Arc::clone(shared);
    let written = world.blocking(move || {
        // Lock the file before taking the lines, so that they are written in their order.
        let mut file = lock(&shared.file);
        let lines = std::mem::take(&mut lock(&shared.pending).lines);
        file.write(&lines)
    });
    // A full disk must not stop the program, and the program cannot report it anywhere.
    let _ = written.await;
}

/// Writes one line, with escaped characters and a maximum length.
struct Line<'l> {
    lines: &'l mut String,
    left: usize,
}

impl fmt::Write for Line<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        // The loop has no early exit, so that the compiler can check many bytes at once.
        let is_plain = text.bytes().fold(true, |plain, byte| plain & matches!(byte, b' '..=b'~'));
        if text.len() <= self.left && is_plain {
            self.lines.push_str(text);
            self.left -= text.len();
            return Ok(());
        }
        for character in text.chars() {
            self.left = self.left.checked_sub(character.len_utf8()).ok_or(fmt::Error)?;
            if character.is_control() {
                self.lines.extend(character.escape_default());
            } else {
                self.lines.push(character);
            }
        }
        Ok(())
    }
}

/// A file that is replaced by a new one when it is full.
#[derive(Debug)]
struct Rotating {
    path: PathBuf,
    file: File,
    length: u64,
    max_bytes: u64,
}

impl Rotating {
    fn open(path: PathBuf, max_bytes: u64) -> io::Result<Self> {
        let file = OpenOptions::new().create(true).append(true).open(&path)?;
        let length = file.metadata()?.len();
        Ok(Self { path, file, length, max_bytes })
    }

    fn write(&mut self, lines: &str) -> io::Result<()> {
        let mut rest = lines;
        while !rest.is_empty() {
            let room = usize::try_from(self.max_bytes.saturating_sub(self.length)).unwrap_or(usize::MAX);
            let fits = if rest.len() <= room {
                rest.len()
            } else {
                rest.as_bytes()[..room].iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1)
            };
            if fits == 0 && self.length > 0 {
                self.rotate()?;
                continue;
            }
            // A line that is longer than the limit of the file is written anyway.
            let fits = if fits == 0 { rest.find('\n').map_or(rest.len(), |end| end + 1) } else { fits };
            let (now, later) = rest.split_at(fits);
            self.file.write_all(now.as_bytes())?;
            self.length += u64::try_from(now.len()).unwrap_or(u64::MAX);
            rest = later;
        }
        Ok(())
    }

    fn rotate(&mut self) -> io::Result<()> {
        let mut old = self.path.clone().into_os_string();
        old.push(".1");
        fs::rename(&self.path, old)?;
        *self = Self::open(self.path.clone(), self.max_bytes)?;
        Ok(())
    }
}
