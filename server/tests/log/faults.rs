//! Full disks, failing writes, writes that are held back.

use std::sync::Arc;

use engine::Chain;
use server::log::{Acknowledge, EventLog, FaultyLog, LogReader, MemoryLog, Options, SqliteLog, StoreError};

use crate::support::{CUPS, Heard, Room, Scratch, add_client, cup, finish, header, new_game, rows, verified, wait};

/// Checks that acknowledged entries are stored, and that stored entries verify.
fn check_promises(log: &dyn EventLog, rooms: &[Room]) {
    for room in rooms {
        let Heard { durable, .. } = room.ear.heard();
        let Ok(head) = wait(log.head(room.key)) else {
            assert_eq!(durable, None, "game {} was acknowledged", room.key);
            continue;
        };
        assert!(durable <= Some(head.record.tail.entries), "{durable:?} of {head:?}");
        let rows = wait(log.rows(room.key, 1)).expect("entries");
        assert!(rows.iter().map(|row| row.sequence).eq(1..=head.record.tail.entries));
    }
}

/// The disk is full after every possible number of pages, until the store is closed. New games are refused, the others wait, and
/// acknowledged entries stay stored.
#[test]
fn a_full_disk() {
    let mut failures = 0;
    for max_pages in 10..80 {
        let scratch = Scratch::new();
        let options = Options { max_pages: Some(max_pages), ..Options::default() };
        let log = SqliteLog::open(&scratch.log(), options).expect("a log");
        let mut rooms: Vec<Room> = (0..4).map(|number| Room::create(&log, &format!("game {number}"))).collect();
        for round in 0..20 {
            for room in &mut rooms {
                let row = room.row(round * 137 + 300);
                log.append(room.key, row, Vec::new());
            }
        }
        let closed = log.close();
        let failed: Vec<String> = rooms.iter().filter_map(|room| room.ear.heard().failed).collect();
        for error in &failed {
            assert!(error.ends_with("database or disk is full"), "{error}");
        }
        assert!(closed.is_ok() || !failed.is_empty(), "{max_pages} pages: {closed:?}");
        failures += failed.len();
        check_promises(&log, &rooms);
        let report = verified(&scratch.log()).expect("a report");
        assert!(report.is_sound(), "{max_pages} pages: {report}");
    }
    assert!(failures > 100, "only {failures} games found the disk full");
}

/// Another program locks the file for longer than the store waits for it.
#[test]
fn a_fault_that_passes() {
    let scratch = Scratch::new();
    let log = scratch.open();
    let [mut one, mut other] = ["one", "other"].map(|name| Room::create(&log, name));
    one.append(&log);
    one.ear.wait_for(1);
    other.ear.wait_for(0);
    let locking = rusqlite::Connection::open(scratch.log()).expect("the file");
    locking.execute_batch("BEGIN IMMEDIATE").expect("a lock");
    one.append(&log);
    other.append(&log);
    let refused = Room::create(&log, "new").ear.wait_for(0);
    let refused = refused.failed.expect("a new game is refused as soon as the store knows that it cannot write");
    assert_eq!(refused, "the store cannot be written now: beginning to write: database is locked");
    one.append(&log);
    assert_eq!((one.ear.heard().durable, one.ear.heard().failed), (Some(1), None), "the games wait");

    locking.execute_batch("ROLLBACK").expect("the lock is gone");
    assert_eq!(one.ear.wait_for(3).durable, Some(3), "and go on by themselves");
    assert_eq!(other.ear.wait_for(1).durable, Some(1));
    let late = Room::create(&log, "new");
    assert_eq!(late.ear.wait_for(0).durable, Some(0));
    log.close().expect("a clean end");
    assert!(verified(&scratch.log()).expect("a report").is_sound());
}

