//! What a server under test may use: memory, processes and standard error of its process group, sampled.
//!
//! This is no sandbox: a process that leaves its group is not counted. Run servers that you do not trust in a container.

use std::{
    fmt, fs,
    path::Path,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

/// The time between two samples.
const SAMPLE: Duration = Duration::from_millis(50);

/// The largest standard error of a server. It is written to a file.
const MOST_STANDARD_ERROR: u64 = 64 << 20;

/// What the processes of one server may use together; `None` is without a limit.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Resident memory, in bytes.
    pub memory_bytes: Option<u64>,
    /// Processes, with the server itself.
    pub processes: Option<usize>,
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// The most resident memory of a sample so far, in bytes, over all servers with these limits.
    pub peak_bytes: Arc<AtomicU64>,
}

/// The limit that a server has exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exceeded {
    Memory { used: u64, allowed: u64 },
    Processes { used: usize, allowed: usize },
    StandardError,
    Time(Duration),
}

impl fmt::Display for Exceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memory { used, allowed } => {
                write!(f, "its processes used {} MiB of memory, and {} MiB are allowed", used >> 20, allowed >> 20)
            }
            Self::Processes { used, allowed } => write!(f, "it had {used} processes, and {allowed} are allowed"),
            Self::Time(allowed) => write!(f, "the script took longer than {allowed:?}"),
            Self::StandardError => write!(f, "its standard error exceeded {} MiB", MOST_STANDARD_ERROR >> 20),
        }
    }
}

/// A thread that samples the process group of a server, and ends it if it exceeds a limit.
#[derive(Debug)]
pub(crate) struct Watch {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Shared {
    stopped: AtomicBool,
    exceeded: Mutex<Option<Exceeded>>,
}

impl Watch {
    /// Watches a process group; `None` if there are no limits.
    pub(crate) fn start(group: u32, limits: &Limits, standard_error: &Path, kill: fn(u32)) -> Option<Self> {
        if limits.memory_bytes.is_none() && limits.processes.is_none() && limits.time.is_none() {
            return None;
        }
        let shared = Arc::new(Shared::default());
        let (limits, file, seen) = (limits.clone(), standard_error.to_owned(), shared.clone());
        let since = Instant::now();
        let thread = thread::spawn(move || {
            while !seen.stopped.load(Ordering::Acquire) {
                let late = limits.time.filter(|&allowed| since.elapsed() > allowed).map(Exceeded::Time);
                let exceeded = late.or_else(|| check(group, &limits, &file));
                if exceeded.is_some() && !seen.stopped.load(Ordering::Acquire) {
                    *seen.exceeded.lock().unwrap_or_else(PoisonError::into_inner) = exceeded;
                    kill(group);
                    break;
                }
                thread::park_timeout(SAMPLE);
            }
        });
        Some(Self { shared, thread: Some(thread) })
    }

    pub(crate) fn exceeded(&self) -> Option<Exceeded> {
        *self.shared.exceeded.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the thread. After this, the process id may belong to another process.
    pub(crate) fn stop(&mut self) {
        self.shared.stopped.store(true, Ordering::Release);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            // If it panicked, nothing was exceeded.
            let _ended = thread.join();
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Whether a process group has living processes.
pub(crate) fn is_running(group: u32) -> bool {
    usage(group).processes > 0
}

/// The id of a running process and the time when it started; `None` if there is none. The system gives ids again.
pub(crate) fn identity(pid: u32) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let is_running = *fields.first()? != "Z";
    let started = fields.get(19)?;
    is_running.then(|| format!("{pid} {started}"))
}

fn check(group: u32, limits: &Limits, standard_error: &Path) -> Option<Exceeded> {
    let Usage { memory_bytes, processes } = usage(group);
    limits.peak_bytes.fetch_max(memory_bytes, Ordering::Relaxed);
    if let Some(allowed) = limits.memory_bytes.filter(|&allowed| memory_bytes > allowed) {
        return Some(Exceeded::Memory { used: memory_bytes, allowed });
    }
    if let Some(allowed) = limits.processes.filter(|&allowed| processes > allowed) {
        return Some(Exceeded::Processes { used: processes, allowed });
    }
    let written = fs::metadata(standard_error).map_or(0, |data| data.len());
    (written > MOST_STANDARD_ERROR).then_some(Exceeded::StandardError)
}

struct Usage {
    memory_bytes: u64,
    processes: usize,
}

/// What the living processes of a group use now.
fn usage(group: u32) -> Usage {
    let mut usage = Usage { memory_bytes: 0, processes: 0 };
    let Ok(entries) = fs::read_dir("/proc") else { return usage };
    for entry in entries.flatten() {
        let name = entry.file_name();
        if !name.to_str().is_some_and(|name| name.bytes().all(|byte| byte.is_ascii_digit())) {
            continue;
        }
        // The process may have ended meanwhile.
        let Ok(stat) = fs::read_to_string(entry.path().join("stat")) else { continue };
        if let Some(pages) = resident_pages(&stat, group) {
            usage.memory_bytes += pages * PAGE_BYTES;
            usage.processes += 1;
        }
    }
    usage
}

/// The size of a page on the systems that the program runs on.
const PAGE_BYTES: u64 = 4096;

/// The resident pages of a living process of this group, from its line in `/proc/PID/stat`.
fn resident_pages(stat: &str, group: u32) -> Option<u64> {
    // The name of the program is in parentheses and may contain anything.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let (state, own_group, pages) = (fields.first()?, fields.get(2)?, fields.get(21)?);
    let counts = *state != "Z" && own_group.parse() == Ok(group);
    counts.then(|| pages.parse().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_proc() {
        let line = "7 (a) b) S 1 42 7 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 9 1000000 321 18446744073709551615";
        assert_eq!(resident_pages(line, 42), Some(321));
        assert_eq!(resident_pages(line, 7), None, "another group");
        assert_eq!(resident_pages(&line.replace(" S ", " Z "), 42), None, "it has ended");
        assert_eq!(resident_pages("", 42), None);
    }

    #[test]
    fn words() {
        let memory = Exceeded::Memory { used: 300 << 20, allowed: 256 << 20 };
        assert_eq!(memory.to_string(), "its processes used 300 MiB of memory, and 256 MiB are allowed");
        let processes = Exceeded::Processes { used: 9, allowed: 8 };
        assert_eq!(processes.to_string(), "it had 9 processes, and 8 are allowed");
    }
}
