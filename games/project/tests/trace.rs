//! Tests of trace files.

use std::{
    fs, io,
    net::SocketAddr,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    thread,
    time::Duration,
};

use project::TraceFile;
use server::{Dialing, RealWorld, World};

/// A folder that only one test uses.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("holdfast-trace-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The lines of a file without their times.
fn lines(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).expect("a file");
    assert!(text.ends_with('\n'), "{text:?}");
    let line = |line: &str| {
        let (time, rest) = line.split_at("2026-11-16 10:09:06.123 ".len());
        assert!(time.starts_with("20") && time.ends_with(' ') && time.as_bytes()[19] == b'.', "{time:?}");
        rest.to_owned()
    };
    text.lines().map(line).collect()
}

/// A world with its own clock and thread: work waits until the test runs it.
#[derive(Default)]
struct ManualWorld {
    now: Mutex<i64>,
    work: Mutex<Vec<Box<dyn FnOnce() + Send>>>,
}

impl ManualWorld {
    fn set_time(&self, now: i64) {
        *self.now.lock().expect("no panic") = now;
    }

    /// Waits for work, and runs all of it.
    async fn run_work(&self) {
        loop {
            let work = std::mem::take(&mut *self.work.lock().expect("no panic"));
            if !work.is_empty() {
                return work.into_iter().for_each(|work| work());
            }
            // Time is paused, so this advances it to the next task that sleeps.
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }
}

impl std::fmt::Debug for ManualWorld {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ManualWorld").finish_non_exhaustive()
    }
}

impl World for ManualWorld {
    fn now(&self) -> i64 {
        *self.now.lock().expect("no panic")
    }

    fn random(&self, _: &mut [u8]) -> io::Result<()> {
        unreachable!("a trace needs no randomness")
    }

    fn run_blocking(&self, work: Box<dyn FnOnce() + Send>) {
        self.work.lock().expect("no panic").push(work);
    }

    fn dial(&self, _: SocketAddr) -> Dialing {
        unreachable!("a trace needs no connection")
    }
}

fn open(path: &Path, max_bytes: u64) -> TraceFile {
    TraceFile::open(Arc::new(RealWorld), path, max_bytes).expect("a trace file")
}

#[tokio::test(start_paused = true)]
async fn the_world_gives_the_time_and_the_thread() {
    let folder = Folder::new("world");
    let path = folder.0.join("cs.txt");
    let world = Arc::new(ManualWorld::default());
    let trace = TraceFile::open(world.clone(), &path, 1 << 20).expect("a trace file");
    let written = || fs::read_to_string(&path).expect("a file");

    world.set_time(1_000_000_000_123);
    trace.line(format_args!("one"));
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
    assert_eq!(written(), "", "only the world's thread writes");
    world.run_work().await;
    assert_eq!(written(), "2001-09-09 01:46:40.123 one\n");

    // The time goes back, as a machine's clock may do.
    world.set_time(7);
    trace.line(format_args!("two"));
    tokio::join!(trace.flush(), world.run_work());
    assert_eq!(written(), "2001-09-09 01:46:40.123 one\n1970-01-01 00:00:00.007 two\n");

    // Without a flush, the task that writes still writes the lines of the last handle.
    trace.line(format_args!("three"));
    drop(trace);
    world.run_work().await;
    assert!(written().ends_with("1970-01-01 00:00:00.007 three\n"), "{}", written());
}

#[tokio::test]
async fn lines_are_appended() {
    let folder = Folder::new("appended");
    let path = folder.0.join("cs.txt");
    let trace = open(&path, 1 << 20);
    trace.line(format_args!("one {}", 1));
    trace.line(format_args!("two\nlines {} {:?}", "a\u{7}b\rü", "c\nd"));
    trace.line(format_args!("{}", "x".repeat(5000)));
    trace.flush().await;
    let found = lines(&path);
    assert_eq!(found[..2], ["one 1", "two\\nlines a\\u{7}b\\rü \"c\\nd\""]);
    assert_eq!((found.len(), found[2].len()), (3, 4096));

    let again = open(&path, 1 << 20);
    again.line(format_args!("later"));
    again.flush().await;
    assert_eq!(lines(&path).last().map(String::as_str), Some("later"));
}

#[tokio::test]
async fn files_stay_small() {
    let folder = Folder::new("small");
    let path = folder.0.join("cs.txt");
    let trace = open(&path, 1000);
    for number in 0..100 {
        trace.line(format_args!("line {number:03}"));
    }
    trace.flush().await;
    let (new, old) = (lines(&path), lines(&folder.0.join("cs.txt.1")));
    let both: Vec<String> = old.iter().chain(&new).cloned().collect();
    let expected: Vec<String> = (100 - both.len()..100).map(|number| format!("line {number:03}")).collect();
    assert_eq!(both, expected);
    // Each line has 33 bytes.
    assert_eq!((old.len(), new.len()), (30, 10));
    assert_eq!(fs::read_dir(&folder.0).expect("a folder").count(), 2);
}

/// Threads never wait for the disk; lines beyond the limit are counted.
#[tokio::test(flavor = "multi_thread")]
async fn many_threads_write() {
    let folder = Folder::new("threads");
    let path = folder.0.join("cs.txt");
    let trace = open(&path, 1 << 30);
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let trace = trace.clone();
            thread::spawn(move || (0..50_000).for_each(|number| trace.line(format_args!("line {number}"))))
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().expect("no panic"));
    trace.flush().await;
    let found = lines(&path);
    let left_out =
        |line: &String| line.strip_suffix(" lines were left out: the disk is too slow")?.parse::<usize>().ok();
    let missing: usize = found.iter().filter_map(left_out).sum();
    let written = found.iter().filter(|line| left_out(line).is_none()).count();
    assert!(written <= 200_000 && written + missing <= 200_000, "{written} + {missing}");
    assert!(written > 10_000, "{written}");
}

#[tokio::test]
async fn a_trace_can_be_off() {
    let trace = TraceFile::off();
    assert!(!trace.is_on());
    trace.line(format_args!("dropped"));
    trace.flush().await;
    assert!(TraceFile::open(Arc::new(RealWorld), Path::new("/nowhere/at/all.txt"), 1).is_err());
}
