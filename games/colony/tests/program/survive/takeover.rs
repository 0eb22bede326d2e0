//! Two hosts on one database. Each is killed with -9 in turn: the other one takes its games over, and clients that come back through
//! the killed host are passed on to it.

use std::{
    fs,
    io::{Read as _, Write as _},
    net::TcpStream,
    os::unix::fs::PermissionsExt as _,
    path::Path,
    sync::{Arc, atomic::Ordering},
    time::{Duration, Instant},
};

use super::{
    kill::{compare, wait_for},
    player::{self, Tables},
};
use crate::{
    process::{HostProcess, Scratch},
    show,
    wire::Wire,
};

/// The tables of each host.
const TABLES: usize = 6;
/// The events between two kills.
const EVENTS: usize = 600;
/// The clients that come back before the next kill.
const BACK: usize = 4;
const PATIENCE: Duration = Duration::from_secs(120);

#[test]
fn nothing_told_is_lost_when_hosts_take_over() {
    let Some(server) = testkit::Postgres::shared() else { return };
    let (scratch, store) = (Scratch::new("takeover"), server.store());
    let (secret, log) = (scratch.path("secret"), Path::new(&store));
    fs::write(&secret, "what the hosts of this test share").expect("a file");
    fs::set_permissions(&secret, fs::Permissions::from_mode(0o600)).expect("its owner's file");
    let start = |name| {
        let port = ["--cluster-listen", "127.0.0.1:0", "--cluster-secret-file", secret.to_str().expect("a path")];
        HostProcess::start_with(log, &[&["--cluster-name", name], &port[..]].concat())
    };
    let mut hosts = [start("a"), start("b")];
    let shared: Arc<Tables> = Arc::default();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let play = |table: usize| {
        let (host, wire) = (hosts[table % 2].addresses(), Wire::of_table(table / 2));
        runtime.spawn(player::keep_playing(table, host, wire, Duration::ZERO, shared.clone()))
    };
    let tables: Vec<_> = (0..2 * TABLES).map(play).collect();

    let kills = if std::env::var_os("HOLDFAST_LONG").is_some() { 100 } else { 4 };
    let mut noticed = Vec::new();
    for round in 0..kills {
        let resumed = shared.resumed.load(Ordering::Relaxed);
        wait_for("events are told", &shared.events, shared.events.load(Ordering::Relaxed) + EVENTS);
        let (killed, other) = (round % 2, (round + 1) % 2);
        let before = metric(&hosts[other], "holdfast_cluster_takeovers_total");
        let since = Instant::now();
        hosts[killed].kill();
        while metric(&hosts[other], "holdfast_cluster_takeovers_total") == before {
            assert!(since.elapsed() < PATIENCE, "a dead host is never noticed");
            std::thread::sleep(Duration::from_millis(20));
        }
        noticed.push(since.elapsed());
        hosts[killed].restart();
        wait_for("clients come back", &shared.resumed, resumed + BACK);
    }
    shared.stop.store(true, Ordering::Release);
    runtime.block_on(async {
        for table in tables {
            table.await.expect("a table never panics");
        }
    });
    player::break_off_all(&runtime, hosts[0].addresses(), log);
    hosts[0].wait_until_all_games_ended();
    let passed_on: f64 = hosts.iter().map(|host| metric(host, "holdfast_cluster_forwards_total")).sum();
    hosts.into_iter().for_each(HostProcess::stop);

    let (games, events, resumed) = compare(log, &shared);
    noticed.sort_unstable();
    show(&format!(
        "{kills} kills of two hosts, noticed after {:?} (median) and {:?} (longest): {games} games, clients resumed {resumed} times, \
         {passed_on} passed on by the last two processes, told {events} events, all in the log",
        noticed[noticed.len() / 2],
        noticed[noticed.len() - 1]
    ));
    assert!(resumed >= kills * BACK && passed_on > 0.0, "{resumed} resumed, {passed_on} passed on");
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
