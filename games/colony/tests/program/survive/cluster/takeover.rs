//! Two hosts on one database. Each is killed with -9 in turn: the other one takes its games over, and clients that come back through
//! the killed host are passed on to it.

use std::{
    sync::atomic::Ordering,
    time::{Duration, Instant},
};

use super::{Cluster, PATIENCE, Playing, is_long, metric, spread};
use crate::{colony::kill::wait_for, show};

/// The tables of each host.
const TABLES: usize = 6;
/// The events between two kills.
const EVENTS: usize = 600;
/// The clients that come back before the next kill.
const BACK: usize = 4;

#[test]
fn nothing_told_is_lost_when_hosts_take_over() {
    let Some(server) = testkit::Postgres::shared() else { return };
    let mut cluster = Cluster::start("takeover", &server.store(), &["a", "b"]);
    // Each table knows one host only, so its clients come back when that host does.
    let playing = Playing::begin(2 * TABLES, Duration::ZERO, |table| cluster.hosts[table % 2].addresses());
    let shared = &playing.shared;

    let kills = if is_long() { 100 } else { 4 };
    let mut noticed = Vec::new();
    for round in 0..kills {
        let resumed = shared.resumed.load(Ordering::Relaxed);
        wait_for("events are told", &shared.events, shared.events.load(Ordering::Relaxed) + EVENTS);
        let (killed, other) = (round % 2, (round + 1) % 2);
        let before = metric(&cluster.hosts[other], "holdfast_cluster_takeovers_total");
        let since = Instant::now();
        cluster.hosts[killed].kill();
        while metric(&cluster.hosts[other], "holdfast_cluster_takeovers_total") == before {
            assert!(since.elapsed() < PATIENCE, "a dead host is never noticed");
            std::thread::sleep(Duration::from_millis(20));
        }
        noticed.push(since.elapsed());
        cluster.hosts[killed].restart();
        wait_for("clients come back", &shared.resumed, resumed + BACK);
    }
    let (passed_on, (games, events, resumed)) = cluster.end_and_count(playing, "holdfast_cluster_forwards_total");
    show(&format!(
        "{kills} kills of two hosts, noticed after {}: {games} games, clients resumed {resumed} times, \
         {passed_on} passed on by the last two processes, told {events} events, all in the log",
        spread(noticed)
    ));
    assert!(resumed >= kills * BACK && passed_on > 0.0, "{resumed} resumed, {passed_on} passed on");
}
