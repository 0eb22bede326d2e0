//! Three hosts are stopped and started again one after the other under load, as for an upgrade. Clients hear `shutting_down` and
//! nothing else, and play on at once.

use std::{
    sync::atomic::Ordering,
    time::{Duration, Instant},
};

use commlib::Reason;

use super::{Cluster, Playing, is_long, metric, spread, wait_for_metric};
use crate::{colony::kill::wait_for, show};

const TABLES: usize = 24;

#[test]
fn hosts_are_replaced_one_after_the_other() {
    let Some(server) = testkit::Postgres::shared() else { return };
    let mut cluster = Cluster::start("rolling", &server.store(), &["a", "b", "c"]);
    let playing = Playing::begin(TABLES, Duration::from_millis(10), |table| cluster.seen_from(table).apart());
    wait_for("players play", &playing.shared.events, TABLES * 40);
    let rounds = if is_long() { 20 } else { 1 };
    let mut waited = Vec::new();
    for host in (0..rounds).flat_map(|_| 0..3) {
        let since = Instant::now();
        cluster.hosts[host].end();
        waited.extend(playing.wait_until_all_play_on(since));
        cluster.hosts[host].restart();
        wait_for_metric(&cluster.hosts[host], "holdfast_cluster_hosts_alive", 3.0);
        wait_for("players play", &playing.shared.events, playing.shared.events.load(Ordering::Relaxed) + TABLES * 10);
    }
    for host in &cluster.hosts {
        assert_eq!(metric(host, "holdfast_cluster_burials_total"), 0.0, "a host that stops is not declared dead");
    }
    let reasons = playing.shared.reasons.lock().expect("no thread has panicked").clone();
    assert!(
        reasons.keys().all(|reason| matches!(reason, Reason::ShuttingDown | Reason::GameOver)),
        "clients were refused or disconnected: {reasons:?}"
    );
    let told = reasons.get(&Reason::ShuttingDown).copied().unwrap_or_default();
    let (games, events, resumed) = cluster.end(playing);
    show(&format!(
        "{} hosts stopped and started under load: clients were told shutting_down {told} times and nothing else, and played on after \
         {}; {games} games, clients resumed {resumed} times, told {events} events, all in the log",
        3 * rounds,
        spread(waited)
    ));
    assert!(told > 0, "hosts had clients");
}
