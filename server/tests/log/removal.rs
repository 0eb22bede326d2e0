//! Games are removed and leave tombstones; names in finished games are replaced, and digests stay.

use std::sync::Arc;

use engine::CommId;
use rusqlite::Connection;
use server::log::{
    Cell, EventLog, GameKey, LogReader, Record, Redaction, StoreError, Tombstone, WhyRemoved, copy_game, open_reader,
    verify_against,
};

use crate::{
    heads::{check, heads},
    support::{CUPS, PAIRS, Room, Scratch, add_client, cup, finish, header_with, rows, stores, verified, wait},
};

/// Games `a` to `d` with interleaved entries; `b` has records, and `d` is not over.
fn fill(log: &dyn EventLog) -> Vec<Room> {
    wait(log.add_tables(&[CUPS, PAIRS])).expect("tables");
    let mut rooms: Vec<Room> = ["a", "b", "c", "d"].iter().map(|name| Room::create(log, name)).collect();
    for _ in 0..3 {
        rooms.iter_mut().for_each(|room| room.append(log));
    }
    let row = rooms[1].row(9);
    log.append(rooms[1].key, row, vec![cup(1), cup(2)]);
    let (row, other) = (rooms[0].row(9), rooms[1].row(9));
    log.append(rooms[0].key, row, vec![cup(3)]);
    log.append(rooms[1].key, other, Vec::new());
    for room in &rooms[..3] {
        add_client(log, room.key, 1).expect("a client");
    }
    finish(log, rooms[0].key, "won", 30);
    finish(log, rooms[1].key, "lost", 10);
    finish(log, rooms[2].key, "drawn", 20);
    add_client(log, rooms[3].key, 1).expect("a client");
    rooms
}

fn names(log: &dyn LogReader) -> String {
    wait(log.list()).expect("a list").iter().map(|game| game.name.as_str()).collect::<Vec<_>>().join(" ")
}

fn stones(log: &dyn LogReader) -> Vec<String> {
    let stones = wait(log.removed()).expect("a list");
    stones.iter().map(|stone| format!("{} {} {} {}", stone.key, stone.name, stone.why, stone.at)).collect()
}

#[test]
fn a_removed_game_leaves_a_tombstone() {
    let scratch = Scratch::new();
    for log in stores(&scratch) {
        let rooms = fill(&*log);
        let kept = heads(&*log);
        let ended: Vec<String> =
            wait(log.first_ended("stones", 2)).expect("games").into_iter().map(|game| game.name).collect();
        assert_eq!(ended, ["b", "c"], "{log:?}: the end counts");
        assert_eq!(wait(log.count_ended("stones")).expect("a number"), 3);
        assert_eq!(wait(log.count_ended("others")).expect("a number"), 0);

        let head = wait(log.head(rooms[1].key)).expect("a game").record;
        let Tombstone { key, name, tail, why, at, rows: _ } =
            wait(log.remove(rooms[1].key, WhyRemoved::Expired, 77)).expect("a tombstone");
        assert_eq!((key, name.as_str(), tail, why, at), (head.key, "b", head.tail, WhyRemoved::Expired, 77));
        assert_eq!(names(&*log), "a c d", "{log:?}");
        assert_eq!(stones(&*log), [format!("{key} b expired 77")]);
        assert_eq!(wait(log.find("b")).expect("a search"), None);
        assert!(wait(log.rows(key, 1)).expect("rows").is_empty());
        assert!(wait(log.clients(key)).expect("clients").is_empty());
        assert_eq!(rows(&*log, CUPS, None).split('|').next(), Some("3"), "{log:?}: the records of b are gone");
        check(&*log, &kept, "all is as it was written: games 3, entries 10; game b: removed (expired)");
        let now = heads(&*log);
        assert_eq!((now.games.len(), now.removed.len()), (3, 1));
        check(&*log, &now, "all is as it was written: games 3, entries 10");

        // Everything goes on, and neither the key nor the name is used again.
        let mut new = Room::create(&*log, "e");
        assert!(new.key > rooms[3].key);
        new.append(&*log);
        assert_eq!(new.ear.wait_for(1).failed, None);
        let again = Room::create(&*log, "b");
        assert_eq!(again.ear.wait_for(0).failed.as_deref(), Some("there is a game b already"), "{log:?}");
        check(&*log, &now, "all is as it was written: games 4, entries 11");
    }
}

