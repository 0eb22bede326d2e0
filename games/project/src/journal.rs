//! What a program did, in a text file that stays small. Whoever writes a line never waits for the disk.

use std::{
    fmt::{self, Write as _},
    fs::{self, File, OpenOptions},
    io::{self, Write as _},
    path::{Path, PathBuf},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread::{self, JoinHandle},
    time::Duration,
};

use cli::moment;
use server::{RealWorld, World};

/// Lines that the disk is too slow for are left out and counted.
const MOST_WAITING: usize = 1 << 20;

/// What is behind this in a line is left out.
const LONGEST_LINE: usize = 4 << 10;

/// How long lines may wait for others, so that they are written together.
const GATHERING: Duration = Duration::from_millis(50);

/// A text file with a line for everything that is worth one. When it is as long as it may be, it becomes `NAME.1`, and the
/// `NAME.1` of before is gone.
#[derive(Debug, Clone)]
pub struct Journal(Option<Arc<Open>>);

#[derive(Debug)]
struct Open {
    shared: Arc<Shared>,
    world: Arc<dyn World>,
    writer: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Shared {
    waiting: Mutex<Waiting>,
    more: Condvar,
}

#[derive(Debug, Default)]
struct Waiting {
    lines: String,
    left_out: u64,
    /// The time of the last line in milliseconds, and how it is written.
    time: (i64, String),
    closed: bool,
}

impl Journal {
    /// Continues a file, or begins one.
    pub fn open(path: &Path, longest: u64) -> io::Result<Self> {
        Self::open_in(Arc::new(RealWorld), path, longest)
    }

    /// The same, with the clock of a host.
    pub fn open_in(world: Arc<dyn World>, path: &Path, longest: u64) -> io::Result<Self> {
        let file = Rotating::open(path.to_owned(), longest)?;
        let shared = Arc::new(Shared::default());
        let theirs = Arc::clone(&shared);
        let writer = thread::Builder::new().name("journal".into()).spawn(move || write(file, &theirs))?;
        Ok(Self(Some(Arc::new(Open { shared, world, writer: Some(writer) }))))
    }

    /// Keeps nothing.
    pub fn none() -> Self {
        Self(None)
    }

    /// Whether lines are kept at all, for those who would have to work for them.
    pub fn is_kept(&self) -> bool {
        self.0.is_some()
    }

    /// Adds a line with the time. Whatever is no character that people can read is escaped, so that it stays one line.
    pub fn line(&self, text: fmt::Arguments<'_>) {
        let Some(open) = &self.0 else { return };
        let now = open.world.now();
        let mut waiting = open.shared.lock();
        if waiting.lines.len() > MOST_WAITING {
            waiting.left_out += 1;
            return;
        }
        let is_first = waiting.lines.is_empty();
        waiting.add(now, text);
        drop(waiting);
        if is_first {
            open.shared.more.notify_one();
        }
    }
}

impl Waiting {
    fn add(&mut self, now: i64, text: fmt::Arguments<'_>) {
        if self.left_out > 0 {
            let count = std::mem::take(&mut self.left_out);
            self.add(now, format_args!("{count} lines were left out: the disk is too slow"));
        }
        if self.time.0 != now {
            self.time = (now, format!("{}.{:03} ", moment(now), now.rem_euclid(1000)));
        }
        let Self { lines, time, .. } = self;
        lines.push_str(&time.1);
        // Writing to a string does not fail, and a line that is cut is meant to be.
        let _ = Line { lines, left: LONGEST_LINE }.write_fmt(text);
        lines.push('\n');
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What is left goes to the file before the last of those who write to it is gone.
impl Drop for Open {
    fn drop(&mut self) {
        self.shared.lock().closed = true;
        self.shared.more.notify_one();
        if let Some(writer) = self.writer.take() {
            // It cannot have panicked, and if it had there would be nobody to tell.
            let _ = writer.join();
        }
    }
}

/// One line that is being written.
struct Line<'l> {
    lines: &'l mut String,
    left: usize,
}

impl fmt::Write for Line<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        // Without an exit, so that the compiler looks at many bytes at once.
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

/// Brings lines to the file until there will be no more.
fn write(mut file: Rotating, shared: &Shared) {
    let mut lines = String::new();
    loop {
        let mut waiting = shared.lock();
        while waiting.lines.is_empty() && !waiting.closed {
            waiting = shared.more.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
        std::mem::swap(&mut lines, &mut waiting.lines);
        let closed = waiting.closed;
        drop(waiting);
        // A disk that is full must not stop the program, and there is nowhere to say so.
        let _ = file.write(&lines);
        lines.clear();
        if closed && shared.lock().lines.is_empty() {
            return;
        }
        if !closed {
            thread::sleep(GATHERING);
        }
    }
}

/// A file that begins anew when it is full.
struct Rotating {
    path: PathBuf,
    file: File,
    length: u64,
    longest: u64,
}

impl Rotating {
    fn open(path: PathBuf, longest: u64) -> io::Result<Self> {
        let file = OpenOptions::new().create(true).append(true).open(&path)?;
        let length = file.metadata()?.len();
        Ok(Self { path, file, length, longest })
    }

    fn write(&mut self, lines: &str) -> io::Result<()> {
        let mut rest = lines;
        while !rest.is_empty() {
            let room = usize::try_from(self.longest.saturating_sub(self.length)).unwrap_or(usize::MAX);
            let fits = if rest.len() <= room {
                rest.len()
            } else {
                rest.as_bytes()[..room].iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1)
            };
            if fits == 0 && self.length > 0 {
                self.begin_anew()?;
                continue;
            }
            // A line that is longer than the whole file may be is there all the same.
            let fits = if fits == 0 { rest.find('\n').map_or(rest.len(), |end| end + 1) } else { fits };
            let (now, later) = rest.split_at(fits);
            self.file.write_all(now.as_bytes())?;
            self.length += u64::try_from(now.len()).unwrap_or(u64::MAX);
            rest = later;
        }
        Ok(())
    }

    fn begin_anew(&mut self) -> io::Result<()> {
        let mut old = self.path.clone().into_os_string();
        old.push(".1");
        fs::rename(&self.path, old)?;
        *self = Self::open(self.path.clone(), self.longest)?;
        Ok(())
    }
}
