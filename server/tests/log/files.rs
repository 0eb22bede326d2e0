//! Whose files are opened, and by whom.

use std::{fs, sync::Arc};

use rusqlite::Connection;
use server::log::{EventLog, LogReader, MemoryLog, Options, SqliteLog, open_reader};

use crate::support::{Ear, PLAYERS, Room, Scratch, add_client, finish, verified, wait, with_suffix};

/// Opens the file for writing, for reading, and to verify it.
fn check(scratch: &Scratch, writing: &str, reading: &str) {
    fn outcome<T, E: ToString>(result: Result<T, E>, path: &str) -> String {
        result.map_or_else(|error| error.to_string().replace(path, "FILE"), |_| "opened".into())
    }
    let path = scratch.log();
    let text = path.display().to_string();
    assert_eq!(outcome(wait(open_reader(&path)), &text), reading);
    assert_eq!(outcome(verified(&path), &text), reading);
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
    let newer = "FILE has version 4 of the schema; this program knows the versions up to 3";
    check(&with("PRAGMA application_id = 0x486f6c64; PRAGMA user_version = 4"), newer, newer);
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

/// A reader takes the file as it is; a writer brings it to the current version and goes on with it.
#[test]
fn a_log_of_version_1() {
    fn list(file: &dyn LogReader) -> String {
        let words = wait(file.list()).expect("a list").into_iter().map(|game| {
            let end = game.end.map_or_else(|| "open".into(), |end| end.outcome);
            format!("{} {end} {} {:?} {:?}", game.name, game.tail.entries, game.players, game.parent)
        });
        words.collect::<Vec<_>>().join("; ")
    }
    let scratch = Scratch::new();
    let plain = Connection::open(scratch.log()).expect("a file");
    plain.execute_batch(include_str!("released/version-1.sql")).expect("SQL that runs");
    let version = || plain.pragma_query_value(None, "user_version", |row| row.get::<_, i32>(0)).expect("a version");
    let reader = wait(open_reader(&scratch.log())).expect("a reader");
    let before = "over won 1 None None; left open 2 None None; right open 2 None None";
    assert_eq!(list(&*reader), before);
    assert!(verified(&scratch.log()).expect("a report").is_sound());
    assert_eq!(version(), 1, "who reads changes nothing");

    let log = scratch.open();
    assert_eq!(version(), 3);
    assert_eq!(list(&*reader), before, "to somebody who was reading nothing changes");
    let right = wait(reader.find("right")).expect("a search").expect("a game").record.key;
    log.resume(right, 3, Arc::<Ear>::default());
    assert_eq!(add_client(&log, right, 2).map_err(|error| error.to_string()), Ok(()));
    finish(&log, right, "won", 9);
    Room::create(&log, "new").append(&log);
    log.close().expect("a clean end");
    let after = format!("right won 2 {:?} None; new open 1 None None", Some(PLAYERS));
    let reader = wait(open_reader(&scratch.log())).expect("a reader");
    assert_eq!(list(&*reader), format!("over won 1 None None; left open 2 None None; {after}"));
    assert!(verified(&scratch.log()).expect("a report").is_sound());
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
        assert_eq!(wait(log.list()).expect("a list").len(), 1, "{log:?}");
    }
    check(&Scratch::new().open());
    check(&MemoryLog::new());
}

#[test]
fn tables_of_games() {
    const CUPS: &str = "CREATE TABLE IF NOT EXISTS Cups (id INTEGER PRIMARY KEY); INSERT INTO Cups DEFAULT VALUES;";
    let has =
        |log: &SqliteLog, question, about| wait(log.is_recorded(question, about)).map_err(|error| error.to_string());
    let cup = "SELECT EXISTS (SELECT 1 FROM Cups WHERE id = ?1)";
    let plate = "SELECT EXISTS (SELECT 1 FROM Plates WHERE id = ?1)";
    let scratch = Scratch::new();
    let log = scratch.open();
    wait(log.add_tables(&[CUPS])).expect("a table");
    assert_eq!(has(&log, cup, 1), Ok(true));
    log.close().expect("a clean end");

    // A table that is there stays as it is.
    let log = scratch.open();
    wait(log.add_tables(&[CUPS])).expect("the same table");
    assert_eq!([1, 2, 3].map(|id| has(&log, cup, id)), [Ok(true), Ok(true), Ok(false)]);

    // All or none.
    assert!(wait(log.add_tables(&["CREATE TABLE Plates (id INTEGER PRIMARY KEY);", "no SQL"])).is_err());
    assert!(has(&log, plate, 1).is_err_and(|error| error.contains("no such table: Plates")));
    log.close().expect("a clean end");
    assert!(wait(log.add_tables(&[CUPS])).is_err(), "a closed store takes nothing");
}
