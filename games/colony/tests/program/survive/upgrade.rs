//! The program of the last landed state hosts games of its own bots and of recording players, and is killed with -9 under load.
//! Today's program goes on with its log, for the same clients.

use std::{
    process::Command,
    sync::{Arc, atomic::Ordering},
    thread,
    time::{Duration, Instant},
};

use super::{
    bots::Bots,
    kill::{compare, verified, wait_for},
    player::{self, Tables},
};
use crate::{
    process::{HostProcess, Scratch, check_landed_program_with, landed, today, version},
    show,
    stored::{self, wait},
    wire::Wire,
};

/// Tables of players that record what they are told.
const TABLES: usize = 10;
/// Processes of the landed program, each with a game of two bots.
const BOTS: usize = 3;
/// Events that clients receive before each kill.
const EVENTS: usize = 400;
/// The longest wait, with room for a busy machine.
const PATIENCE: Duration = Duration::from_secs(300);

#[test]
fn old_clients_go_on() {
    let Some(landed) = landed() else { return };
    let scratch = Scratch::new("upgrade");
    let log = scratch.path("games.log");
    let mut host = HostProcess::start_program(&landed, &log, &["host"], &[], "listening on ");
    let address = host.address().to_string();
    let shared: Arc<Tables> = Arc::default();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let play = |table| {
        let wire = Wire::of_table(table);
        runtime.spawn(player::keep_playing(table, host.addresses(), wire, Duration::ZERO, shared.clone()))
    };
    let tables: Vec<_> = (0..TABLES).map(play).collect();
    // So slow that no game of theirs is over before the first kill, however few turns it has.
    let mut bots: Vec<Bots> = (0..BOTS)
        .map(|bot| {
            let seed = (20 + bot).to_string();
            let more = ["--new", "winter", "--count", "2", "--start", "--pace", "50", "--seed", &seed, "--name", "old"];
            Bots::start_program(&landed, &address, &more)
        })
        .collect();
    let old_games = || {
        let records = stored::open(&log).and_then(|file| wait(file.list())).expect("the log");
        records
            .into_iter()
            .filter(|game| game.about.seed >= 20 && game.about.seed < 20 + BOTS as i64)
            .collect::<Vec<_>>()
    };
    // Two registrations, the start, and some turns.
    wait_until("the old bots play", || {
        let games = old_games();
        games.len() == BOTS && games.iter().all(|game| game.tail.entries > 4)
    });
    wait_for("events are told", &shared.events, EVENTS);
    host.kill();

    let (left, old) = (old_games(), version(&log));
    assert!(left.iter().any(|game| game.end.is_none()), "games of old bots are in the middle: {left:?}");
    let report = verified(&log);
    assert!(report.is_sound(), "as the landed program left it: {report}");
    host.restart();
    for kill in 1..=2 {
        wait_for("clients come back", &shared.resumed, kill * TABLES);
        let told = shared.events.load(Ordering::Relaxed);
        wait_for("events are told", &shared.events, told + EVENTS);
        host.kill();
        host.restart();
    }
    shared.stop.store(true, Ordering::Release);
    runtime.block_on(async {
        for table in tables {
            table.await.expect("a table never panics");
        }
    });
    let said: Vec<String> = bots.iter_mut().map(Bots::end).collect();
    player::break_off_all(&runtime, host.addresses(), &log);
    host.wait_until_all_games_ended();
    host.stop();

    for game in old_games() {
        let before = left.iter().find(|left| left.name == game.name).expect("it was there before");
        assert!(before.end.is_some() || game.tail.entries > before.tail.entries, "{} went on", game.name);
        let outcome = game.end.expect("it is over").outcome;
        let told = said.iter().any(|said| said.contains(&game.name) && said.ends_with(&format!("{outcome}\n")));
        assert!(told, "{}: {outcome}: {said:?}", game.name);
    }
    let (games, events, resumed) = compare(&log, &shared);
    for what in ["verify", "replay"] {
        let checked = Command::new(today()).args(["log", what]).arg(&log).output().expect("the program starts");
        assert!(checked.status.success(), "{what}: {checked:?}");
    }
    check_landed_program_with(&landed, &log);
    show(&format!(
        "version {old} to {}: {games} games, clients resumed {resumed} times and were told {events} events, all in the log",
        version(&log)
    ));
}

#[track_caller]
fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < deadline, "never: {what}");
        thread::sleep(Duration::from_millis(20));
    }
}
