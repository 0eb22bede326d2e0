//! Several real hosts on one real database.
//!
//! - `takeover`: hosts are killed in turn, and each takes over the games of the other
//! - `many_games`: the same with all games on the host that is killed; how long clients wait until they play on
//! - `frozen`: a host that is frozen and thawed writes nothing and tells nothing
//! - `partitions`: machines that cannot reach each other
//! - `failover`: the primary of the database is lost, and its standby takes over
//! - `rolling`: hosts that are stopped and started one after the other, also with the next version of the program
//! - `scripts`: the system tests through one host, on games of another, with a spectator on a third

mod failover;
mod frozen;
mod many_games;
mod partitions;
mod rolling;
mod scripts;
mod takeover;

use std::{
    fs,
    io::{Read as _, Write as _},
    net::TcpStream,
    os::unix::fs::PermissionsExt as _,
    path::Path,
    sync::{Arc, atomic::Ordering},
    time::{Duration, Instant},
};

use testkit::Machine;
use tokio::{runtime::Runtime, task::JoinHandle};

use super::{
    kill::compare,
    player::{self, Hosts, Tables},
};
use crate::{
    process::{HostProcess, Scratch, today},
    wire::Wire,
};

/// The longest wait, with room for a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// Whether the long form of a test was asked for.
fn is_long() -> bool {
    std::env::var_os("HOLDFAST_LONG").is_some()
}

/// Hosts that share a store.
struct Cluster {
    hosts: Vec<HostProcess>,
    store: String,
    scratch: Scratch,
}

impl Cluster {
    /// Starts hosts with these names on a store.
    fn start(test: &str, store: &str, names: &[&str]) -> Self {
        Self::start_program(&today(), test, store, names)
    }

    /// The same with another build of the program. A host that is restarted has today's.
    fn start_program(program: &Path, test: &str, store: &str, names: &[&str]) -> Self {
        let mut cluster = Self::empty(test, store);
        for name in names {
            let options = cluster.options(name, "127.0.0.1:0");
            let host =
                HostProcess::start_program(program, Path::new(store), &["host"], &words(&options), "listening on ");
            cluster.hosts.push(host);
        }
        cluster
    }

    /// Starts hosts with these names on machines of a network.
    fn start_on<'m>(test: &str, store: &str, hosts: impl IntoIterator<Item = (&'m str, &'m Machine)>) -> Self {
        let mut cluster = Self::empty(test, store);
        for (name, machine) in hosts {
            let port = format!("{}:7701", machine.address);
            let host = HostProcess::start_on(machine, Path::new(store), &words(&cluster.options(name, &port)));
            cluster.hosts.push(host);
        }
        cluster
    }

    fn empty(test: &str, store: &str) -> Self {
        let scratch = Scratch::new(test);
        let secret = scratch.path("secret");
        fs::write(&secret, "what the hosts of this test share").expect("a file");
        fs::set_permissions(&secret, fs::Permissions::from_mode(0o600)).expect("its owner's file");
        Self { hosts: Vec::new(), store: store.to_owned(), scratch }
    }

    /// The options of a host. All clients of a test have the same address.
    fn options(&self, name: &str, cluster_port: &str) -> Vec<String> {
        let secret = self.scratch.path("secret");
        let options = ["--cluster-name", name, "--cluster-listen", cluster_port, "--connections-per-address", "100000"];
        let secret = ["--cluster-secret-file", secret.to_str().expect("a path")];
        options.iter().chain(&secret).map(ToString::to_string).collect()
    }

    /// All hosts, for clients that begin with the one at this index.
    fn seen_from(&self, at: usize) -> Hosts {
        Hosts::several(self.hosts.iter().map(HostProcess::addresses), at)
    }

    /// Ends the games without players, stops all hosts, and compares what clients were told with the store. Returns the number
    /// of games, of events, and of resumed connections.
    fn end(self, playing: Playing) -> (usize, usize, usize) {
        self.end_and_count(playing, "holdfast_uptime_seconds").1
    }

    /// The same. Also returns the sum of a metric of all hosts, before they stop.
    fn end_and_count(self, playing: Playing, metric_name: &str) -> (f64, (usize, usize, usize)) {
        let Playing { runtime, shared, tables } = playing;
        shared.stop.store(true, Ordering::Release);
        runtime.block_on(async {
            for table in tables {
                table.await.expect("a table never panics");
            }
        });
        let log = Path::new(&self.store);
        player::break_off_all(&runtime, self.hosts[0].addresses(), log);
        self.hosts[0].wait_until_all_games_ended();
        let sum = self.hosts.iter().map(|host| metric(host, metric_name)).sum();
        self.hosts.into_iter().for_each(HostProcess::stop);
        (sum, compare(log, &shared))
    }
}

fn words(options: &[String]) -> Vec<&str> {
    options.iter().map(String::as_str).collect()
}

/// Tables at which bots play.
struct Playing {
    runtime: Runtime,
    shared: Arc<Tables>,
    tables: Vec<JoinHandle<()>>,
}

impl Playing {
    /// Bots sit down at this many tables. Each table knows the hosts in its own order.
    fn begin<H: Into<Hosts> + Send + 'static>(count: usize, think: Duration, hosts: impl Fn(usize) -> H) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
        let shared: Arc<Tables> = Arc::default();
        let play = |table: usize| {
            let wire = Wire::of_table(table);
            runtime.spawn(player::keep_playing(table, hosts(table), wire, think, shared.clone()))
        };
        let tables = (0..count).map(play).collect();
        Self { runtime, shared, tables }
    }

    /// Waits until clients have lost their connections and all of them play on. Returns how long each one took since then.
    fn wait_until_all_play_on(&self, since: Instant) -> Vec<Duration> {
        let back = || self.shared.back.lock().expect("no thread has panicked");
        while back().is_empty() || self.shared.away.load(Ordering::Acquire) > 0 {
            assert!(since.elapsed() < PATIENCE, "{:?} clients never play on", self.shared.away);
            std::thread::sleep(Duration::from_millis(10));
        }
        std::mem::take(&mut *back()).into_iter().map(|back| back.saturating_duration_since(since)).collect()
    }
}

/// Waits until a metric of a host has at least this value.
fn wait_for_metric(host: &HostProcess, name: &str, value: f64) {
    let since = Instant::now();
    while metric(host, name) < value {
        assert!(since.elapsed() < PATIENCE, "{name} never becomes {value}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// The value of a metric of a host.
fn metric(host: &HostProcess, name: &str) -> f64 {
    let mut stream = TcpStream::connect(host.addresses().http).expect("the host has an HTTP port");
    write!(stream, "GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").expect("sent");
    let mut page = String::new();
    stream.read_to_string(&mut page).expect("an answer");
    let value = page.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok());
    value.unwrap_or_else(|| panic!("no metric {name}: {page}"))
}

/// The median, the 99th percentile and the longest of some times.
fn spread(mut times: Vec<Duration>) -> String {
    times.sort_unstable();
    let at = |share: usize| times[(times.len() * share / 100).min(times.len() - 1)].as_secs_f64();
    format!("p50 {:.2} s, p99 {:.2} s, worst {:.2} s", at(50), at(99), at(100))
}
