//! The system tests are played through one host, their games live on another, and a spectator watches them on a third.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use colony_rules::Event;
use commlib::{ToClient, Want};
use engine::CommId;
use systemtests::{batch::play_all, remote::RunningHost, target::Outcome};

use super::{Cluster, PATIENCE, is_long, metric};
use crate::{
    colony::{
        kill::{entries, stream},
        player::enter,
        scripts_for_hosts,
    },
    show,
    stored::{self, wait},
    wire::{Addresses, Wire},
};

/// The ordinary run plays every tenth script.
const SHARE: usize = 10;

/// The events that a spectator was told, by game.
type Watched = Arc<Mutex<BTreeMap<String, Vec<Event>>>>;

#[test]
fn scripts_pass_through_another_host_while_a_spectator_watches() {
    let Some(server) = testkit::Postgres::shared() else { return };
    let cluster = Cluster::start("scripts", &server.store(), &["a", "b", "c"]);
    let [a, b, c] = [0, 1, 2].map(|host| cluster.hosts[host].addresses());
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let (watched, done) = (Watched::default(), Arc::new(AtomicBool::new(false)));
    let watching = runtime.spawn(watch_all(c, cluster.store.clone(), watched.clone(), done.clone()));

    let found = scripts_for_hosts(&Path::new(env!("CARGO_MANIFEST_DIR")).join("games/colony/scripts"));
    let chosen: Vec<_> = found.iter().step_by(if is_long() { 1 } else { SHARE }).collect();
    let target = RunningHost { address: a.games, games_on: Some(b.games), patience: PATIENCE };
    let verdicts = play_all(&chosen, &target, 4, None, &|_| ());
    for verdict in &verdicts {
        assert_eq!(verdict.outcome, Outcome::Ok, "{} ({})\n{}", verdict.name, verdict.place, verdict.message);
    }
    assert!(verdicts.len() == chosen.len() && chosen.len() >= 60, "{} of {}", verdicts.len(), chosen.len());
    done.store(true, Ordering::Release);
    runtime.block_on(watching).expect("the spectator never panics");

    // Every client was passed on: by the first host those of scripts, by the third the spectator.
    let [passed_on, played_here, watched_from] = [
        metric(&cluster.hosts[0], "holdfast_cluster_forwards_total"),
        metric(&cluster.hosts[0], "holdfast_games_created_total")
            + metric(&cluster.hosts[2], "holdfast_games_created_total"),
        metric(&cluster.hosts[2], "holdfast_cluster_forwards_total"),
    ];
    assert!(passed_on >= chosen.len() as f64 && played_here == 0.0 && watched_from > 0.0);
    let events = compare_watched(&cluster.store, &watched.lock().expect("no thread has panicked"));
    show(&format!(
        "{} scripts passed through host a, on games of host b: {passed_on} clients passed on; on host c a spectator was told {events} \
         events of {} games",
        chosen.len(),
        watched.lock().expect("no thread has panicked").len()
    ));
}

/// Watches every game of the store from its beginning to its end.
async fn watch_all(host: Addresses, store: String, watched: Watched, done: Arc<AtomicBool>) {
    let reader = server::log::open_reader(Path::new(&store)).await.expect("the store can be read");
    let (mut known, mut watching) = (BTreeSet::new(), Vec::new());
    while !done.load(Ordering::Acquire) {
        for game in reader.list().await.expect("games").into_iter().filter(|game| game.end.is_none()) {
            if known.insert(game.name.clone()) {
                watching.push(tokio::spawn(watch(host, game.name, watched.clone())));
            }
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    for spectator in watching {
        // Games that a script leaves unfinished have no end.
        if let Ok(ended) = tokio::time::timeout(Duration::from_millis(200), spectator).await {
            ended.expect("a spectator never panics");
        }
    }
}

async fn watch(host: Addresses, game: String, watched: Watched) {
    let Ok((mut connection, _)) = enter(host, Wire::Binary, Some(&game), Want::Watch { seen: 0 }).await else { return };
    while let Ok(Some(message)) = connection.next().await {
        if let ToClient::Event(told) = message {
            let mut watched = watched.lock().expect("no thread has panicked");
            let events = watched.entry(game.clone()).or_default();
            events.push(told.event);
            assert_eq!(told.number, events.len() as u64, "no event twice, none missing");
        }
    }
}

/// Checks that the spectator was told what the store has. Returns the number of events.
fn compare_watched(store: &str, watched: &BTreeMap<String, Vec<Event>>) -> usize {
    let file = stored::open(Path::new(store)).expect("the store can be read");
    let records = wait(file.list()).expect("games");
    // No client has this number, so only public events are left.
    let spectator = CommId(0);
    for (game, told) in watched {
        let record = records.iter().find(|record| record.name == *game).expect("the game is stored");
        let entries = entries(&*file, record);
        let stored: Vec<&Event> = stream(&entries, spectator).collect();
        assert!(told.len() <= stored.len(), "{game}: more was told than is stored");
        assert!(told.iter().zip(&stored).all(|(told, stored)| told == *stored), "{game}: something else was told");
    }
    watched.values().map(Vec::len).sum()
}