#[test]
fn what_cannot_be_removed() {
    let scratch = Scratch::new();
    for log in stores(&scratch) {
        let rooms = fill(&*log);
        let refused = |game| wait(log.remove(game, WhyRemoved::Deleted, 1)).expect_err("refused").to_string();
        assert_eq!(refused(rooms[3].key), format!("game {} is not over", rooms[3].key));
        assert_eq!(refused(GameKey(999)), "there is no game 999");
        wait(log.remove(rooms[0].key, WhyRemoved::Deleted, 1)).expect("a tombstone");
        assert_eq!(refused(rooms[0].key), format!("there is no game {}", rooms[0].key));
        let redacted = wait(log.redact(rooms[3].key, Redaction::default()));
        assert!(matches!(redacted, Err(StoreError::NotOver { .. })), "{redacted:?}");
        assert_eq!(names(&*log), "b c d");
    }
}

/// A kept head of a removed game whose tombstone is gone, or is another.
#[test]
fn tombstones_that_were_changed() {
    let scratch = Scratch::new();
    let log = scratch.open();
    let rooms = fill(&log);
    let before = heads(&log);
    wait(log.remove(rooms[1].key, WhyRemoved::Deleted, 1)).expect("a tombstone");
    let kept = heads(&log);
    let change = |sql: &str| {
        Connection::open(scratch.log()).and_then(|file| file.execute_batch(sql)).expect("SQL that runs");
    };
    change("UPDATE tombstones SET digest = zeroblob(32)");
    check(&log, &kept, "game b: its log up to entry 5 is not the one that it had");
    change("UPDATE tombstones SET entries = 4");
    let other = "rows between row 2 and row 15 of the entries are missing, and removed games had 4";
    check(&log, &before, &format!("5 {other}; game b: it had 5 entries and has 4"));
    change("DELETE FROM tombstones");
    let report = wait(verify_against(&log, &kept, |_| {})).expect("a report").to_string();
    assert!(report.contains("row 2 of the entries is missing"), "{report}");
    assert!(report.ends_with("game b: it was removed, and its tombstone is missing\n"), "{report}");
}

/// The last rows of the file are of a removed game, and the file is opened again.
#[test]
fn numbers_of_rows_are_not_used_again() {
    let scratch = Scratch::new();
    let mut rooms = fill(&scratch.open());
    {
        let log = scratch.open();
        let mut last = Room::create(&log, "last");
        (0..2).for_each(|_| last.append(&log));
        finish(&log, last.key, "won", 40);
        add_client(&log, Room::create(&log, "x").key, 1).expect("all before it is stored");
        let stone = wait(log.remove(last.key, WhyRemoved::Deleted, 1)).expect("a tombstone");
        assert_eq!(stone.rows, Some(16..=17));
        // In the same process, and in the next one.
        rooms[3].resume(&log, 4);
        rooms[3].append(&log);
        assert_eq!(rooms[3].ear.wait_for(4).failed, None);
    }
    let mut second = Room::create(&scratch.open(), "second");
    let log = scratch.open();
    second.resume(&log, 1);
    second.append(&log);
    assert_eq!(second.ear.wait_for(1).failed, None);
    finish(&log, second.key, "won", 50);
    add_client(&log, Room::create(&log, "y").key, 1).expect("all before it is stored");
    assert_eq!(wait(log.remove(second.key, WhyRemoved::Deleted, 2)).expect("a tombstone").rows, Some(19..=19));
    drop(log);
    let log = scratch.open();
    let mut third = Room::create(&log, "third");
    third.append(&log);
    assert_eq!(third.ear.wait_for(1).failed, None);
    log.close().expect("a clean end");
    let ids = Connection::open(scratch.log()).expect("a file");
    let last: i64 = ids.query_row("SELECT max(id) FROM entries", [], |row| row.get(0)).expect("a number");
    assert_eq!(last, 20);
    let report = verified(&scratch.log()).expect("a report");
    assert!(report.is_sound(), "{report}");
}

