//! Two hosts and a database with a synchronous standby, each on a machine of its own. Their connections are cut: packets vanish, in
//! one direction or in both. Nothing that a client was told is lost, and no client is told two versions of a game.

use std::{
    sync::atomic::Ordering,
    time::{Duration, Instant},
};

use testkit::{Need, Network, Postgres};

use super::{Cluster, PATIENCE, Playing, is_long, metric, spread, wait_for_metric};
use crate::{colony::kill::wait_for, show};

const TABLES: usize = 12;
/// How long a cut lasts at least.
const CUT: Duration = Duration::from_secs(6);

/// The machines.
const A: usize = 0;
const B: usize = 1;
const PRIMARY: usize = 2;
const STANDBY: usize = 3;

/// The machine that sends, and the one that receives nothing of it.
type Cut = (usize, usize);

/// What the other host does when connections are cut.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Expected {
    /// It declares the first host dead.
    Buries,
    /// It declares no host dead.
    Waits,
}

#[test]
fn nothing_is_lost_when_machines_cannot_reach_each_other() {
    if !testkit::has(&[Need::NetworkNamespaces, Need::Postgres]) {
        return;
    }
    let network = Network::new(4);
    let primary = Postgres::start_on(Some(network.machine(PRIMARY)), "synchronous_standby_names = 'standby'\n");
    let standby = primary.start_standby_on(Some(network.machine(STANDBY)), "");
    let (first, second) = (network.machine(PRIMARY).address, network.machine(STANDBY).address);
    let store = format!("postgres://postgres@{first}:5432,{second}:5432/postgres?sslmode=disable");
    let cluster = Cluster::start_on("cut", &store, [("a", network.machine(A)), ("b", network.machine(B))]);
    let playing = Playing::begin(TABLES, Duration::from_millis(20), |table| cluster.seen_from(table).apart());
    wait_for("players play", &playing.shared.events, TABLES * 40);

    let both = |one, other| [(one, other), (other, one)];
    let rows: [(&str, Vec<Cut>, Expected); 6] = [
        ("host and store", [both(A, PRIMARY), both(A, STANDBY)].concat(), Expected::Buries),
        ("from a host to the store", vec![(A, PRIMARY), (A, STANDBY)], Expected::Buries),
        ("from the store to a host", vec![(PRIMARY, A), (STANDBY, A)], Expected::Buries),
        ("hosts from each other", both(A, B).into(), Expected::Waits),
        ("primary and standby", both(PRIMARY, STANDBY).into(), Expected::Waits),
        ("from the standby to the primary", vec![(STANDBY, PRIMARY)], Expected::Waits),
    ];
    let times = if is_long() { 10 } else { 1 };
    for (what, cuts, expected) in (0..times).flat_map(|_| &rows) {
        check(&network, &cluster, &playing, what, cuts, *expected);
    }
    let (games, events, resumed) = cluster.end(playing);
    show(&format!(
        "{} partitions: {games} games, clients resumed {resumed} times, told {events} events, all in the log",
        times * rows.len()
    ));
    drop((standby, primary));
}

fn check(network: &Network, cluster: &Cluster, playing: &Playing, what: &str, cuts: &[Cut], expected: Expected) {
    let [a, b] = [&cluster.hosts[A], &cluster.hosts[B]];
    [a, b].iter().for_each(|host| wait_for_metric(host, "holdfast_games_open", TABLES as f64 / 4.0));
    let before = (metric(b, TAKEOVERS), metric(a, BURIALS), metric(b, BURIALS) + metric(a, TAKEOVERS));
    let since = Instant::now();
    cuts.iter().for_each(|(from, to)| network.cut(*from, *to));
    if expected == Expected::Buries {
        while metric(b, TAKEOVERS) == before.0 {
            assert!(since.elapsed() < PATIENCE, "{what}: the host is never declared dead");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
    let noticed = since.elapsed();
    std::thread::sleep(CUT.saturating_sub(since.elapsed()));
    let waited = match expected {
        Expected::Buries => spread(playing.wait_until_all_play_on(since)),
        Expected::Waits => String::new(),
    };
    cuts.iter().for_each(|(from, to)| network.heal(*from, *to));
    let healed = Instant::now();
    if expected == Expected::Buries {
        wait_for_metric(a, BURIALS, before.1 + 1.0);
        wait_for_metric(a, "holdfast_cluster_hosts_alive", 2.0);
    }
    let told = playing.shared.events.load(Ordering::Relaxed);
    wait_for("players play on", &playing.shared.events, told + TABLES * 20);
    let after = (metric(b, TAKEOVERS), metric(a, BURIALS), metric(b, BURIALS) + metric(a, TAKEOVERS));
    let buried = if expected == Expected::Buries { 1.0 } else { 0.0 };
    assert_eq!(after, (before.0 + buried, before.1 + buried, before.2), "{what}: takeovers and burials");
    let noticed = match expected {
        Expected::Buries => {
            format!("declared dead after {:.1} s, clients played on after {waited}", noticed.as_secs_f64())
        }
        Expected::Waits => "no host was declared dead".to_owned(),
    };
    let back = healed.elapsed().as_secs_f64();
    show(&format!("cut: {what}: {noticed}; all as before {back:.1} s after the end"));
}

const TAKEOVERS: &str = "holdfast_cluster_takeovers_total";
const BURIALS: &str = "holdfast_cluster_burials_total";
