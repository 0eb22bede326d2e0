//! Three hosts are stopped and started again one after the other under load, as for an upgrade. Clients hear `shutting_down` and
//! nothing else, and play on at once.

use std::{
    path::Path,
    process::Command,
    sync::atomic::Ordering,
    time::{Duration, Instant},
};

use commlib::Reason;

use super::{Cluster, Playing, is_long, metric, spread, wait_for_metric};
use crate::{
    colony::kill::wait_for,
    process::{landed, today},
    show,
};

const TABLES: usize = 24;
const NAMES: [&str; 3] = ["a", "b", "c"];

#[test]
fn hosts_are_replaced_one_after_the_other() {
    let Some(server) = testkit::Postgres::shared() else { return };
    let mut rolling = Rolling::begin(Cluster::start("rolling", &server.store(), &NAMES));
    let rounds = if is_long() { 20 } else { 1 };
    for host in (0..rounds).flat_map(|_| 0..NAMES.len()) {
        rolling.replace(host, &today());
    }
    rolling.end("hosts stopped and started");
}

/// Hosts of the landed program and of today's run beside each other on one database. One of them goes back to the landed
/// program, as an operator does who does not like what he sees.
#[test]
fn upgrade_of_hosts_one_after_the_other() {
    let Some(landed) = landed() else { return };
    if !testkit::has(&[testkit::Need::Postgres]) {
        return;
    }
    let server = testkit::Postgres::start("fsync = off\n");
    let mut rolling = Rolling::begin(Cluster::start_program(&landed, "upgraded", &server.store(), &NAMES));
    for host in 0..2 {
        rolling.replace(host, &today());
    }
    rolling.replace(0, &landed);
    rolling.reconnect(&server);
    for host in [0, 2] {
        rolling.replace(host, &today());
    }
    let store = rolling.cluster.store.clone();
    rolling.end("hosts of two versions stopped and started");
    for program in [landed, today()] {
        let verified = Command::new(&program).args(["log", "verify", &store]).output().expect("the program starts");
        assert!(verified.status.success(), "{}: {verified:?}", program.display());
    }
}

/// A cluster whose hosts are replaced while clients play.
struct Rolling {
    cluster: Cluster,
    playing: Playing,
    waited: Vec<Duration>,
    replaced: usize,
}

impl Rolling {
    fn begin(cluster: Cluster) -> Self {
        let playing = Playing::begin(TABLES, Duration::from_millis(10), |table| cluster.seen_from(table).apart());
        wait_for("players play", &playing.shared.events, TABLES * 40);
        Self { cluster, playing, waited: Vec::new(), replaced: 0 }
    }

    /// Stops a host, and starts it again with a program after all clients play on.
    fn replace(&mut self, host: usize, program: &Path) {
        // A host that has just started gets games when new ones begin.
        wait_for_metric(&self.cluster.hosts[host], "holdfast_games_open", 1.0);
        let since = Instant::now();
        self.cluster.hosts[host].end();
        self.waited.extend(self.playing.wait_until_all_play_on(since));
        self.cluster.hosts[host].restart_with(program);
        self.replaced += 1;
        wait_for_metric(&self.cluster.hosts[host], "holdfast_cluster_hosts_alive", NAMES.len() as f64);
        self.wait_until_players_play();
    }

    /// Ends all connections to the database, as its restart does. All hosts connect again, and games go on.
    fn reconnect(&self, server: &testkit::Postgres) {
        server.sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
             WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'",
        );
        self.wait_until_players_play();
    }

    fn wait_until_players_play(&self) {
        let told = &self.playing.shared.events;
        wait_for("players play", told, told.load(Ordering::Relaxed) + TABLES * 10);
    }

    fn end(self, what: &str) {
        let Self { cluster, playing, waited, replaced } = self;
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
            "{replaced} {what} under load: clients were told shutting_down {told} times and nothing else, and played on after {}; \
             {games} games, clients resumed {resumed} times, told {events} events, all in the log",
            spread(waited)
        ));
        assert!(told > 0, "hosts had clients");
    }
}
