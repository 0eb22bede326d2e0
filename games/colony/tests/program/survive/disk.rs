//! The disk of a real host fails for a while under load. Nothing is lost, no client has to do anything, and all games end.

use std::{
    fs::{self, File},
    io::Write,
    os::unix::fs::FileExt,
    path::{Path, PathBuf},
    process::Command,
    sync::{Arc, atomic::Ordering},
    time::{Duration, Instant},
};

use testkit::{Need, has};

use super::{
    kill::{compare, wait_for},
    player::{self, Tables},
};
use crate::{
    preload,
    process::{HostProcess, Scratch},
    show,
    wire::Wire,
};

/// The number of games at a time, and the number of events that clients receive before the fault and after it.
fn games() -> usize {
    if is_long() { 100 } else { 20 }
}
const EVENTS: usize = 2_000;
/// The number of events that clients receive between two faults.
const BETWEEN: usize = 100;
/// The longest wait, with room for a busy machine.
const PATIENCE: Duration = Duration::from_secs(300);

fn is_long() -> bool {
    std::env::var_os("HOLDFAST_LONG").is_some()
}

/// How long the fault lasts: the given time with `--long`, otherwise a second.
fn lasting(seconds: u64) -> Duration {
    Duration::from_secs(if is_long() { seconds } else { 1 })
}

/// Plays many games while the disk fails. Then all games must end, and all events must be in the log. `fail` makes the disk fail
/// and mends it.
fn check(what: &str, log: &Path, host: HostProcess, fail: impl FnOnce(&Tables)) {
    let shared: Arc<Tables> = Arc::default();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let tables: Vec<_> = (0..games())
        .map(|table| {
            runtime.spawn(player::keep_playing(
                table,
                host.addresses(),
                Wire::of_table(table),
                Duration::ZERO,
                shared.clone(),
            ))
        })
        .collect();
    wait_for("events are told", &shared.events, EVENTS);
    let since = Instant::now();
    fail(&shared);
    let (failed, told) = (since.elapsed(), shared.events.load(Ordering::Relaxed));
    wait_for("the games go on", &shared.events, told + EVENTS);
    shared.stop.store(true, Ordering::Release);
    runtime.block_on(async {
        for table in tables {
            table.await.expect("a table never panics");
        }
    });
    player::break_off_all(&runtime, host.addresses(), log);
    host.wait_until_all_games_ended();
    host.stop();
    let (games, events, resumed) = compare(log, &shared);
    assert_eq!(resumed, 0, "no client lost its connection");
    show(&format!("{what} for {failed:?}: {games} games ended, {events} events, all in the log"));
}

/// Waits until no client receives anything any more. From then on, no client may receive anything for this time.
fn silence(tables: &Tables, lasting: Duration) {
    let deadline = Instant::now() + PATIENCE;
    let told = || tables.events.load(Ordering::Relaxed);
    loop {
        let before = told();
        std::thread::sleep(Duration::from_millis(500));
        if told() == before {
            break;
        }
        assert!(Instant::now() < deadline, "the fault has no effect");
    }
    let before = told();
    std::thread::sleep(lasting);
    assert_eq!(told(), before, "nothing is told while nothing can be stored");
}

/// A disk of its own for a log.
struct Disk(PathBuf);

impl Disk {
    fn mount(folder: &Path, size: &str) -> Self {
        fs::create_dir_all(folder).expect("a folder");
        let options = format!("size={size}");
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", &options, "tmpfs"]).arg(folder).status();
        assert!(mounted.expect("mount can be called").success());
        Self(folder.into())
    }

    /// Writes until nothing more fits.
    fn fill(&self) {
        let mut file = File::create(self.0.join("filler")).expect("a file");
        for size in [1 << 16, 1 << 12, 1] {
            while file.write_all(&vec![0; size]).is_ok() {}
        }
    }

    fn free(&self) {
        fs::remove_file(self.0.join("filler")).expect("the file is there");
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _unmounted = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

#[test]
fn a_full_disk_is_a_pause() {
    if !has(&[Need::Mounts]) {
        return;
    }
    let scratch = Scratch::new("full-disk");
    let disk = Disk::mount(&scratch.path("disk"), "256m");
    let log = scratch.path("disk/games.log");
    let host = HostProcess::start(&log);
    check("a full disk", &log, host, |tables| {
        disk.fill();
        silence(tables, lasting(30));
        disk.free();
    });
}

/// The faults of `faults.c`.
struct FaultyDisk {
    control: File,
}

impl FaultyDisk {
    fn set(&self, fault: u8) {
        self.control.write_all_at(&[fault], 0).expect("a byte");
    }

    /// Sets a fault that hits one call, and waits for this call.
    fn set_once(&self, fault: u8) {
        self.set(fault);
        let deadline = Instant::now() + PATIENCE;
        while self.fault() == fault {
            assert!(Instant::now() < deadline, "no call");
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    fn fault(&self) -> u8 {
        let mut fault = [0];
        self.control.read_exact_at(&mut fault, 0).expect("a byte");
        fault[0]
    }
}

/// Plays on a host whose disk obeys a control file.
fn check_faulty(test: &str, fail: impl FnOnce(&FaultyDisk, &Tables)) {
    if !has(&[Need::Program("cc")]) {
        return;
    }
    let scratch = Scratch::new(test);
    let library = preload::build("faults", &scratch);
    let path = scratch.path("fault");
    fs::write(&path, "o").expect("a file");
    let disk = FaultyDisk { control: File::options().read(true).write(true).open(&path).expect("a file") };
    let log = scratch.path("games.log");
    let preloaded = [
        ("LD_PRELOAD", library.display().to_string()),
        ("HOLDFAST_FAULT", path.display().to_string()),
        ("HOLDFAST_FAULTY_FILE", log.display().to_string()),
    ];
    let host = HostProcess::start_in(&log, &preloaded, &[]);
    check(test, &log, host, |tables| {
        fail(&disk, tables);
        disk.set(b'o');
    });
}

#[test]
fn an_error_of_the_disk_is_a_pause() {
    check_faulty("errors", |disk, tables| {
        disk.set(b'e');
        silence(tables, lasting(10));
    });
}

#[test]
fn an_error_of_one_call_is_a_pause() {
    // A write that fails, and a sync that fails.
    for (test, fault) in [("one-failed-write", b'w'), ("one-failed-sync", b'f')] {
        check_faulty(test, |disk, _| disk.set_once(fault));
    }
}

#[test]
fn a_silent_disk_is_a_pause() {
    check_faulty("silence", |disk, tables| {
        disk.set(b's');
        silence(tables, lasting(10));
    });
}

#[test]
fn pages_that_are_lost_with_a_failed_sync_are_written_again() {
    check_faulty("lost-pages", |disk, tables| {
        // One to four failed syncs in a row, then the games go on. Without that, the store would fail for more than a minute, and
        // the host would turn its clients away.
        for round in 0..if is_long() { 40 } else { 4 } {
            for _ in 0..=round % 4 {
                disk.set_once(b'd');
            }
            let told = tables.events.load(Ordering::Relaxed);
            wait_for("the games go on", &tables.events, told + BETWEEN);
        }
    });
}
