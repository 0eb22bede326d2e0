//! Which files can be opened, and by which process.

use std::{fs, sync::Arc};

use rusqlite::Connection;
use server::log::{Cell, EventLog, LogReader, MemoryLog, Options, Record, SqliteLog, Table, open_reader};

use crate::support::{
    CUPS, Ear, PAIRS, PLATES, PLAYERS, Room, Scratch, add_client, cup, finish, results, rows, verified, wait,
    with_suffix,
};

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
    // A lock file that was left behind is not a lock, regardless of its content.
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
    let newer = "FILE has version 9 of the schema; this program knows the versions up to 8";
    check(&with("PRAGMA application_id = 0x486f6c64; PRAGMA user_version = 9"), newer, newer);
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

/// A reader leaves the file unchanged; a writer migrates it to the current version and continues it.
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
    // A test wrote these games, with another name in their headers. Otherwise they are sound.
    let name = |game| format!("game {game}: the column name differs from the header\n");
    let report = ["over", "left", "right"].map(name).concat();
    assert_eq!(verified(&scratch.log()).expect("a report").to_string(), report);
    assert_eq!(version(), 1, "who reads changes nothing");

    let log = scratch.open();
    assert_eq!(version(), 8);
    assert_eq!(list(&*reader), before, "a reader sees no change");
    let right = wait(reader.find("right")).expect("a search").expect("a game").record.key;
    log.resume(right, 3, Arc::<Ear>::default());
    assert_eq!(add_client(&log, right, 2).map_err(|error| error.to_string()), Ok(()));
    finish(&log, right, "won", 9);
    Room::create(&log, "new").append(&log);
    log.close().expect("a clean end");
    let after = format!("right won 2 {:?} None; new open 1 None None", Some(PLAYERS));
    let reader = wait(open_reader(&scratch.log())).expect("a reader");
    assert_eq!(list(&*reader), format!("over won 1 None None; left open 2 None None; {after}"));
    assert_eq!(verified(&scratch.log()).expect("a report").to_string(), report);
}

/// A log has secrets of its players, so only its owner may read it and the files beside it.
#[cfg(unix)]
#[test]
fn files_of_their_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let scratch = Scratch::new();
    let file = |suffix: &str| with_suffix(&scratch.log(), suffix);
    let modes = || {
        let mode = |suffix: &&str| fs::metadata(file(suffix)).ok().map(|about| about.permissions().mode() & 0o777);
        ["", "-wal", "-shm", ".lock"].iter().map(mode).collect::<Vec<_>>()
    };
    let log = scratch.open();
    Room::create(&log, "a").ear.wait_for(0);
    assert_eq!(modes(), [Some(0o600); 4]);
    // A process that was killed leaves its files behind; those of an older program are wider.
    let killed = Scratch::copy(&scratch.log());
    let killed_file = |suffix: &str| with_suffix(&killed.log(), suffix);
    fs::write(killed_file(".lock"), "process 1").expect("a lock file");
    for suffix in ["", "-wal", ".lock"] {
        fs::set_permissions(killed_file(suffix), fs::Permissions::from_mode(0o644)).expect("wider");
    }
    let again = killed.open();
    for suffix in ["", "-wal", "-shm", ".lock"] {
        let mode = fs::metadata(killed_file(suffix)).expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{suffix}");
    }
    drop(again);

    // A file of another program stays as it is, and who reads changes nothing.
    let other = Scratch::new();
    fs::write(other.log(), [b'x'; 5_000]).expect("a file");
    fs::set_permissions(other.log(), fs::Permissions::from_mode(0o644)).expect("wider");
    assert!(SqliteLog::open(&other.log(), Options::default()).is_err());
    assert_eq!(fs::metadata(other.log()).expect("a file").permissions().mode() & 0o777, 0o644);
    fs::set_permissions(scratch.log(), fs::Permissions::from_mode(0o640)).expect("wider");
    drop(wait(open_reader(&scratch.log())).expect("a reader"));
    assert_eq!(modes()[0], Some(0o640));
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

