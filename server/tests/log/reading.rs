//! What was written can be read, listed and recovered.

use std::sync::Arc;

use server::log::{End, EventLog, FaultyLog, GameKey, LogFile, MemoryLog, Recovered, RecoveryStats, StoreError};

use crate::support::{PLAYERS, Room, SCENARIO, Scratch, add_client, client, finish, header};

/// Three games: one finished, two mixed.
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

fn visited(log: &dyn EventLog) -> (String, RecoveryStats) {
    let mut lines = Vec::new();
    let stats = log.recover(&mut |found| {
        lines.push(match found {
            Recovered::Game { head } => format!("game {}", head.record.name),
            Recovered::Client { game, client } => format!("client {game}.{}", client.client),
            Recovered::Entry { game, sequence, .. } => format!("entry {game}.{sequence}"),
            Recovered::Damaged { game, damage } => format!("damage {game}: {damage}"),
        });
    });
    (lines.join("; "), stats.expect("a log that can be read"))
}

#[test]
fn recovering() {
    fn check(log: &dyn EventLog, expected: &str) {
        fill(log);
        let (lines, stats) = visited(log);
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
}

#[test]
fn the_same_after_opening_again() {
    let scratch = Scratch::new();
    let log = scratch.open();
    fill(&log);
    let (before, listed) = (visited(&log), log.list().expect("a list"));
    log.close().expect("a clean end");
    drop(log);

    let log = scratch.open();
    assert_eq!(visited(&log), before);
    assert_eq!(log.list().expect("a list"), listed);
    // Keys go on behind those that are there.
    assert_eq!(Room::create(&log, "next").key, GameKey(4));
}

#[test]
fn everything_of_a_game() {
    fn check(log: &dyn EventLog) {
        let mut room = Room::create(log, "a");
        let rows: Vec<_> = [0, 1, 500, 9_000].map(|size| room.row(size)).into();
        rows.iter().for_each(|row| log.append(room.key, row.clone()));
        add_client(log, room.key, 200).expect("a client");

        for from in 0..=6 {
            let expected: Vec<_> = rows.iter().filter(|row| row.sequence >= from).cloned().collect();
            assert_eq!(log.read(room.key, from).expect("entries"), expected, "{log:?} from {from}");
        }
        assert_eq!(log.read(room.key, u64::MAX).expect("entries"), []);
        assert_eq!(log.clients(room.key).expect("clients"), [client(200)]);
        let head = log.head(room.key).expect("a head");
        assert_eq!((head.header, head.scenario.as_deref()), (header(7).encode(), Some(SCENARIO)));
        assert_eq!((head.record.name.as_str(), head.record.created, head.record.end), ("a", 1_000, None));
        assert_eq!((head.record.players, head.record.parent), (None, None));
        assert_eq!((head.record.tail.entries, head.record.tail.digest), (4, rows[3].digest));
        finish(log, room.key, "won", 77);
        log.close().expect("a clean end");
        let listed = log.list().expect("a list");
        assert_eq!(listed[0].end, Some(End { outcome: "won".into(), at: 77 }));
        assert_eq!(listed[0].players.as_deref(), Some(&PLAYERS.map(String::from)[..]));
        assert_eq!((listed.len(), listed[0].about.rulebook.as_str(), listed[0].about.seed), (1, "stones", 7));

        let nobody = GameKey(9);
        assert!(matches!(log.head(nobody), Err(StoreError::NoSuchGame { game }) if game == nobody));
        assert_eq!(log.read(nobody, 1).expect("entries"), []);
    }
    check(&Scratch::new().open());
    check(&MemoryLog::new());
}

#[test]
fn reading_beside_a_writer() {
    let scratch = Scratch::new();
    let log = scratch.open();
    let mut room = Room::create(&log, "a");
    room.ear.wait_for(0);
    let reader = LogFile::open(&scratch.log()).expect("a reader");
    assert_eq!(reader.find("a").expect("a search").map(|head| head.record.key), Some(room.key));
    assert_eq!(reader.find("b").expect("a search"), None);
    for sequence in 1..=50 {
        room.append(&log);
        room.ear.wait_for(sequence);
        assert_eq!(reader.read(room.key, 1).expect("entries").len() as u64, sequence);
    }
}
