//! The primary of the database is lost under load, and its synchronous standby becomes the primary. The games pause and go on, nothing
//! that a client was told is lost, and no host declares another one dead.

use std::{
    path::Path,
    sync::atomic::Ordering,
    time::{Duration, Instant},
};

use testkit::{Need, Patroni, Postgres};

use super::{Cluster, PATIENCE, Playing, is_long, metric};
use crate::{
    colony::kill::wait_for,
    process::{freeze, signal},
    show,
};

const TABLES: usize = 12;
const THINK: Duration = Duration::from_millis(20);

#[test]
fn a_standby_has_everything_when_its_primary_is_killed() {
    promote_when("killed", |primary| signal(primary, "KILL"));
}

/// A frozen server takes connections and answers none. Hosts must come to the next server of their address.
#[test]
fn a_standby_has_everything_when_its_primary_is_frozen() {
    let mut frozen = Vec::new();
    promote_when("frozen", |primary| {
        freeze(primary);
        let children = std::fs::read_to_string(format!("/proc/{primary}/task/{primary}/children")).expect("a process");
        frozen.extend(children.split_whitespace().filter_map(|child| child.parse::<u32>().ok()));
        frozen.iter().copied().for_each(freeze);
    });
    // They end when they find that their server is gone.
    frozen.into_iter().for_each(|child| signal(child, "CONT"));
}

/// The first process of the primary is frozen, and its connections go on. They can store nothing without the standby, and must not
/// be read from: the other server has what was stored since then.
#[test]
fn connections_to_a_server_that_was_the_primary_are_left() {
    promote_when("half-frozen", freeze);
}

fn promote_when(what: &str, lose: impl FnOnce(u32)) {
    if !testkit::has(&[Need::Postgres]) {
        return;
    }
    let primary = Postgres::start("synchronous_standby_names = 'standby'\n");
    let standby = primary.start_standby("synchronous_standby_names = ''\n");
    let schema = primary.store();
    let (_, options) = schema.split_once("&options=").expect("an address with a schema");
    let [first, second] = [primary.folder(), standby.folder()].map(Path::display);
    let store = format!("postgres:///postgres?user=postgres&host={first}&host={second}&options={options}");
    let cluster = Cluster::start(what, &store, &["a", "b"]);
    let playing = Playing::begin(TABLES, THINK, |table| cluster.seen_from(table).apart());
    wait_for("players play", &playing.shared.events, TABLES * 40);

    let pause = Pause::begin();
    lose(primary.process());
    standby.promote();
    let paused = pause.wait_until_games_go_on(&playing, || true);
    check_that_no_host_is_dead(&cluster);
    let (games, events, resumed) = cluster.end(playing);
    show(&format!(
        "primary {what} and standby promoted: games went on after {:.1} s; {games} games, clients resumed {resumed} times, told \
         {events} events, all in the log",
        paused.as_secs_f64()
    ));
}

/// The ways in which Patroni's primary is lost, and what happens to it afterwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Loss {
    /// Only the server is killed. Patroni starts it again.
    ServerKilled,
    /// The server and Patroni are killed.
    NodeKilled,
    /// Both are frozen, and thawed as soon as another node is the primary. They believe that nothing has happened.
    NodeFrozen,
    /// Both are frozen, and thawed after games have gone on with the new primary.
    NodeFrozenForLong,
}

const LOSSES: [Loss; 4] = [Loss::NodeFrozen, Loss::ServerKilled, Loss::NodeFrozenForLong, Loss::NodeKilled];

