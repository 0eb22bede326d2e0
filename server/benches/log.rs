//! How fast the log store writes and recovers.
//!
//! Writing stands beside a bare loop over rusqlite in the same run: the same rows, table, index and durability, and
//! nothing around them. A producer is a game with one entry on its way: the next follows when it is acknowledged.
//! Run it with `cargo bench -p server --bench log`.
#![allow(clippy::print_stdout, reason = "a benchmark is its output")]

use std::{
    fs,
    path::Path,
    sync::{Arc, Mutex, mpsc},
    thread,
    time::{Duration, Instant},
};

use engine::{Cause, Chain, CommId, Digest, Emission, FORMAT, Header, Input};
use rusqlite::{Connection, params};
use server::log::{
    Acknowledge, Durability, EventLog, GameKey, NewGame, Options, Recovered, Row, SqliteLog, StoreError, verify,
};

/// Of an entry's command; the entry has a few bytes more.
const BODY: usize = 120;
const RUNS: usize = 3;
/// How many entries a run writes with every commit reaching the disk.
const WRITTEN: usize = 60_000;
const RECOVERED: usize = 1_000_000;

fn main() {
    let directory = std::env::temp_dir().join(format!("holdfast-bench-{}", std::process::id()));
    fs::create_dir_all(&directory).expect("a directory");
    for producers in [64, 256] {
        let mut runs = Vec::new();
        for run in 0..RUNS {
            let path = directory.join(format!("{producers}-{run}"));
            runs.push((bare(&path.with_extension("bare"), producers), store(&path.with_extension("store"), producers)));
        }
        let (bare, store) = (median(runs.iter().map(|run| run.0)), median(runs.iter().map(|run| run.1)));
        println!(
            "{producers} producers: store {store:.0} entries/s, bare loop {bare:.0} entries/s, ratio {:.2}",
            store / bare
        );
    }
    recovery(&directory.join("recovery"));
    let _ = fs::remove_dir_all(directory);
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn header() -> Header<()> {
    let (rulebook, edition) = ("none".into(), "none".into());
    let (game, created) = ("none".into(), 0);
    Header { format: FORMAT, game, created, rulebook, edition, rules_version: 1, seed: 0, parent: None, setup: () }
}

fn rows(count: usize) -> Vec<Row> {
    let mut chain = Chain::new(&header().encode());
    let row = |sequence: usize| {
        let command = format!("{sequence:BODY$}");
        let input: Input<_, ()> = Input { elapsed: 1, cause: Cause::Command { client: CommId(1), command } };
        let link = chain.append(1, &input, &[] as &[Emission<()>]);
        Row { sequence: link.sequence, bytes: link.bytes.to_vec(), digest: link.digest }
    };
    (0..count).map(row).collect()
}

/// The rows of a game that are still to be written.
struct Producer<T> {
    rows: Mutex<std::vec::IntoIter<Row>>,
    target: Mutex<Option<T>>,
    done: mpsc::Sender<()>,
}

impl<T> Producer<T> {
    fn new(count: usize, done: mpsc::Sender<()>) -> Self {
        Self { rows: Mutex::new(rows(count).into_iter()), target: Mutex::new(None), done }
    }

    fn next(&self, send: impl FnOnce(&T, Row)) {
        let next = self.rows.lock().expect("nobody panicked").next();
        match (next, &*self.target.lock().expect("nobody panicked")) {
            (Some(row), Some(target)) => send(target, row),
            (_, _) => self.done.send(()).expect("somebody waits"),
        }
    }
}

type BareProducer = Producer<mpsc::Sender<(usize, Row)>>;
type StoreProducer = Producer<(Arc<SqliteLog>, GameKey)>;

struct Racing(Arc<StoreProducer>);

impl Acknowledge for Racing {
    fn durable(&self, through: u64) {
        if through > 0 {
            self.0.next(|(log, key), row| log.append(*key, row));
        } else {
            self.0.done.send(()).expect("somebody waits");
        }
    }

    fn failed(&self, error: Arc<StoreError>) {
        panic!("{error}");
    }
}

fn store(path: &Path, producers: usize) -> f64 {
    let log = Arc::new(SqliteLog::open(path, Options::default()).expect("a log"));
    let (done, finished) = mpsc::channel();
    let each = WRITTEN / producers;
    let mut all = Vec::new();
    for number in 0..producers {
        let producer = Arc::new(Producer::new(each, done.clone()));
        let game = NewGame::new(&number.to_string(), &header(), None, 0);
        let key = log.create(game, Arc::new(Racing(Arc::clone(&producer))));
        *producer.target.lock().expect("nobody panicked") = Some((Arc::clone(&log), key));
        all.push(producer);
    }
    (0..producers).for_each(|_| finished.recv().expect("a header"));

    let start = Instant::now();
    for producer in &all {
        producer.next(|(log, key), row| log.append(*key, row));
    }
    (0..producers).for_each(|_| finished.recv().expect("an end"));
    let speed = rate(each * producers, start.elapsed());
    log.close().expect("a clean end");
    all.iter().for_each(|producer| *producer.target.lock().expect("nobody panicked") = None);
    speed
}

fn bare(path: &Path, producers: usize) -> f64 {
    let connection = Connection::open(path).expect("a file");
    connection
        .execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 4000;
             CREATE TABLE entries (id INTEGER PRIMARY KEY, game INTEGER NOT NULL, sequence INTEGER NOT NULL,
                                   digest BLOB NOT NULL, bytes BLOB NOT NULL) STRICT;
             CREATE UNIQUE INDEX entries_of_game ON entries (game, sequence);",
        )
        .expect("a table");
    let (done, finished) = mpsc::channel();
    let (sender, jobs) = mpsc::channel::<(usize, Row)>();
    let each = WRITTEN / producers;
    let all: Vec<Arc<BareProducer>> = (0..producers).map(|_| Arc::new(Producer::new(each, done.clone()))).collect();
    for producer in &all {
        *producer.target.lock().expect("nobody panicked") = Some(sender.clone());
    }
    drop(sender);

    let start = Instant::now();
    for (game, producer) in all.iter().enumerate() {
        producer.next(|target, row| target.send((game, row)).expect("a writer"));
    }
    let writer = thread::spawn({
        let all = all.clone();
        move || write_bare(&connection, &jobs, &all)
    });
    (0..producers).for_each(|_| finished.recv().expect("an end"));
    let speed = rate(each * producers, start.elapsed());
    all.iter().for_each(|producer| *producer.target.lock().expect("nobody panicked") = None);
    writer.join().expect("a clean end");
    speed
}

