//! A real host under load, killed with -9 again and again: the killing, and the comparison with the log afterwards.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use colony::{Event, Game};
use engine::{Audience, CommId, Emission, Entry, EntryOf, JavaRandom};
use server::log::{GameRecord, LogFile, verify};

use crate::{
    player::{self, Told},
    process::{HostProcess, Scratch},
    show,
};

const GAMES: usize = 50;
const KILLS: usize = 100;

#[test]
fn nothing_told_is_lost() {
    let scratch = Scratch::new("kill");
    let log = scratch.path("games.log");
    let mut host = HostProcess::start(&log, 12_000);
    let told: Arc<Mutex<Vec<Told>>> = Arc::default();
    let stop = Arc::new(AtomicBool::new(false));
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let tables: Vec<_> = (0..GAMES)
        .map(|table| {
            runtime.spawn(player::keep_playing(table, host.address(), Duration::ZERO, told.clone(), stop.clone()))
        })
        .collect();

    let mut random = JavaRandom::new(20_261_116);
    for kill in 1..=KILLS {
        std::thread::sleep(Duration::from_millis(20 + random.next_below(120) as u64));
        host.kill();
        if kill % 20 == 0 {
            let report = verify(&log, |_| ()).expect("the log can be read");
            assert!(report.is_sound(), "after kill {kill}: {report}");
        }
        host.restart();
    }
    stop.store(true, Ordering::Release);
    runtime.block_on(async {
        for table in tables {
            table.await.expect("a table never panics");
        }
    });
    host.wait_until_all_games_ended(Instant::now() + Duration::from_secs(60));
    host.stop();

    let report = verify(&log, |_| ()).expect("the log can be read");
    assert!(report.is_sound(), "{report}");
    let file = LogFile::open(&log).expect("the log can be read");
    let records = file.list().expect("the games can be listed");
    let unfinished: Vec<&GameRecord> = records.iter().filter(|record| record.end.is_none()).collect();
    assert!(unfinished.is_empty(), "all games end: {unfinished:?}");

    let games: HashMap<&str, &GameRecord> = records.iter().map(|record| (record.name.as_str(), record)).collect();
    let told = told.lock().expect("nobody panicked");
    let mut events = 0;
    for client in told.iter() {
        let record = games.get(client.game.as_str()).unwrap_or_else(|| panic!("game {} is lost", client.game));
        let stream = stream(&file, record, client.client);
        assert!(client.events.len() <= stream.len(), "{} was told more than the log has", client.game);
        for (at, event) in client.events.iter().enumerate() {
            assert_eq!(*event, stream[at], "game {}, client {}, event {}", client.game, client.client, at + 1);
        }
        events += client.events.len();
    }
    let resumed: usize = told.iter().map(|client| client.resumed).sum();
    show(&format!(
        "{KILLS} kills: {} games, {} clients resumed {resumed} times and were told {events} events, all in the log",
        records.len(),
        told.len()
    ));
    assert!(resumed > KILLS && events > 10_000, "the host was under load: {resumed} resumed, {events} events");
}

/// What a client that asked for the board must have been told, worked out from the entries alone.
fn stream(file: &LogFile, record: &GameRecord, client: CommId) -> Vec<Event> {
    let mut stream = Vec::new();
    for row in file.read(record.key, 1).expect("the entries can be read") {
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