/// The fault lasts until the store is closed: what was acknowledged is there, and the games can be resumed.
#[test]
fn a_fault_that_does_not_pass() {
    let scratch = Scratch::new();
    let full = Options { max_pages: Some(20), ..Options::default() };
    let log = SqliteLog::open(&scratch.log(), full).expect("a log");
    let [mut large, mut small] = ["large", "small"].map(|name| Room::create(&log, name));
    small.append(&log);
    small.ear.wait_for(1);
    large.ear.wait_for(0);
    let row = large.row(200_000);
    log.append(large.key, row, Vec::new());
    let full = "the store cannot be written now: storing an entry: database or disk is full";
    assert_eq!(log.close().map_err(|error| error.to_string()), Err(full.into()));
    assert_eq!(large.ear.heard().failed.as_deref(), Some("storing an entry: database or disk is full"));

    let log = scratch.open();
    let mut large = Room { chain: Chain::new(&header("large").encode()), ..large };
    large.resume(&log, 1);
    small.resume(&log, 2);
    large.append(&log);
    small.append(&log);
    assert_eq!((large.ear.wait_for(1).durable, small.ear.wait_for(2).durable), (Some(1), Some(2)));
}

/// A game that panics in its acknowledgement does not stop other games.
#[test]
fn a_game_that_panics() {
    struct Panicking;
    impl Acknowledge for Panicking {
        fn durable(&self, through: u64) {
            panic!("on purpose, at {through}");
        }

        fn failed(&self, error: Arc<StoreError>) {
            panic!("on purpose, for {error}");
        }
    }
    let scratch = Scratch::new();
    let log = scratch.open();
    let mut room = Room::create(&log, "a");
    let panicking = log.create(new_game("b"), Arc::new(Panicking));
    log.create(new_game("b"), Arc::new(Panicking));
    room.append(&log);
    let closed = add_client(&log, panicking, 1).and_then(|()| add_client(&log, panicking, 2));
    assert_eq!(closed.map_err(|error| error.to_string()), Err("game 2 is not open for writing".into()));
    assert_eq!(room.ear.wait_for(1).durable, Some(1));
}

/// Fails at every write in turn.
#[test]
fn a_store_that_fails_at_every_write() {
    let scratch = Scratch::new();
    for (inner, name) in [(true, "sqlite"), (false, "memory")] {
        let mut write = 1;
        loop {
            let inner: Arc<dyn EventLog> = if inner {
                let _ = std::fs::remove_file(scratch.log());
                Arc::new(scratch.open())
            } else {
                Arc::new(MemoryLog::new())
            };
            let log = FaultyLog::new(Arc::clone(&inner));
            log.fail_at(write);
            let mut rooms: Vec<Room> = (0..2).map(|number| Room::create(&log, &format!("game {number}"))).collect();
            for room in &mut rooms {
                let _ = add_client(&log, room.key, 1);
                room.append(&log);
                room.append(&log);
                finish(&log, room.key, "won", 1);
            }
            let writes = log.writes();
            log.close().expect("a clean end");
            check_promises(&*inner, &rooms);
            let failed: Vec<_> = rooms.iter().filter_map(|room| room.ear.heard().failed).collect();
            if write > writes {
                assert!(failed.is_empty(), "{name} {failed:?}");
                break;
            }
            assert_eq!(failed, [format!("write {write} fails because a test wants it to")], "{name}");
            write += 1;
        }
        assert_eq!(write, 11);
    }
}

/// An entry and its records are one write.
#[test]
fn a_fault_takes_an_entry_with_its_records() {
    let scratch = Scratch::new();
    for inner in [Arc::new(scratch.open()) as Arc<dyn EventLog>, Arc::new(MemoryLog::new())] {
        let log = FaultyLog::new(inner);
        wait(log.add_tables(&[CUPS])).expect("a table");
        let mut room = Room::create(&log, "a");
        log.fail_at(4);
        for id in 1..=3 {
            let row = room.row(10);
            log.append(room.key, row, vec![cup(id)]);
        }
        log.close().expect("a clean end");
        assert_eq!(wait(log.rows(room.key, 1)).expect("entries").len(), 2, "{log:?}");
        assert_eq!(rows(&log, CUPS, None), "1|game 1|red|-|-|-; 2|game 1|red|-|-|-", "{log:?}");
        assert_eq!(room.ear.heard().failed.as_deref(), Some("write 4 fails because a test wants it to"));
    }
}

