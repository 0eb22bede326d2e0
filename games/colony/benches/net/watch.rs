//! A game with many spectators: their cost for the players, and the delay until they receive an event.

use std::{
    io::{BufRead, BufReader},
    net::SocketAddr,
    sync::{Arc, Barrier, Mutex},
    thread,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use clients::histogram::Histogram;
use colony::{
    remote::{Plan, Player, RemoteTable, Sums, Tally, keep_playing},
    strategy,
};
use colony_rules::Setup;
use testkit::Request;
use tokio::sync::Semaphore;

use crate::{
    process::{Folder, Process},
    table::{Line, Target, median, print},
};

const WATCHERS: usize = 500;
/// The number of games beside the watched one.
const OTHERS: usize = 10;
/// The time that each bot waits before a command: far less than a person needs.
const PACE: Duration = Duration::from_millis(40);
const RUNS: i64 = 3;

pub(crate) fn run() {
    let folder = Folder::new();
    let (host, address, http) = Process::host_with_http(&folder.file("watch.log"));
    let mut runs = Vec::new();
    for seed in 1..=RUNS {
        let since = host.processor_time();
        let (alone, _) = play(address, http, seed, 0);
        let between = host.processor_time();
        let (watched, delays) = play(address, http, seed, WATCHERS);
        runs.push((alone, between - since, watched, host.processor_time() - between, delays.expect("they watched")));
    }
    let of = |read: &dyn Fn(&Sums) -> f64| {
        let alone = median(runs.iter().map(|run| read(&run.0)).collect());
        let watched = median(runs.iter().map(|run| read(&run.2)).collect());
        (alone, watched, median(runs.iter().map(|run| read(&run.2) / read(&run.0)).collect()))
    };
    let micros = |sums: &Sums, share: f64| sums.latencies.quantile(share).as_secs_f64() * 1e6;
    let (alone_50, watched_50, ratio_50) = of(&|sums| micros(sums, 0.5));
    let (alone_99, watched_99, ratio_99) = of(&|sums| micros(sums, 0.99));
    let delay = |at: usize| median(runs.iter().map(|run| run.4[at]).collect());
    let line = |what, unit, ours, limit, found, target| Line { what, unit, ours, limit, found, target };
    print(
        &format!(
            "watch: {WATCHERS} watchers of one game of five, {OTHERS} other games, a command every {PACE:?} of each"
        ),
        &[
            line("p50 of a command", "us", watched_50, Some(alone_50), ratio_50, Target::AtMost(1.25)),
            line("p99 of a command", "us", watched_99, Some(alone_99), ratio_99, Target::AtMost(1.25)),
            line("p50 until a watcher has it", "ms", delay(0), None, delay(0), Target::AtMost(100.0)),
            line("p99 until a watcher has it", "ms", delay(1), None, delay(1), Target::AtMost(100.0)),
            line("the last one has it", "ms", delay(2), None, delay(2), Target::AtMost(100.0)),
        ],
    );
    let busy = |read: &dyn Fn(usize) -> f64| median((0..runs.len()).map(read).collect());
    println!(
        "  processor time of the host: {:.1} s without watchers, {:.1} s with them",
        busy(&|at| runs[at].1),
        busy(&|at| runs[at].3)
    );
}

/// Plays one game of five players beside others. Returns the sums over commands, and the delays of spectators in ms: p50, p99
/// and the longest.
fn play(address: SocketAddr, http: SocketAddr, seed: i64, watchers: usize) -> (Sums, Option<Vec<f64>>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let text = colony::scenario("winter").expect("it is built in");
    let setup = Setup::new(text, None, None).expect("a good scenario");
    let plan = Plan { address: address.into(), scenario: "winter".into(), setup, pace: PACE, pause: Duration::ZERO };
    let bot = strategy("sensible").expect("there is one").bot;
    let name = format!("watched-{seed}-{watchers}");
    let seats = |count: usize, name: &str| (0..count).map(|at| Player { name: format!("{name} {at}"), bot }).collect();
    let tally = Arc::new(Tally::default());
    let mut watching = None;
    runtime.block_on(async {
        let local = tokio::task::LocalSet::new();
        local
            .run_until(async {
                for other in 0..OTHERS {
                    let (plan, tally) = (plan.clone(), tally.clone());
                    tokio::task::spawn_local(async move {
                        let seeds = (0..).map(|next| 1_000 * seed + other as i64 + 100 * next);
                        let doors = Semaphore::new(1);
                        let players = |_| (0..2).map(|at| Player { name: format!("other {at}"), bot }).collect();
                        keep_playing(&plan, seeds, players, &doors, &tally).await.expect("they play");
                    });
                }
                let table = RemoteTable::enter(&plan, seats(5, &name), seed, &tally).await.expect("a table");
                let watch = tokio::task::spawn_blocking(move || {
                    let game = find(http, &name);
                    (watchers > 0).then(|| {
                        let watch = ["watch", &http.to_string(), &game, &watchers.to_string()];
                        let mut watch = Process::role(&watch);
                        assert_eq!(watch.line(), "watching");
                        watch
                    })
                });
                let watch = async {
                    let watch = watch.await.expect("it can be watched");
                    // Commands before all spectators are connected do not count.
                    *tally.sums() = Sums::default();
                    watch
                };
                let (played, watch) = tokio::join!(table.finish(), watch);
                played.expect("it is played to its end");
                watching = watch;
            })
            .await;
    });
    let sums = tally.sums().clone();
    let delays = watching.map(|mut watch| watch.line().split(' ').map(|ms| ms.parse().expect("a number")).collect());
    (sums, delays)
}

/// Waits until a player has registered. Returns the name of the game.
fn find(http: SocketAddr, player: &str) -> String {
    loop {
        let list = Request::get(&format!("/api/v1/games?status=running&player={player}")).send_blocking(http).json();
        if let Some(name) = list["games"][0]["name"].as_str() {
            return name.to_owned();
        }
        thread::sleep(Duration::from_millis(5));
    }
}

/// Runs in another process: watches a game to its end with many spectators, and prints their delays.
pub(crate) fn watch(http: &str, game: &str, watchers: &str) {
    let http: SocketAddr = http.parse().expect("an address");
    // As a page does, it first reads the game and then follows it from there.
    let lines = Request::get(&format!("/api/v1/games/{game}")).send_blocking(http).json_lines();
    let steps = lines.last().expect("two lines")["index"]["steps"].as_u64().expect("a number");
    let delays = Arc::new(Mutex::new(Histogram::default()));
    let open = |_| {
        let live = Request::get(&format!("/api/v1/games/{game}/live?from={steps}"));
        let stream = live.open_blocking(http).expect("a connection");
        BufReader::with_capacity(64 << 10, stream).lines().map_while(Result::ok)
    };
    let streams: Vec<_> = (0..watchers.parse::<usize>().expect("a number")).map(open).collect();
    let all_in = Arc::new(Barrier::new(streams.len() + 1));
    let watch = |mut lines| {
        let (all_in, delays) = (all_in.clone(), delays.clone());
        let follow = move || {
            // The events up to now end with an index.
            let found = Iterator::find(&mut lines, |line: &String| line.starts_with("event: index"));
            assert!(found.is_some(), "it can be watched");
            all_in.wait();
            follow(lines, &delays);
        };
        // The stacks are small, because there are many threads.
        thread::Builder::new().stack_size(128 << 10).spawn(follow).expect("a thread")
    };
    let threads: Vec<_> = streams.into_iter().map(watch).collect();
    all_in.wait();
    println!("watching");
    threads.into_iter().for_each(|thread| thread.join().expect("it watched to the end"));
    let delays = delays.lock().expect("no thread has panicked");
    let ms = |share: f64| delays.quantile(share).as_secs_f64() * 1e3;
    println!("{} {} {}", ms(0.5), ms(0.99), ms(1.0));
}

fn follow(lines: impl Iterator<Item = String>, delays: &Mutex<Histogram>) {
    let mut own = Histogram::default();
    let mut kind = String::new();
    for line in lines {
        if let Some(name) = line.strip_prefix("event: ") {
            name.clone_into(&mut kind);
        }
        if kind == "end" {
            break;
        }
        // Parsing only a part of the line is cheaper: hundreds of spectators share these cores with the host.
        let at = line.strip_prefix("data: {\"entry\":").and_then(|entry| entry.split_once("\"at\":"));
        if let Some((_, rest)) = at {
            let at: u64 = rest.split([',', '}']).next().and_then(|at| at.parse().ok()).expect("a moment");
            let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970");
            own.record(now.saturating_sub(Duration::from_millis(at)));
        }
    }
    delays.lock().expect("no thread has panicked").merge(&own);
}