/// A long game is deleted in pieces, and a process that is killed meanwhile leaves entries for the next one.
#[test]
fn pieces() {
    let scratch = Scratch::new();
    let key = {
        let log = scratch.open();
        let mut long = Room::create(&log, "long");
        (0..2_500).for_each(|_| long.append(&log));
        finish(&log, long.key, "won", 9);
        let mut other = Room::create(&log, "other");
        other.append(&log);
        other.ear.wait_for(1);
        wait(log.remove(long.key, WhyRemoved::Deleted, 1)).expect("a tombstone");
        assert!(wait(log.rows(long.key, 1)).expect("rows").is_empty());
        long.key
    };
    // As if it had been killed before the first piece.
    let file = Connection::open(scratch.log()).expect("a file");
    let left = format!(
        "UPDATE tombstones SET cleared = 0;
         WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 2500)
         INSERT INTO entries SELECT value, {}, value, zeroblob(32), x'' FROM n",
        key.0
    );
    file.execute_batch(&left).expect("SQL that runs");
    let report = verified(&scratch.log()).expect("a report");
    assert!(report.is_sound(), "what is still to be deleted is no damage: {report}");
    drop(scratch.open());
    let count: i64 = file.query_row("SELECT count(*) FROM entries", [], |row| row.get(0)).expect("a number");
    assert_eq!(count, 1);
}

/// A setup goes with its last game.
#[test]
fn setups() {
    let scratch = Scratch::new();
    let log = scratch.open();
    let count = || {
        let file = Connection::open(scratch.log()).expect("a file");
        file.query_row("SELECT count(*) FROM setups", [], |row| row.get::<_, i64>(0)).expect("a number")
    };
    let mut keys = Vec::new();
    for (name, setup) in [("a", "one"), ("b", "one"), ("c", "other")] {
        let header = header_with(name, setup.to_owned());
        let key = log.create(server::log::NewGame::new(name, &header, None, 1), Arc::<crate::support::Ear>::default());
        finish(&log, key, "won", 1);
        add_client(&log, Room::create(&log, &format!("after {name}")).key, 1).expect("all before it is stored");
        keys.push(key);
    }
    assert_eq!(count(), 3, "two, and that of the other games");
    for (key, left) in keys.into_iter().zip([3, 2, 1]) {
        wait(log.remove(key, WhyRemoved::Deleted, 1)).expect("a tombstone");
        assert_eq!(count(), left);
    }
}

#[test]
fn redacted_entries() {
    let scratch = Scratch::new();
    for log in stores(&scratch) {
        let mut rooms = fill(&*log);
        let key = rooms[1].key;
        let kept = heads(&*log);
        let redaction = |sequences: &[u64]| Redaction {
            entries: sequences.iter().map(|sequence| (*sequence, b"other bytes".to_vec())).collect(),
            clients: vec![(CommId(1), "anon-1".into())],
            outcome: "anon-1 wins".into(),
            players: Some(vec!["anon-1".into()]),
            results: None,
            records: vec![Record::update(CUPS, [Cell::Integer(1)], [("Label", Cell::Text("x".into()))])],
            at: 5,
        };
        wait(log.redact(key, redaction(&[2]))).expect("redacted");
        wait(log.redact(key, redaction(&[5, 3]))).expect("redacted");
        let head = wait(log.head(key)).expect("a head");
        assert_eq!(head.redacted.to_string(), "2-3,5", "{log:?}");
        assert_eq!(head.record.end.map(|end| end.outcome).as_deref(), Some("anon-1 wins"));
        assert_eq!(head.record.players, Some(vec!["anon-1".to_owned()]));
        assert_eq!(wait(log.clients(key)).expect("clients")[0].name, "anon-1");
        assert_eq!(wait(log.rows(key, 3)).expect("rows")[0].bytes, b"other bytes");
        assert!(rows(&*log, CUPS, None).contains("|x|"), "{log:?}");
        assert_eq!(heads(&*log), kept, "the heads are the same");
        let report = wait(verify_against(&*log, &kept, |_| {})).expect("a report");
        assert_eq!(
            report.to_string(),
            "all is as it was written: games 4, entries 15, 3 entries redacted\n",
            "{log:?}"
        );
        let missing = wait(log.redact(key, redaction(&[99])));
        assert!(matches!(missing, Err(StoreError::Diverged { sequence: 99, .. })), "{missing:?}");

        // A copy is redacted, too.
        let other = Scratch::new();
        for into in stores(&other) {
            wait(copy_game(&*log, key, &*into)).expect("a copy");
            let report = wait(verify_against(&*into, &Default::default(), |_| {})).expect("a report");
            assert_eq!(report.to_string(), "all is as it was written: games 1, entries 5, 3 entries redacted\n");
        }
        rooms[3].append(&*log);
        rooms[3].ear.wait_for(4);
        wait(log.remove(key, WhyRemoved::Deleted, 5)).expect("a tombstone");
        check(&*log, &kept, "all is as it was written: games 3, entries 11; game b: removed (deleted)");
    }
}

