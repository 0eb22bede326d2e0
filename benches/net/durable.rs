//! Many games at once with every commit on the disk, beside a bare SQLite writer that commits for as many producers.

use std::{
    path::Path,
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use rusqlite::{Connection, params};
use server::log::LogFile;
use tokio::sync::oneshot;

use crate::{
    drive::{Driven, drive},
    process::{Folder, Process},
    table::{Line, Target, median, print},
};

const RUNS: usize = 5;
const SECONDS: f64 = 3.0;

pub(crate) fn run() {
    let folder = Folder::new();
    let lines = [("64 games", 64), ("256 games", 256)].map(|(what, producers)| {
        let mut runs = Vec::new();
        for run in 0..RUNS {
            let log = folder.file(&format!("{producers}-{run}.log"));
            let (host, address) = Process::host(&log, "full");
            let ours: Driven = drive(address, "host", producers, SECONDS);
            drop(host);
            let row = longest_entry(&log);
            let limit = bare(&folder.file(&format!("{producers}-{run}.bare")), producers, row);
            runs.push((ours.commands_per_second, limit));
        }
        let of = |figure: fn(&(f64, f64)) -> f64| median(runs.iter().map(figure).collect());
        let (ours, limit) = (of(|(ours, _)| *ours), Some(of(|(_, limit)| *limit)));
        let found = of(|(ours, limit)| ours / limit);
        Line { what, unit: "commands/s", ours, limit, found, target: Target::AtLeast(0.7) }
    });
    print(&format!("durable: --durability full on the project's disk; medians of {RUNS} interleaved runs"), &lines);
}

/// The size of what the host stored for a command.
fn longest_entry(log: &Path) -> usize {
    let file = LogFile::open(log).expect("a log");
    let game = file.list().expect("games")[0].key;
    file.read(game, 2).expect("entries").iter().map(|row| row.bytes.len()).max().expect("a command")
}

/// Rows a second that a bare group-commit writer stores: one thread, the same rows, table, index and durability. As many
/// producers as there are games send a row each, wait until it is committed, and send the next.
fn bare(path: &Path, producers: usize, row: usize) -> f64 {
    let connection = Connection::open(path).expect("a file");
    connection
        .execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 4000;
             CREATE TABLE entries (id INTEGER PRIMARY KEY, game INTEGER NOT NULL, sequence INTEGER NOT NULL,
                                   digest BLOB NOT NULL, bytes BLOB NOT NULL) STRICT;
             CREATE UNIQUE INDEX entries_of_game ON entries (game, sequence);",
        )
        .expect("a table");
    let (rows, received) = mpsc::channel::<Row>();
    let writer = thread::spawn(move || {
        let sql = "INSERT INTO entries (game, sequence, digest, bytes) VALUES (?1, ?2, ?3, ?4)";
        let mut insert = connection.prepare(sql).expect("a statement");
        while let Ok(first) = received.recv() {
            connection.execute_batch("BEGIN IMMEDIATE").expect("a transaction");
            let mut waiting = Vec::new();
            for Row { game, sequence, bytes, done } in std::iter::once(first).chain(received.try_iter()) {
                insert.execute(params![game, sequence, [7_u8; 32], bytes]).expect("a row");
                waiting.push(done);
            }
            connection.execute_batch("COMMIT").expect("a commit");
            waiting.into_iter().for_each(|done| done.send(()).expect("somebody waits"));
        }
    });

    let start = Instant::now();
    let until = start + Duration::from_secs_f64(SECONDS);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let stored: i64 = runtime.block_on(async move {
        let producing = (0..producers as i64).map(|game| tokio::spawn(produce(game, row, rows.clone(), until)));
        let mut stored = 0;
        for producer in producing.collect::<Vec<_>>() {
            stored += producer.await.expect("no panic");
        }
        stored
    });
    let seconds = start.elapsed().as_secs_f64();
    writer.join().expect("no panic");
    stored as f64 / seconds
}

struct Row {
    game: i64,
    sequence: i64,
    bytes: Vec<u8>,
    done: oneshot::Sender<()>,
}

/// How many rows of a game were stored in the time.
async fn produce(game: i64, row: usize, rows: mpsc::Sender<Row>, until: Instant) -> i64 {
    let mut sequence = 0;
    while Instant::now() < until {
        sequence += 1;
        let (done, stored) = oneshot::channel();
        rows.send(Row { game, sequence, bytes: vec![7; row], done }).expect("the writer is there");
        stored.await.expect("it is stored");
    }
    sequence
}