/// An empty file of a released version, made by the migrations up to that version and nothing else.
pub(crate) fn file_of(version: usize) -> Scratch {
    const STEPS: [&str; 8] = [
        include_str!("../../src/log/sqlite/migrations/1.sql"),
        include_str!("../../src/log/sqlite/migrations/2.sql"),
        include_str!("../../src/log/sqlite/migrations/3.sql"),
        include_str!("../../src/log/sqlite/migrations/4.sql"),
        include_str!("../../src/log/sqlite/migrations/5.sql"),
        include_str!("../../src/log/sqlite/migrations/6.sql"),
        include_str!("../../src/log/sqlite/migrations/7.sql"),
        include_str!("../../src/log/sqlite/migrations/8.sql"),
    ];
    let scratch = Scratch::new();
    let file = Connection::open(scratch.log()).expect("a file");
    STEPS[..version].iter().for_each(|step| file.execute_batch(step).expect("SQL that runs"));
    let marks = format!("PRAGMA application_id = 0x486f6c64; PRAGMA user_version = {version}");
    file.execute_batch(&marks).expect("SQL that runs");
    scratch
}

fn record(log: &dyn EventLog, name: &str, records: Vec<Record>) {
    let mut room = Room::create(log, name);
    let row = room.row(10);
    log.append(room.key, row, records);
    assert_eq!(room.ear.wait_for(1).failed, None);
}

/// A rulebook that is added later gets its tables in a file of every version, and the tables of others stay unchanged.
#[test]
fn tables_in_files_of_every_version() {
    let files = (1..=8).map(file_of).chain([Scratch::new()]);
    for (version, scratch) in files.enumerate() {
        let log = scratch.open();
        wait(log.add_tables(&[PLATES])).expect("tables of one rulebook");
        record(&log, "a", vec![Record::insert(PLATES, [("ID", Cell::Integer(7))])]);
        log.close().expect("a clean end");
        drop(log);

        let log = scratch.open();
        wait(log.add_tables(&[PLATES, CUPS, PAIRS])).expect("tables of another");
        record(&log, "b", vec![cup(1)]);
        log.close().expect("a clean end");
        let reader = wait(open_reader(&scratch.log())).expect("a reader");
        assert_eq!(rows(&*reader, PLATES, None), "7", "{version}");
        assert_eq!(rows(&*reader, CUPS, None), "1|game 2|red|-|-|-", "{version}");
        assert_eq!(rows(&*reader, PAIRS, None), "", "{version}");
        assert!(verified(&scratch.log()).expect("a report").is_sound());
    }
}

/// A game that ended before the store had results has none; a writer stores the results of the next game.
#[test]
fn results_in_files_of_every_version() {
    for version in 1..=8 {
        let scratch = file_of(version);
        let header = if version < 5 { "header" } else { "header_start" };
        let (edition, rules, values) = match version {
            ..7 => ("", "rulebook, edition, rules_version", "'stones', 'short', 1"),
            _ => ("INSERT INTO editions VALUES (1, 'stones', 'short', 1, x'');", "rules", "1"),
        };
        let old = format!(
            "{edition} INSERT INTO games (id, name, {rules}, seed, created, ended, outcome, {header})
             VALUES (1, 'old', {values}, 7, 0, 5, 'won', x'00')"
        );
        Connection::open(scratch.log()).and_then(|file| file.execute_batch(&old)).expect("SQL that runs");
        let all = |reader: &dyn LogReader| {
            let games = wait(reader.list()).expect("a list").into_iter();
            games.map(|game| (game.name, game.results)).collect::<Vec<_>>()
        };
        let reader = wait(open_reader(&scratch.log())).expect("a reader");
        assert_eq!(all(&*reader), [("old".into(), None)], "{version}");
        let log = scratch.open();
        let room = Room::create(&log, "new");
        finish(&log, room.key, "won", 9);
        log.close().expect("a clean end");
        let expected = [("old".into(), None), ("new".into(), Some(results()))];
        assert_eq!(all(&log), expected, "{version}");
        let reader = wait(open_reader(&scratch.log())).expect("a reader");
        assert_eq!(all(&*reader), expected, "{version}");
        let json = "SELECT results FROM games WHERE name = 'new'";
        let plain = Connection::open(scratch.log()).expect("a file");
        let json: String = plain.query_row(json, [], |row| row.get(0)).expect("results");
        let expected = r#"[{"client":0,"name":"Ana","points":9223372036854775807,"side":"blue","verdict":"won"},"#;
        assert!(json.starts_with(expected), "{json}");
    }
}