/// Every other link of a redacted game is verified: the entry before, the one after, and the digest itself.
#[test]
fn changes_of_a_redacted_game() {
    let tamper = |sql: &str, expected: &str| {
        let scratch = Scratch::new();
        let log = scratch.open();
        let rooms = fill(&log);
        let entries = vec![(3, b"other bytes".to_vec())];
        wait(log.redact(rooms[0].key, Redaction { entries, ..Redaction::default() })).expect("redacted");
        drop(log);
        Connection::open(scratch.log()).and_then(|file| file.execute_batch(sql)).expect("SQL that runs");
        assert_eq!(verified(&scratch.log()).expect("a report").to_string().trim_end(), expected, "{sql}");
    };
    let at = |sequence| format!("game a: the digest of entry {sequence} does not follow from the log up to it");
    tamper("UPDATE entries SET bytes = x'01' WHERE game = 1 AND sequence = 2", &at(2));
    tamper("UPDATE entries SET bytes = x'01' WHERE game = 1 AND sequence = 4", &at(4));
    tamper("UPDATE entries SET digest = zeroblob(32) WHERE game = 1 AND sequence = 3", &at(4));
    tamper("UPDATE redactions SET sequences = '2'", &at(3));
    tamper("DELETE FROM redactions", &at(3));
    // This is what a redaction no longer proves.
    let sound = "all is as it was written: games 4, entries 15, 1 entries redacted";
    tamper("UPDATE entries SET bytes = x'01' WHERE game = 1 AND sequence = 3", sound);
}

/// Nothing of what was redacted stays in the file.
#[test]
fn bytes_that_are_gone() {
    let scratch = Scratch::new();
    let log = scratch.open();
    let mut room = Room::create(&log, "a");
    let row = room.row(2_000);
    let secret = row.bytes.clone();
    log.append(room.key, row, Vec::new());
    finish(&log, room.key, "won", 1);
    add_client(&log, Room::create(&log, "b").key, 1).expect("all before it is stored");
    let entries = vec![(1, b"other bytes".to_vec())];
    wait(log.redact(room.key, Redaction { entries, ..Redaction::default() })).expect("redacted");
    log.close().expect("a clean end");
    for suffix in ["", "-wal"] {
        let path = crate::support::with_suffix(&scratch.log(), suffix);
        let bytes = std::fs::read(path).unwrap_or_default();
        assert!(!bytes.windows(500).any(|window| window == &secret[100..600]), "{suffix}");
    }
}

/// A reader of a file of an older version finds no removed games.
#[test]
fn older_files() {
    let scratch = Scratch::new();
    let sql = format!("{}/tests/log/released/version-7.sql", env!("CARGO_MANIFEST_DIR"));
    let sql = format!("PRAGMA foreign_keys = OFF; {}", std::fs::read_to_string(sql).expect("a kept log"));
    Connection::open(scratch.log()).and_then(|file| file.execute_batch(&sql)).expect("SQL that runs");
    let reader = wait(open_reader(&scratch.log())).expect("a reader");
    assert_eq!(wait(reader.removed()).expect("a list"), []);
    assert_eq!(wait(reader.first_ended("stones", 9)).expect("a list").len(), 1);
    assert_eq!(wait(reader.count_ended("stones")).expect("a number"), 1);
}
