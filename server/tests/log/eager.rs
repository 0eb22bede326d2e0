//! Durability none: entries are acknowledged before they are written.

use server::log::{Durability, EventLog, LogReader, Options, SqliteLog};

use crate::support::{Room, Scratch, verified, wait};

fn open(scratch: &Scratch, max_pages: Option<u32>) -> SqliteLog {
    let options = Options { durability: Durability::None, max_pages };
    SqliteLog::open(&scratch.log(), options).expect("a log")
}

#[test]
fn an_entry_is_acknowledged_when_append_returns_and_whoever_was_told_finds_it() {
    let scratch = Scratch::new();
    let log = open(&scratch, None);
    let mut room = Room::create(&log, "a");
    room.ear.wait_for(0);
    for sequence in 1..=500 {
        room.append(&log);
        assert_eq!(room.ear.heard().durable, Some(sequence), "acknowledged at once");
    }
    assert_eq!(wait(log.rows(room.key, 1)).expect("entries").len(), 500, "what was told can be read");
    room.append(&log);
    assert_eq!(wait(log.head(room.key)).expect("a game").record.tail.entries, 501);
    assert_eq!(room.ear.heard().failed, None);
}

#[test]
fn a_game_that_is_not_stored_yet_waits_for_the_writer() {
    let scratch = Scratch::new();
    let log = open(&scratch, None);
    let mut room = Room::create(&log, "a");
    room.append(&log);
    room.append(&log);
    assert_eq!(room.ear.wait_for(2).durable, Some(2));
    room.append(&log);
    assert_eq!(room.ear.heard().durable, Some(3));
}

#[test]
fn an_entry_that_is_not_the_next_one_is_not_acknowledged() {
    let scratch = Scratch::new();
    let log = open(&scratch, None);
    let mut room = Room::create(&log, "a");
    room.append(&log);
    room.ear.wait_for(1);
    let _lost = room.row(10);
    room.append(&log);
    let heard = room.ear.wait_for(2);
    assert_eq!(heard.failed.as_deref(), Some("the next entry of game 1 is 2, not 3"));
    room.append(&log);
    assert_eq!(room.ear.heard().durable, Some(1), "nothing after the failure");
    room.resume(&log, 2);
    room.ear.wait_for(1);
}

#[test]
fn a_game_may_be_far_ahead_of_the_disk() {
    let scratch = Scratch::new();
    let log = open(&scratch, None);
    let mut room = Room::create(&log, "a");
    room.ear.wait_for(0);
    (0..20_000).for_each(|_| room.append(&log));
    assert_eq!(room.ear.wait_for(20_000).durable, Some(20_000), "the writer has the last word");
    room.append(&log);
    assert_eq!(room.ear.heard().durable, Some(20_001), "and then entries are acknowledged at once again");
}

#[test]
fn a_full_disk_stops_a_game_that_was_told_more() {
    let scratch = Scratch::new();
    let log = open(&scratch, Some(20));
    let mut room = Room::create(&log, "a");
    room.ear.wait_for(0);
    let row = room.row(200_000);
    log.append(room.key, row, Vec::new());
    assert_eq!(room.ear.heard().durable, Some(1));
    assert!(log.close().is_err(), "what was acknowledged is lost");
    assert_eq!(room.ear.heard().failed.as_deref(), Some("storing an entry: database or disk is full"));
    assert_eq!(wait(log.rows(room.key, 1)).expect("entries").len(), 0);
}

#[test]
fn closing_writes_everything_that_was_acknowledged() {
    let scratch = Scratch::new();
    let log = open(&scratch, None);
    let mut room = Room::create(&log, "a");
    room.ear.wait_for(0);
    (0..100).for_each(|_| room.append(&log));
    log.close().expect("a clean end");
    room.append(&log);
    assert_eq!(room.ear.heard().durable, Some(100), "after the end nothing is acknowledged");
    drop(log);
    assert!(verified(&scratch.log()).expect("a report").is_sound());
    assert_eq!(wait(scratch.open().rows(room.key, 1)).expect("entries").len(), 100);
}
