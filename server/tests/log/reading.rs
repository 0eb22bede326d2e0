//! Written games can be read, listed and recovered.

use std::sync::Arc;

use engine::Header;
use server::log::{
    End, Ending, EventLog, FaultyLog, GameKey, LogReader, MemoryLog, NewGame, Recovered, RecoveredBatch, RecoveryStats,
    Selection, StoreError, open_reader, visit,
};

use crate::support::{
    Ear, PLAYERS, Room, SCENARIO, Scratch, add_client, client, finish, header, postgres, results, stores, wait,
};

/// Writes three games: one is finished, and the entries of the other two are interleaved.
fn fill(log: &dyn EventLog) {
    let [mut over, mut left, mut right] = ["over", "left", "right"].map(|name| Room::create(log, name));
    over.append(log);
    finish(log, over.key, "won", 5);
    left.append(log);
    add_client(log, right.key, 4).expect("a client");
    add_client(log, right.key, 1).expect("a client");
    right.append(log);
    left.append(log);
    right.append(log);
    left.ear.wait_for(2);
    right.ear.wait_for(2);
}

fn visited(log: &dyn LogReader, which: Selection) -> Result<(String, RecoveryStats), StoreError> {
    let mut lines = Vec::new();
    let stats = wait(visit(log, which, |found| {
        lines.push(match found {
            Recovered::Game { head } => format!("game {}", head.record.name),
            Recovered::Client { game, client } => format!("client {game}.{}", client.client),
            Recovered::Entry { game, sequence, .. } => format!("entry {game}.{sequence}"),
            Recovered::Damaged { game, damage } => format!("damage {game}: {damage}"),
        });
    }))?;
    Ok((lines.join("; "), stats))
}

/// All unfinished games.
fn unfinished(log: &dyn LogReader) -> (String, RecoveryStats) {
    visited(log, Selection::Unfinished).expect("a log that can be read")
}

#[test]
fn recovering() {
    fn check(log: &dyn EventLog, expected: &str) {
        fill(log);
        let (lines, stats) = unfinished(log);
        assert_eq!(lines, expected, "{log:?}");
        assert_eq!((stats.games, stats.clients, stats.entries, stats.damaged), (2, 2, 4, 0), "{log:?}");
        assert!(stats.bytes > 4 * 40, "{log:?} {stats:?}");
    }
    let scratch = Scratch::new();
    let in_append_order = "game left; game right; client 3.1; client 3.4; entry 2.1; entry 3.1; entry 2.2; entry 3.2";
    let game_by_game = "game left; entry 2.1; entry 2.2; game right; client 3.1; client 3.4; entry 3.1; entry 3.2";
    check(&scratch.open(), in_append_order);
    check(&MemoryLog::new(), game_by_game);
    check(&FaultyLog::new(Arc::new(MemoryLog::new())), game_by_game);
    let in_groups = "game left; game right; client 3.1; client 3.4; entry 2.1; entry 2.2; entry 3.1; entry 3.2";
    postgres().iter().for_each(|log| check(&**log, in_groups));
}

/// Recovery works at any time, even while games are open. A store may interleave the selected games.
#[test]
fn recovering_some_games() {
    fn check(log: &dyn EventLog, which: Selection, mut expected: Vec<&str>) {
        let found = visited(log, which.clone());
        let found = found.map_or_else(|error| error.to_string(), |(lines, _)| lines);
        let mut found: Vec<&str> = found.split("; ").filter(|line| !line.is_empty()).collect();
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected, "{which:?} {log:?}");
    }
    let scratch = Scratch::new();
    let keys = |keys: &[i64]| Selection::Keys(keys.iter().copied().map(GameKey).collect());
    let over = ["game over", "entry 1.1"];
    let left = ["game left", "entry 2.1", "entry 2.2"];
    let right = ["game right", "client 3.1", "client 3.4", "entry 3.1", "entry 3.2"];
    for log in stores(&scratch) {
        fill(&*log);
        check(&*log, keys(&[]), vec![]);
        check(&*log, keys(&[1]), over.into());
        check(&*log, keys(&[2]), left.into());
        check(&*log, keys(&[3, 1]), [&right[..], &over].concat());
        check(&*log, keys(&[1, 9]), vec!["there is no game 9"]);
        check(&*log, Selection::Unfinished, [&left[..], &right].concat());
        check(&*log, Selection::All, [&over[..], &left, &right].concat());
    }
}

/// Batches are sent as fast as they are received, and no more once the receiver is dropped.
#[test]
fn recovering_in_batches() {
    const ENTRIES: usize = 5_000;
    let scratch = Scratch::new();
    for log in stores(&scratch) {
        let mut room = Room::create(&*log, "long");
        (0..ENTRIES).for_each(|_| room.append(&*log));
        room.ear.wait_for(ENTRIES as u64);
        let (found, mut batches) = tokio::sync::mpsc::channel::<RecoveredBatch>(1);
        let counting = async {
            let mut sizes = Vec::new();
            while let Some(batch) = batches.recv().await {
                sizes.push(batch.iter().count());
            }
            sizes
        };
        let (stats, sizes) = wait(async { tokio::join!(log.recover(Selection::All, found), counting) });
        assert_eq!(stats.expect("a recovery").entries, ENTRIES as u64);
        assert_eq!(sizes.iter().sum::<usize>(), ENTRIES + 1, "and the game itself");
        assert!(sizes.len() > 3, "{sizes:?}");

        let (found, batches) = tokio::sync::mpsc::channel(1);
        drop(batches);
        assert!(matches!(wait(log.recover(Selection::All, found)), Err(StoreError::Closed)), "{log:?}");
        assert_eq!(wait(log.list()).expect("a list").len(), 1, "others are answered");
    }
}

