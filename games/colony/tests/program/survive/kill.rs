//! Kills a real host under load with -9 many times, and afterwards compares the events that clients received with the log.

use std::{
    collections::HashMap,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use colony_rules::{Event, Game};
use engine::{Audience, CommId, Emission, Entry, EntryOf, JavaRandom};
use server::log::{GameRecord, LogReader, Report, verify};

use super::player::{self, Tables};
use crate::{
    process::{HostProcess, Scratch},
    show,
    stored::{self, wait},
};

const GAMES: usize = 50;
const KILLS: usize = 100;
/// The number of clients that resume before the next kill.
const BACK: usize = 2;
/// The number of events that clients receive between two kills: at least `LEAST`, and up to `MORE` more.
const LEAST: usize = 100;
const MORE: i32 = 400;
/// The longest wait, with room for a busy machine.
const PATIENCE: Duration = Duration::from_secs(300);

#[test]
fn nothing_told_is_lost() {
    let scratch = Scratch::new("kill");
    let log = scratch.path("games.log");
    let mut host = HostProcess::start(&log);
    let shared: Arc<Tables> = Arc::default();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let tables: Vec<_> = (0..GAMES)
        .map(|table| runtime.spawn(player::keep_playing(table, host.address(), Duration::ZERO, shared.clone())))
        .collect();

    let mut random = JavaRandom::new(20_261_116);
    for kill in 1..=KILLS {
        // Every kill comes under load, at a random moment.
        wait_for("clients come back", &shared.resumed, (kill - 1) * BACK);
        let told = shared.events.load(Ordering::Relaxed);
        wait_for("events are told", &shared.events, told + LEAST + random.next_below(MORE) as usize);
        host.kill();
        if kill % 20 == 0 {
            let report = verified(&log);
            assert!(report.is_sound(), "after kill {kill}: {report}");
        }
        host.restart();
    }
    shared.stop.store(true, Ordering::Release);
    runtime.block_on(async {
        for table in tables {
            table.await.expect("a table never panics");
        }
    });
    player::break_off_all(&runtime, host.address(), &log);
    host.wait_until_all_games_ended();
    host.stop();

    let (games, events, resumed) = compare(&log, &shared);
    show(&format!(
        "{KILLS} kills: {games} games, clients resumed {resumed} times and were told {events} events, all in the log"
    ));
    assert!(resumed >= (KILLS - 1) * BACK && events >= KILLS * LEAST, "{resumed} resumed, {events} events");
}

/// Checks that the log is sound, that all games have ended, and that the log has every event that a client received. Returns the
/// number of games, of events, and of resumed connections.
pub(super) fn compare(log: &Path, tables: &Tables) -> (usize, usize, usize) {
    let report = verified(log);
    assert!(report.is_sound(), "{report}");
    let file = stored::open(log).expect("the log can be read");
    let records = wait(file.list()).expect("the games can be listed");
    let unfinished: Vec<&GameRecord> = records.iter().filter(|record| record.end.is_none()).collect();
    assert!(unfinished.is_empty(), "all games end: {unfinished:?}");

    let games: HashMap<&str, &GameRecord> = records.iter().map(|record| (record.name.as_str(), record)).collect();
    let told = tables.told.lock().expect("no thread has panicked");
    let mut events = 0;
    for client in told.iter() {
        let record = games.get(client.game.as_str()).unwrap_or_else(|| panic!("game {} is lost", client.game));
        let stream = stream(&*file, record, client.client);
        assert!(client.events.len() <= stream.len(), "{} was told more than the log has", client.game);
        for (at, event) in client.events.iter().enumerate() {
            assert_eq!(*event, stream[at], "game {}, client {}, event {}", client.game, client.client, at + 1);
        }
        events += client.events.len();
    }
    (records.len(), events, told.iter().map(|client| client.resumed).sum())
}

/// Waits until a counter reaches a number.
#[track_caller]
pub(super) fn wait_for(what: &str, number: &AtomicUsize, reached: usize) {
    let deadline = Instant::now() + PATIENCE;
    while number.load(Ordering::Relaxed) < reached {
        assert!(Instant::now() < deadline, "never: {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

pub(super) fn verified(log: &Path) -> Report {
    let file = stored::open(log).expect("the log can be opened");
    wait(verify(&*file, |_| ())).expect("the log can be read")
}

/// The events that a client with `board` must have received, computed from the entries of the log alone.
fn stream(file: &dyn LogReader, record: &GameRecord, client: CommId) -> Vec<Event> {
    let mut stream = Vec::new();
    for row in wait(file.rows(record.key, 1)).expect("the entries can be read") {
        let entry: EntryOf<Game> = Entry::decode(&row.bytes).expect("an entry");
        for emission in entry.emissions {
            if let Emission::Event { audience, event } = emission
                && (audience == Audience::Only(client) || !matches!(audience, Audience::Only(_)))
            {
                stream.push(event);
            }
        }
    }
    stream
}
