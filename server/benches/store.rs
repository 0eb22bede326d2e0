//! Entries per second of the stores, in turn: SQLite, and PostgreSQL with a synchronous standby. All sync the same disk.
//!
//! Run it with `cargo xtask bench store`. A number of producers wait for each of their entries before they write the next.
#![allow(clippy::print_stdout, reason = "a benchmark is its output")]

use std::{
    fs,
    path::PathBuf,
    sync::{Arc, mpsc},
    time::{Duration, Instant},
};

use engine::{Cause, Chain, CommId, Emission, FORMAT, Header, Input};
use server::log::{
    Acknowledge, EventLog, GameKey, NewGame, Options, PostgresAddress, PostgresLog, Row, SqliteLog, StoreError,
};
use testkit::{Need, Postgres, has};

/// How long each store is measured, and how often.
const TIME: Duration = Duration::from_secs(4);
const ROUNDS: usize = 3;
/// The bytes of an entry, about.
const BODY: usize = 50;

fn main() {
    if !has(&[Need::Postgres]) {
        return;
    }
    let folder = std::env::temp_dir().join(format!("holdfast-bench-store-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let primary = Postgres::start("synchronous_standby_names = 'standby'\nsynchronous_commit = local\n");
    let _standby = primary.start_standby("hot_standby = on\n");
    // Its connection may still be catching up.
    while primary.sql("SELECT sync_state FROM pg_stat_replication WHERE state = 'streaming'") != "sync" {
        std::thread::sleep(Duration::from_millis(100));
    }
    println!("entries per second, with a synchronous standby");
    for producers in [64, 256] {
        let (mut sqlite, mut postgres) = (Vec::new(), Vec::new());
        for round in 0..ROUNDS {
            let file = folder.join(format!("{producers}-{round}.db"));
            let log = SqliteLog::open(&file, Options::default()).expect("a log");
            sqlite.push(measure(&log, producers));
            let address = PostgresAddress::parse(&primary.store()).expect("an address");
            let log = PostgresLog::open_alone(&address, "bench").expect("a store");
            postgres.push(measure(&log, producers));
        }
        let (sqlite, postgres) = (median(&mut sqlite), median(&mut postgres));
        println!(
            "{producers} producers: SQLite {sqlite:.0}, PostgreSQL with standby {postgres:.0}, ratio {:.2}",
            postgres / sqlite
        );
    }
    remove(folder);
}

fn remove(folder: PathBuf) {
    fs::remove_dir_all(folder).expect("the folder of this benchmark");
}

fn median(rates: &mut [f64]) -> f64 {
    rates.sort_by(f64::total_cmp);
    rates[rates.len() / 2]
}

/// A game whose entries are acknowledged one by one.
struct Producer {
    key: GameKey,
    chain: Chain,
}

impl Producer {
    fn row(&mut self) -> Row {
        let command = [7_u8; BODY];
        let input: Input<_, ()> =
            Input { elapsed_ms: 3, cause: Cause::Command { client: CommId(1), command: &command[..] } };
        let link = self.chain.append(4, &input, &[] as &[Emission<()>]);
        Row { sequence: link.sequence, bytes: link.bytes.to_vec(), digest: link.digest }
    }
}

/// Tells which producer may go on.
struct Told {
    producer: usize,
    told: mpsc::Sender<usize>,
}

impl Acknowledge for Told {
    fn durable(&self, _: u64) {
        let _ended = self.told.send(self.producer);
    }

    fn failed(&self, error: Arc<StoreError>) {
        panic!("{error}");
    }
}

/// Entries per second.
fn measure(log: &dyn EventLog, producers: usize) -> f64 {
    let (told, heard) = mpsc::channel();
    let create = |producer| {
        let name = format!("game {producer}");
        let (game, rulebook, edition) = (name.clone(), "bench".into(), "short".into());
        let (created, rules_version, seed, parent, setup) = (0, 1, 7, None, String::new());
        let header = Header { format: FORMAT, game, created, rulebook, edition, rules_version, seed, parent, setup };
        let key = log.create(NewGame::new(&name, &header, None, 0), Arc::new(Told { producer, told: told.clone() }));
        Producer { key, chain: Chain::new(&header.encode()) }
    };
    let mut games: Vec<Producer> = (0..producers).map(create).collect();
    let mut entries = 0_u64;
    let mut begun = Instant::now();
    let warm = Duration::from_millis(500);
    let mut is_warm = false;
    loop {
        let producer = heard.recv().expect("an acknowledgement");
        entries += 1;
        let row = games[producer].row();
        log.append(games[producer].key, row, Vec::new());
        if !is_warm && begun.elapsed() > warm {
            (is_warm, entries, begun) = (true, 0, Instant::now());
        }
        if is_warm && begun.elapsed() > TIME {
            break;
        }
    }
    let rate = entries as f64 / begun.elapsed().as_secs_f64();
    log.close().expect("a clean end");
    rate
}
