//! Many games at once with every commit on the disk, beside a bare group-commit writer that serves the same number of clients. Then the
//! same games on PostgreSQL with a synchronous standby, beside those on SQLite.

use std::{path::Path, thread::sleep, time::Duration};

use server::log::open_reader;
use testkit::{Need, Postgres, has};

use super::drive::{Driven, drive};
use crate::{
    process::{Folder, Process},
    table::{Line, Target, median, print},
};

const RUNS: usize = 5;
const SECONDS: f64 = 3.0;

pub(crate) fn run() {
    on_sqlite();
    if cfg!(feature = "postgres") && has(&[Need::Postgres]) {
        on_postgresql();
    }
}

fn on_sqlite() {
    let folder = Folder::new();
    let lines = [("64 games", 64), ("256 games", 256)].map(|(what, producers)| {
        let mut runs = Vec::new();
        for run in 0..RUNS {
            let log = folder.file(&format!("{producers}-{run}.log"));
            let (host, address) = Process::host(&log, "full");
            let ours: Driven = drive(address, "host", producers, SECONDS);
            drop(host);
            let row = longest_entry(&log);
            let bare = folder.file(&format!("{producers}-{run}.bare"));
            let mut writer = Process::role(&["bare", bare.to_str().expect("a path"), &row.to_string()]);
            let limit = drive(writer.address(), "echo", producers, SECONDS);
            runs.push((ours.commands_per_second, limit.commands_per_second));
        }
        let of = |figure: fn(&(f64, f64)) -> f64| median(runs.iter().map(figure).collect());
        let (ours, limit) = (of(|(ours, _)| *ours), Some(of(|(_, limit)| *limit)));
        let found = of(|(ours, limit)| ours / limit);
        Line { what, unit: "commands/s", ours, limit, found, target: Target::AtLeast(0.7) }
    });
    print(&format!("durable: --durability full on the project's disk; medians of {RUNS} interleaved runs"), &lines);
}

/// Both stores sync the same disk. The primary waits for its standby at each commit.
fn on_postgresql() {
    let folder = Folder::new();
    let primary = Postgres::start("synchronous_standby_names = 'standby'\nsynchronous_commit = local\n");
    let _standby = primary.start_standby("hot_standby = on\n");
    // Its connection may still be catching up.
    while primary.sql("SELECT sync_state FROM pg_stat_replication WHERE state = 'streaming'") != "sync" {
        sleep(Duration::from_millis(100));
    }
    let lines = [("64 games on PostgreSQL", 64), ("256 games on PostgreSQL", 256)].map(|(what, producers)| {
        let mut runs = Vec::new();
        for run in 0..RUNS {
            let measured = |store: &Path| {
                let (_host, address) = Process::host(store, "full");
                drive(address, "host", producers, SECONDS).commands_per_second
            };
            let sqlite = measured(&folder.file(&format!("{producers}-{run}.log")));
            runs.push((measured(Path::new(&primary.store())), sqlite));
        }
        let of = |figure: fn(&(f64, f64)) -> f64| median(runs.iter().map(figure).collect());
        let (ours, limit) = (of(|(ours, _)| *ours), Some(of(|(_, sqlite)| *sqlite)));
        Line { what, unit: "commands/s", ours, limit, found: of(|(ours, sqlite)| ours / sqlite), target: Target::None }
    });
    print(
        &format!("durable on PostgreSQL with a synchronous standby, beside SQLite; medians of {RUNS} interleaved runs"),
        &lines,
    );
}

/// The size of the longest entry that the host stored.
fn longest_entry(log: &Path) -> usize {
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let rows = runtime.block_on(async {
        let file = open_reader(log).await.expect("a log");
        let game = file.list().await.expect("games")[0].key;
        file.rows(game, 2).await.expect("entries")
    });
    rows.iter().map(|row| row.bytes.len()).max().expect("a command")
}