#[test]
fn patroni_fails_over() {
    if !is_long() {
        show("failover with Patroni: only with HOLDFAST_LONG=1, it takes minutes");
        return;
    }
    if !testkit::has(&[Need::Postgres, Need::Program("patroni"), Need::Program("etcd")]) {
        return;
    }
    let mut patroni = Patroni::start();
    let cluster = Cluster::start("patroni", &patroni.store(), &["a", "b", "c"]);
    let playing = Playing::begin(TABLES, THINK, |table| cluster.seen_from(table).apart());
    wait_for("players play", &playing.shared.events, TABLES * 40);
    let times = 2;
    for loss in (0..times).flat_map(|_| LOSSES) {
        lose_primary(&mut patroni, &playing, loss);
        check_that_no_host_is_dead(&cluster);
    }
    let (games, events, resumed) = cluster.end(playing);
    show(&format!(
        "{} losses of a primary under Patroni: {games} games, clients resumed {resumed} times, told {events} events, all in the log",
        LOSSES.len() * times
    ));
}

/// Loses the primary, and waits until games go on and the node is there again as a standby.
fn lose_primary(patroni: &mut Patroni, playing: &Playing, loss: Loss) {
    let lost = patroni.primary().expect("there is a primary");
    let pause = Pause::begin();
    match loss {
        Loss::ServerKilled => patroni.kill_server(lost),
        Loss::NodeKilled => patroni.kill_node(lost),
        Loss::NodeFrozen | Loss::NodeFrozenForLong => patroni.freeze_node(lost),
    }
    let is_served = || match loss {
        Loss::ServerKilled => patroni.primary().is_some(),
        Loss::NodeKilled | Loss::NodeFrozen | Loss::NodeFrozenForLong => {
            patroni.primary().is_some_and(|primary| primary != lost)
        }
    };
    if loss == Loss::NodeFrozen {
        while !is_served() {
            assert!(pause.since.elapsed() < PATIENCE, "no other node becomes the primary");
            std::thread::sleep(Duration::from_millis(100));
        }
        patroni.thaw_node(lost);
    }
    let paused = pause.wait_until_games_go_on(playing, is_served);
    match loss {
        Loss::ServerKilled | Loss::NodeFrozen => {}
        Loss::NodeKilled => patroni.restart_node(lost),
        Loss::NodeFrozenForLong => patroni.thaw_node(lost),
    }
    patroni.wait_until_whole();
    let is_other = loss != Loss::ServerKilled;
    if is_other {
        patroni.wait_until_replica(lost);
    }
    let primary = patroni.primary().expect("there is a primary");
    show(&format!(
        "{loss:?}: games went on after {:.1} s with {} primary",
        paused.as_secs_f64(),
        if primary == lost { "the same" } else { "another" }
    ));
    assert!(!is_other || primary != lost, "the lost node has taken the lock back");
    wait_for("players play", &playing.shared.events, playing.shared.events.load(Ordering::Relaxed) + TABLES * 40);
}

fn check_that_no_host_is_dead(cluster: &Cluster) {
    for host in &cluster.hosts {
        assert_eq!(metric(host, "holdfast_cluster_takeovers_total"), 0.0, "a failover of the store buries no host");
        assert_eq!(metric(host, "holdfast_cluster_burials_total"), 0.0, "a failover of the store buries no host");
    }
}

/// The pause of all games while the store has no primary.
struct Pause {
    since: Instant,
}

impl Pause {
    fn begin() -> Self {
        Self { since: Instant::now() }
    }

    /// Waits until games go on on the new primary: each table was told more than can have been under way. Returns the time until
    /// the end of the longest silence.
    fn wait_until_games_go_on(&self, playing: &Playing, has_primary: impl Fn() -> bool) -> Duration {
        let told = || playing.shared.events.load(Ordering::Relaxed);
        let (mut last, mut last_at) = (told(), Instant::now());
        let mut longest = (Duration::ZERO, Duration::ZERO);
        let mut enough = None;
        while enough.is_none_or(|enough| last < enough) {
            assert!(self.since.elapsed() < PATIENCE, "the games do not go on");
            std::thread::sleep(Duration::from_millis(5));
            if enough.is_none() && has_primary() {
                enough = Some(told() + TABLES * 40);
            }
            if told() != last {
                longest = longest.max((last_at.elapsed(), self.since.elapsed()));
                (last, last_at) = (told(), Instant::now());
            }
        }
        longest.1
    }
}
