//! All games are on one of two hosts, and this host is killed with -9. The clients go to the other host at once: how long do they
//! wait until they play on?

use std::{
    sync::atomic::Ordering,
    time::{Duration, Instant},
};

use super::{Cluster, Playing, is_long, metric, spread};
use crate::{colony::kill::wait_for, show};

/// The longest that a client may wait in the long form, as docs/cluster.md promises. The short form runs beside other tests.
const PROMISED: Duration = Duration::from_secs(5);
const ON_A_BUSY_MACHINE: Duration = Duration::from_secs(20);

#[test]
fn clients_play_on_when_their_host_dies() {
    if !testkit::has(&[testkit::Need::Postgres]) {
        return;
    }
    // The long form has a database as operators run it: every commit waits for two disks.
    let (games, kills, think, promised) = if is_long() {
        (1000, 100, Duration::from_secs(4), PROMISED)
    } else {
        (100, 2, Duration::from_millis(500), ON_A_BUSY_MACHINE)
    };
    let games = env_number("HOLDFAST_GAMES").unwrap_or(games);
    let kills = env_number("HOLDFAST_KILLS").unwrap_or(kills);
    let servers = is_long().then(|| {
        let primary = testkit::Postgres::start("synchronous_standby_names = 'standby'\nsynchronous_commit = local\n");
        let standby = primary.start_standby("");
        primary.sql("ALTER SYSTEM SET synchronous_commit = 'on'");
        primary.sql("SELECT pg_reload_conf()");
        (primary, standby)
    });
    let store = match &servers {
        Some((primary, _)) => primary.store(),
        None => testkit::Postgres::shared().expect("it was there").store(),
    };
    let mut cluster = Cluster::start("many", &store, &["a", "b"]);
    let playing = Playing::begin(games, think, |_| cluster.seen_from(0));
    wait_for("all games have begun", &playing.shared.events, games * 20);

    let (mut times, mut owned) = (Vec::new(), Vec::new());
    for round in 0..kills {
        let (killed, other) = (round % 2, (round + 1) % 2);
        wait_for("players play", &playing.shared.events, playing.shared.events.load(Ordering::Relaxed) + games);
        owned.push(metric(&cluster.hosts[killed], "holdfast_games_open"));
        let since = Instant::now();
        cluster.hosts[killed].kill();
        let waited = playing.wait_until_all_play_on(since);
        show(&format!("kill {}: {} clients, {}", round + 1, waited.len(), spread(waited.clone())));
        times.extend(waited);
        assert_eq!(metric(&cluster.hosts[other], "holdfast_cluster_takeovers_total"), 1.0, "one host took over");
        cluster.hosts[killed].restart();
    }
    let longest = times.iter().max().copied().expect("clients waited");
    let counts =
        format!("{kills} kills of a host with {:?} games", owned.iter().copied().fold(f64::INFINITY, f64::min));
    let (games, events, resumed) = cluster.end(playing);
    show(&format!(
        "{counts} at least: {} clients played on after {}; {games} games, clients resumed {resumed} times, told {events} events, \
         all in the log, without gaps or repeats",
        times.len(),
        spread(times)
    ));
    assert!(longest <= promised, "a client waited for {longest:?}");
}

/// A number from the environment, to try out other sizes.
fn env_number(name: &str) -> Option<usize> {
    std::env::var(name).ok()?.parse().ok()
}