#[test]
fn the_same_after_opening_again() {
    let scratch = Scratch::new();
    let log = scratch.open();
    fill(&log);
    let (before, listed) = (unfinished(&log), wait(log.list()).expect("a list"));
    log.close().expect("a clean end");
    drop(log);

    let log = scratch.open();
    assert_eq!(unfinished(&log), before);
    assert_eq!(wait(log.list()).expect("a list"), listed);
    // New keys continue after the existing ones.
    assert_eq!(Room::create(&log, "next").key, GameKey(4));
}

#[test]
fn everything_of_a_game() {
    fn check(log: &dyn EventLog) {
        let mut room = Room::create(log, "a");
        let rows: Vec<_> = [0, 1, 500, 9_000].map(|size| room.row(size)).into();
        rows.iter().for_each(|row| log.append(room.key, row.clone(), Vec::new()));
        add_client(log, room.key, 200).expect("a client");

        for from in 0..=6 {
            let expected: Vec<_> = rows.iter().filter(|row| row.sequence >= from).cloned().collect();
            assert_eq!(wait(log.rows(room.key, from)).expect("entries"), expected, "{log:?} from {from}");
        }
        assert_eq!(wait(log.rows(room.key, u64::MAX)).expect("entries"), []);
        assert_eq!(wait(log.clients(room.key)).expect("clients"), [client(200)]);
        let head = wait(log.head(room.key)).expect("a head");
        assert_eq!((head.header, head.scenario.as_deref()), (header("a").encode(), Some(SCENARIO)));
        assert_eq!((head.record.name.as_str(), head.record.created, head.record.end), ("a", 1_000, None));
        assert_eq!((head.record.players, head.record.results, head.record.parent), (None, None, None));
        assert_eq!((head.record.tail.entries, head.record.tail.digest), (4, rows[3].digest));
        finish(log, room.key, "won", 77);
        log.close().expect("a clean end");
        let listed = wait(log.list()).expect("a list");
        assert_eq!(listed[0].end, Some(End { outcome: "won".into(), at: 77 }));
        assert_eq!(listed[0].players.as_deref(), Some(&PLAYERS.map(String::from)[..]));
        assert_eq!(listed[0].results, Some(results()));
        assert_eq!((listed.len(), listed[0].about.rulebook.as_str(), listed[0].about.seed), (1, "stones", 7));

        let unknown = GameKey(9);
        assert!(matches!(wait(log.head(unknown)), Err(StoreError::NoSuchGame { game }) if game == unknown));
        assert_eq!(wait(log.rows(unknown, 1)).expect("entries"), []);
    }
    let scratch = Scratch::new();
    stores(&scratch).iter().for_each(|log| check(&**log));
}

/// A rulebook without results stores none, as in an older log.
#[test]
fn a_game_without_results() {
    let scratch = Scratch::new();
    for log in stores(&scratch) {
        let room = Room::create(&*log, "a");
        let ending = Ending { outcome: "over".into(), at: 5, players: Vec::new(), results: Vec::new() };
        log.finish(room.key, ending, Box::new(drop));
        log.close().expect("a clean end");
        let record = wait(log.head(room.key)).expect("a head").record;
        assert_eq!((record.players, record.results), (Some(Vec::new()), None), "{log:?}");
    }
}

#[test]
fn reading_beside_a_writer() {
    let scratch = Scratch::new();
    let log = scratch.open();
    let mut room = Room::create(&log, "a");
    room.ear.wait_for(0);
    let reader = wait(open_reader(&scratch.log())).expect("a reader");
    assert_eq!(wait(reader.find("a")).expect("a search").map(|head| head.record.key), Some(room.key));
    assert_eq!(wait(reader.find("b")).expect("a search"), None);
    for sequence in 1..=50 {
        room.append(&log);
        room.ear.wait_for(sequence);
        assert_eq!(wait(reader.rows(room.key, 1)).expect("entries").len() as u64, sequence);
    }
}

#[test]
fn the_first_game_and_those_that_ended_lately() {
    let scratch = Scratch::new();
    for log in stores(&scratch) {
        let names = |rulebook: &str, moment: i64| -> Vec<String> {
            let found = wait(log.ended_since(rulebook, moment)).expect("games");
            found.into_iter().map(|record| record.name).collect()
        };
        let first = || wait(log.first()).expect("an answer").map(|record| record.name);
        assert_eq!((first(), names("stones", i64::MIN)), (None, vec![]), "{log:?}");
        for (name, ended) in [("a", Some(30)), ("b", None), ("c", Some(10)), ("d", Some(20))] {
            let room = Room::create(&*log, name);
            if let Some(at) = ended {
                finish(&*log, room.key, "won", at);
            }
        }
        let other = Header { rulebook: "cups".into(), ..header("e") };
        let key = log.create(NewGame::new("e", &other, None, 0), Arc::<Ear>::default());
        finish(&*log, key, "won", 40);
        log.close().expect("a clean end");
        assert_eq!(first(), Some("a".into()), "{log:?}");
        for (moment, expected) in [
            (i64::MIN, &["d", "c", "a"][..]),
            (10, &["d", "c", "a"]),
            (11, &["d", "a"]),
            (30, &["a"]),
            (31, &[]),
            (i64::MAX, &[]),
        ] {
            assert_eq!(names("stones", moment), expected, "{moment} {log:?}");
        }
        assert_eq!((names("cups", 40), names("cups", 41), names("chess", 0)), (vec!["e".into()], vec![], vec![]));
    }
}
