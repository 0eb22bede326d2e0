//! Acknowledged entries survive the end of the process, even if the file is cut.

use std::{
    collections::HashMap,
    fs,
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{Arc, Mutex},
};

use server::log::{
    Acknowledge, EventLog, GameKey, MemoryLog, Options, Recovered, Selection, SqliteLog, StoreError, visit,
};

use crate::support::{Room, Scratch, new_game, wait, with_suffix};

/// The number of verified entries of each game, or the error. A damaged game counts up to its damage.
fn recovered(path: &Path) -> Result<HashMap<GameKey, u64>, StoreError> {
    let log = SqliteLog::open(path, Options::default())?;
    let mut games = HashMap::new();
    wait(visit(&log, Selection::Unfinished, |found| match found {
        Recovered::Game { head } => drop(games.insert(head.record.key, 0)),
        Recovered::Entry { game, sequence, .. } => drop(games.insert(game, sequence)),
        Recovered::Client { .. } | Recovered::Damaged { .. } => {}
    }))?;
    Ok(games)
}

/// Copies the files at each acknowledgement. It runs on the writer's own thread, so nothing is written meanwhile.
struct Photographer {
    log: PathBuf,
    copies: Mutex<Vec<(u64, Scratch)>>,
}

impl Acknowledge for Photographer {
    fn durable(&self, through: u64) {
        self.copies.lock().expect("not poisoned").push((through, Scratch::copy(&self.log)));
    }

    fn failed(&self, error: Arc<StoreError>) {
        panic!("{error}");
    }
}

#[test]
fn every_acknowledged_entry_is_there() {
    let scratch = Scratch::new();
    let log = scratch.open();
    let photographer = Arc::new(Photographer { log: scratch.log(), copies: Mutex::default() });
    // Another log for its rows: this one tells the photographer only.
    let mut room = Room::create(&MemoryLog::new(), "a");
    let key = log.create(new_game("a"), Arc::<Photographer>::clone(&photographer));
    for _ in 0..60 {
        // Large enough that the write-ahead log is copied into the file meanwhile.
        log.append(key, room.row(400_000), Vec::new());
    }
    log.close().expect("a clean end");
    let copies = photographer.copies.lock().expect("not poisoned");
    assert_eq!(copies.last().map(|(through, _)| *through), Some(60));
    for (through, copy) in &*copies {
        let games = recovered(&copy.log()).expect("a log");
        assert_eq!(games.get(&key), Some(through));
    }
}

const CHILD: &str = "HOLDFAST_TEST_LOG";

/// Not a separate test: the program of the process that `a_killed_process` kills.
#[test]
fn child() {
    let Some(path) = std::env::var_os(CHILD) else { return };
    let log = SqliteLog::open(path.as_ref(), Options::default()).expect("a log");
    let mut rooms = ["a", "b", "c"].map(|name| Room::create(&log, name));
    for sequence in 1.. {
        rooms.iter_mut().for_each(|room| room.append(&log));
        for room in &rooms {
            let durable = room.ear.wait_for(sequence).durable.expect("an entry");
            // Writes to stderr directly, because the test harness captures printed text.
            writeln!(std::io::stderr(), "durable {} {durable}", room.key).expect("stderr is open");
        }
    }
}

#[test]
fn a_killed_process() {
    for lines in [1, 2, 50, 333] {
        let scratch = Scratch::new();
        let mut child = Command::new(std::env::current_exe().expect("this test"))
            .args(["--exact", "crash::child", "--nocapture"])
            .env(CHILD, scratch.log())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("a child");
        let output = BufReader::new(child.stderr.take().expect("a pipe"));
        let mut durable: HashMap<GameKey, u64> = HashMap::new();
        for line in output.lines().take(lines) {
            let line = line.expect("a line");
            let words: Vec<&str> = line.split(' ').collect();
            let ["durable", game, through] = words[..] else { panic!("{line}") };
            durable.insert(GameKey(game.parse().expect("a key")), through.parse().expect("a sequence"));
        }
        let refusal = SqliteLog::open(&scratch.log(), Options::default()).expect_err("the child writes");
        assert!(refusal.to_string().ends_with(&format!("is being written by process {}", child.id())), "{refusal}");
        child.kill().expect("a child to kill");
        child.wait().expect("an end");

        let games = recovered(&scratch.log()).expect("a log whose lock is free");
        for (game, through) in durable {
            assert!(games[&game] >= through, "{game}: {} of {through}", games[&game]);
        }
    }
}

/// Writes a game, waits for each acknowledgement before the next entry, and returns a copy of the files with the number of
/// entries.
fn written(checkpointed: bool) -> (Scratch, u64) {
    let scratch = Scratch::new();
    let log = scratch.open();
    let mut room = Room::create(&log, "a");
    for sequence in 1..=40 {
        let row = room.row(150);
        log.append(room.key, row, Vec::new());
        room.ear.wait_for(sequence);
    }
    if checkpointed {
        log.close().expect("a clean end");
    }
    (Scratch::copy(&scratch.log()), 40)
}

/// Cuts a file at many positions near its end; with HOLDFAST_LONG, at all of them.
fn check_cuts(suffix: &str, tail: u64, outcome: impl Fn(u64, u64, Result<Option<u64>, StoreError>)) {
    let (original, _) = written(suffix.is_empty());
    let length = fs::metadata(with_suffix(&original.log(), suffix)).expect("a file").len();
    let step = if std::env::var_os("HOLDFAST_LONG").is_some() { 1 } else { 97 };
    for cut in (length.saturating_sub(tail)..=length).filter(|cut| cut % step == 0 || length - cut < 40) {
        let copy = Scratch::copy(&original.log());
        let file = fs::File::options().write(true).open(with_suffix(&copy.log(), suffix)).expect("a file");
        file.set_len(cut).expect("a cut");
        drop(file);
        outcome(cut, length, recovered(&copy.log()).map(|games| games.get(&GameKey(1)).copied()));
    }
}

#[test]
fn a_write_ahead_log_that_was_cut() {
    let last = Mutex::new(None);
    check_cuts("-wal", 13_000, |cut, length, outcome| {
        let found = outcome.expect("a prefix");
        let mut last = last.lock().expect("not poisoned");
        assert!(*last <= found, "{cut} of {length}: {found:?} after {last:?}");
        assert_eq!(found == Some(40), cut == length, "{cut} of {length}: {found:?}");
        *last = found;
    });
    assert_eq!(*last.lock().expect("not poisoned"), Some(40));
}

#[test]
fn a_file_that_was_cut() {
    check_cuts("", 20_000, |cut, length, outcome| match outcome {
        Ok(found) => assert!(found <= Some(40), "{cut} of {length}: {found:?}"),
        Err(error) => assert!(matches!(error, StoreError::Sqlite { .. }), "{cut} of {length}: {error}"),
    });
}