fn write_bare(connection: &Connection, jobs: &mpsc::Receiver<(usize, Row)>, producers: &[Arc<BareProducer>]) {
    let sql = "INSERT INTO entries (game, sequence, digest, bytes) VALUES (?1, ?2, ?3, ?4)";
    while let Ok(first) = jobs.recv() {
        let mut written = Vec::new();
        connection.execute_batch("BEGIN IMMEDIATE").expect("a transaction");
        let mut insert = connection.prepare_cached(sql).expect("a statement");
        for (game, row) in std::iter::once(first).chain(jobs.try_iter()) {
            let Digest(digest) = row.digest;
            insert.execute(params![game as i64, row.sequence as i64, digest, row.bytes]).expect("a row");
            written.push(game);
        }
        connection.execute_batch("COMMIT").expect("a commit");
        for game in written {
            producers[game].next(|target, row| target.send((game, row)).expect("a writer"));
        }
    }
}

struct Nobody;

impl Acknowledge for Nobody {
    fn durable(&self, _: u64) {}

    fn failed(&self, error: Arc<StoreError>) {
        panic!("{error}");
    }
}

fn recovery(path: &Path) {
    const GAMES: usize = 256;
    let options = Options { durability: Durability::None, ..Options::default() };
    let log = SqliteLog::open(path, options).expect("a log");
    let each = rows(RECOVERED / GAMES);
    let keys: Vec<_> = (0..GAMES)
        .map(|number| log.create(NewGame::new(&number.to_string(), &header(), None, 0), Arc::new(Nobody)))
        .collect();
    let start = Instant::now();
    for row in &each {
        keys.iter().for_each(|key| log.append(*key, row.clone()));
    }
    log.close().expect("a clean end");
    println!("without waiting for the disk: {:.0} entries/s written", rate(GAMES * each.len(), start.elapsed()));
    drop(log);

    let log = SqliteLog::open(path, options).expect("a log");
    let timed = |_| {
        let start = Instant::now();
        let mut entries = 0;
        let stats = log.recover(&mut |found| entries += usize::from(matches!(found, Recovered::Entry { .. })));
        assert_eq!((stats.expect("a recovery").damaged, entries), (0, GAMES * each.len()));
        rate(entries, start.elapsed())
    };
    println!("recovery: {:.0} entries/s read and verified", median((0..RUNS).map(timed)));
    let start = Instant::now();
    assert!(verify(path, |_| {}).expect("a report").is_sound());
    println!("verify: {:.0} entries/s, with SQLite's own check of the file", rate(GAMES * each.len(), start.elapsed()));
}

fn rate(count: usize, time: Duration) -> f64 {
    count as f64 / time.as_secs_f64()
}
