//! Whose files are opened, and by whom.

use std::fs;

use rusqlite::Connection;
use server::log::{EventLog, LogFile, MemoryLog, Options, SqliteLog, verify};

use crate::support::{Room, Scratch, add_client, with_suffix};

/// Opens the file for writing, for reading, and to verify it.
fn check(scratch: &Scratch, writing: &str, reading: &str) {
    fn outcome<T, E: ToString>(result: Result<T, E>, path: &str) -> String {
        result.map_or_else(|error| error.to_string().replace(path, "FILE"), |_| "opened".into())
    }
    let path = scratch.log();
    let text = path.display().to_string();
    assert_eq!(outcome(LogFile::open(&path), &text), reading);
    assert_eq!(outcome(verify(&path, |_| {}), &text), reading);
    assert_eq!(outcome(SqliteLog::open(&path, Options::default()), &text), writing);
}

#[test]
fn one_writer() {
    let scratch = Scratch::new();
    let first = scratch.open();
    check(&scratch, &format!("FILE is being written by process {}", std::process::id()), "opened");
    first.close().expect("a clean end");
    check(&scratch, "opened", "opened");
    // A lock file that was left behind, whatever it says, is no lock.
    fs::write(with_suffix(&scratch.log(), ".lock"), "process 1").expect("a lock file");
    check(&scratch, "opened", "opened");
}

#[test]
fn files_of_others() {
    let is_no_log = "FILE is no log: its application id is 0x0";
    let with = |sql: &str| {
        let scratch = Scratch::new();
        Connection::open(scratch.log()).and_then(|file| file.execute_batch(sql)).expect("a file");
        scratch
    };
    check(&with("CREATE TABLE a (b)"), is_no_log, is_no_log);
    check(&with("PRAGMA user_version = 1"), is_no_log, is_no_log);
    check(
        &with("PRAGMA application_id = 291"),
        "FILE is no log: its application id is 0x123",
        "FILE is no log: its application id is 0x123",
    );
    let newer = "FILE has version 2 of the schema; this program knows the versions up to 1";
    check(&with("PRAGMA application_id = 0x486f6c64; PRAGMA user_version = 2"), newer, newer);
    let foreign = "FILE is no log: its application id is 0x486f6c64";
    check(&with("PRAGMA application_id = 0x486f6c64"), foreign, foreign);

    let written = |bytes: &[u8]| {
        let scratch = Scratch::new();
        fs::write(scratch.log(), bytes).expect("a file");
        scratch
    };
    check(&written(b""), "opened", "FILE is empty: nothing was stored in it");
    let not_a_database = "reading the version of the log: file is not a database";
    check(&written(&[b'x'; 5_000]), not_a_database, not_a_database);

    let nowhere = Scratch::new();
    let absent = "opening the log for reading: unable to open database file: FILE";
    check(&nowhere, "opened", absent);
}

#[test]
fn after_the_end() {
    fn check(log: &dyn EventLog) {
        let mut room = Room::create(log, "a");
        log.close().expect("a clean end");
        log.close().expect("once more");
        room.append(log);
        let answer = add_client(log, room.key, 1).map_err(|error| error.to_string());
        assert!(answer.is_err(), "{log:?}");
        let late = Room::create(log, "b");
        assert_eq!(late.ear.heard().failed.as_deref(), Some("the store is closed"), "{log:?}");
        room.resume(log, 1);
        assert_eq!(room.ear.heard().failed.as_deref(), Some("the store is closed"), "{log:?}");
        assert_eq!(log.list().expect("a list").len(), 1, "{log:?}");
    }
    check(&Scratch::new().open());
    check(&MemoryLog::new());
}