#[test]
fn writes_that_are_held_back() {
    let inner = Arc::new(MemoryLog::new());
    let log = FaultyLog::new(Arc::<MemoryLog>::clone(&inner));
    let stored = |room: &Room| wait(inner.rows(room.key, 1)).expect("entries").len();
    let mut room = Room::create(&log, "a");
    log.hold();
    room.append(&log);
    room.append(&log);
    room.append(&log);
    assert_eq!((room.ear.heard().durable, stored(&room)), (Some(0), 0));
    assert!(log.release_one(), "the first entry was held back");
    assert_eq!(stored(&room), 1);
    log.release();
    assert_eq!((room.ear.heard().durable, stored(&room)), (Some(3), 3));
    room.append(&log);
    assert_eq!((room.ear.heard().durable, stored(&room)), (Some(4), 4));
    log.hold();
    room.append(&log);
    log.crash();
    log.release();
    room.append(&log);
    assert_eq!((room.ear.heard().durable, stored(&room)), (Some(4), 4));
}

/// Another program adds, changes or removes the last entry of a game. That game fails with its next entry, and only that one.
#[test]
fn rows_of_another_program() {
    let check = |sql: &str, expected: &str| {
        let scratch = Scratch::new();
        let log = scratch.open();
        let [mut spoilt, mut other] = ["spoilt", "other"].map(|name| Room::create(&log, name));
        for room in [&mut spoilt, &mut other] {
            room.append(&log);
            room.append(&log);
            room.ear.wait_for(2);
        }
        let plain = rusqlite::Connection::open(scratch.log()).expect("the file");
        plain.execute_batch(sql).expect("SQL that runs");
        for room in [&mut spoilt, &mut other] {
            room.append(&log);
        }
        assert_eq!(other.ear.wait_for(3).failed, None, "{sql}");
        assert_eq!(spoilt.ear.wait_for(3).failed.as_deref(), Some(expected), "{sql}");
        log.close().expect("a clean end");
    };
    let diverged = |entry| format!("entry {entry} of game 1 in the store is not the one that was written");
    check("INSERT INTO entries (game, sequence, digest, bytes) VALUES (1, 3, zeroblob(32), x'')", &diverged(3));
    check("UPDATE entries SET digest = zeroblob(32) WHERE game = 1 AND sequence = 2", &diverged(2));
    check("UPDATE entries SET digest = x'00' WHERE game = 1 AND sequence = 2", &diverged(2));
    check("UPDATE entries SET sequence = 9 WHERE game = 1 AND sequence = 2", &diverged(9));
    check("DELETE FROM entries WHERE game = 1 AND sequence = 2", &diverged(2));
    check("DELETE FROM entries WHERE game = 1", &diverged(2));
}

/// A new game does not begin with entries that another program left under its key.
#[test]
fn entries_before_their_game() {
    let scratch = Scratch::new();
    let log = scratch.open();
    let plain = rusqlite::Connection::open(scratch.log()).expect("the file");
    plain
        .execute_batch("INSERT INTO entries (game, sequence, digest, bytes) VALUES (1, 1, zeroblob(32), x'')")
        .expect("SQL that runs");
    let refused = Room::create(&log, "a").ear.wait_for(0).failed;
    assert_eq!(refused.as_deref(), Some("entry 1 of game 1 in the store is not the one that was written"));
    assert_eq!(Room::create(&log, "a").ear.wait_for(0).failed, None, "the next one has another key");
}
