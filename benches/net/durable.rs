//! Many games at once with every commit on the disk, beside a bare SQLite writer that commits for as many producers.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use rusqlite::{Connection, params};
use server::log::LogFile;

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

/// Rows a second that one thread commits which does nothing else: the same rows, table, index and durability.
///
/// The next row of every producer is there as soon as its last one is committed, so that each commit has one of each: no
/// producer that has to be told first can do better.
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
    let sql = "INSERT INTO entries (game, sequence, digest, bytes) VALUES (?1, ?2, ?3, ?4)";
    let mut insert = connection.prepare(sql).expect("a statement");
    let (start, bytes) = (Instant::now(), vec![7_u8; row]);
    let mut commits = 0_i64;
    while start.elapsed() < Duration::from_secs_f64(SECONDS) {
        commits += 1;
        connection.execute_batch("BEGIN IMMEDIATE").expect("a transaction");
        for game in 0..producers {
            insert.execute(params![game as i64, commits, [7_u8; 32], bytes]).expect("a row");
        }
        connection.execute_batch("COMMIT").expect("a commit");
    }
    (commits as usize * producers) as f64 / start.elapsed().as_secs_f64()
}