/// A reader reports missing tables, and leaves the file unchanged.
#[test]
fn no_tables_in_files_of_every_version() {
    for version in 1..=7 {
        let scratch = file_of(version);
        let reader = wait(open_reader(&scratch.log())).expect("a reader");
        assert_eq!(rows(&*reader, CUPS, None), "the store has no table Cups", "{version}");
        assert_eq!(wait(reader.list()).expect("a list"), [], "{version}");
    }
}

/// A person who uses SQL finds names, values and rules as they were declared.
#[test]
fn tables_in_sql() {
    let scratch = Scratch::new();
    let log = scratch.open();
    wait(log.add_tables(&[CUPS, PAIRS])).expect("tables");
    let fill = Record::update(CUPS, [Cell::Integer(1)], [("Filled", Cell::Time(1_794_823_746_007))]);
    record(&log, "a", vec![cup(1), fill]);
    let plain = Connection::open(scratch.log()).expect("a file");
    let one = |sql: &str| plain.query_row(sql, [], |row| row.get::<_, String>(0)).expect("a value");
    assert_eq!(one("SELECT Filled FROM Cups"), "2026-11-16 10:09:06.007");
    assert_eq!(
        one("SELECT sql FROM sqlite_schema WHERE name = 'Cups'"),
        r#"CREATE TABLE "Cups" (
    "ID" INTEGER PRIMARY KEY,
    "Game" INTEGER NOT NULL REFERENCES games (id),
    "Colour" TEXT NOT NULL CHECK ("Colour" IN ('red', 'it''s blue')),
    "Label" TEXT CHECK (length("Label") BETWEEN 1 AND 3),
    "Size" INTEGER CHECK ("Size" BETWEEN 1 AND 9),
    "Filled" TEXT
) STRICT"#
    );
    assert_eq!(
        one("SELECT sql FROM sqlite_schema WHERE name = 'Pairs'"),
        r#"CREATE TABLE "Pairs" (
    "One" INTEGER NOT NULL REFERENCES "Cups",
    "Other" INTEGER NOT NULL REFERENCES "Cups" CHECK ("Other" != "One"),
    "Note" TEXT,
    PRIMARY KEY ("One", "Other")
) STRICT, WITHOUT ROWID"#
    );
}

/// Tables that already exist in a file must have the declared columns.
#[test]
fn tables_that_are_there() {
    const GAMES: &Table = &Table { name: "Games", ..*PLATES };
    let check = |sql: &str, table: &'static Table, expected: &str| {
        let scratch = Scratch::new();
        drop(scratch.open());
        Connection::open(scratch.log()).and_then(|file| file.execute_batch(sql)).expect("SQL that runs");
        let added = wait(scratch.open().add_tables(&[table]));
        assert_eq!(added.map_or_else(|error| error.to_string(), |()| "added".into()), expected, "{sql}");
    };
    let columns = "ID INTEGER PRIMARY KEY, Game INTEGER, Colour TEXT, Label TEXT, Size INTEGER";
    check(&format!("CREATE TABLE Cups ({columns}, Filled TEXT, Price INTEGER)"), CUPS, "added");
    check(&format!("CREATE TABLE Cups ({columns})"), CUPS, "the table Cups has no column Filled");
    check("", GAMES, "the store has another table Games");
}
