//! Logs of released versions. `released/make.py` keeps the log of the present version as text.

use std::{
    fs,
    ops::RangeInclusive,
    path::Path,
    process::{Command, Stdio},
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use engine::{Chain, CommId, Header, Parent};
use rusqlite::Connection;
use server::log::{
    Cell, EventLog, LogReader, NewGame, Options, Record, Recovered, Selection, SqliteLog, open_reader, visit,
};

use crate::support::{
    CUPS, Ear, Room, SCENARIO, Scratch, add_client, cup, finish, header, header_with, rows, verified, wait,
};

/// Writes a log. If HOLDFAST_RELEASED names a file, that is the log, which `released/make.py` keeps.
#[test]
fn write() {
    let scratch = Scratch::new();
    let path = std::env::var_os("HOLDFAST_RELEASED").map_or_else(|| scratch.log(), Into::into);
    write_games(&path);
    assert!(verified(&path).expect("a report").is_sound());
}

/// Games of several setups, finished and not, with clients, a fork, and records.
fn write_games(path: &Path) {
    let log = SqliteLog::open(path, Options::default()).expect("a log");
    wait(log.add_tables(&[CUPS])).expect("tables");
    let mut over = Room::create(&log, "over");
    let row = over.row(20);
    log.append(over.key, row.clone(), vec![cup(1)]);
    let fill = Record::update(CUPS, [Cell::Integer(1)], [("Filled", Cell::Time(1_794_823_746_007))]);
    let filled = over.row(20);
    log.append(over.key, filled, vec![fill]);
    add_client(&log, over.key, 1).expect("a client");
    finish(&log, over.key, "won", 5);
    let mut running = Room::create(&log, "running");
    add_client(&log, running.key, 1).expect("a client");
    add_client(&log, running.key, 4).expect("a client");
    (0..3).for_each(|_| running.append(&log));
    let parent = Some(Parent { game: "over".into(), sequence: 1, digest: row.digest });
    let other = Header { parent, ..header_with("other", (9_u8, "a field".to_owned())) };
    log.create(NewGame::new("other", &other, Some("a field".into()), 2_000), Arc::<Ear>::default());
    log.create(NewGame::new("bare", &header_with("bare", CommId(300)), None, 3_000), Arc::<Ear>::default());
    log.close().expect("a clean end");
}

/// The versions whose logs are kept with the games of [`write_games`], as far as a version has them. The log of version 1 has
/// other games: see `files`.
const KEPT: RangeInclusive<i64> = 2..=PRESENT;
const PRESENT: i64 = 8;

/// A log that the store of a version wrote.
fn kept(version: i64) -> Scratch {
    let sql = format!("{}/tests/log/released/version-{version}.sql", env!("CARGO_MANIFEST_DIR"));
    // The tables are in the order of their names, not in that of their references.
    let sql = format!("PRAGMA foreign_keys = OFF; {}", fs::read_to_string(sql).expect("a kept log"));
    let scratch = Scratch::new();
    Connection::open(scratch.log()).and_then(|file| file.execute_batch(&sql)).expect("SQL that runs");
    scratch
}

/// Everything that a reader of a log is told.
fn told(log: &dyn LogReader) -> String {
    let mut text = String::new();
    for record in wait(log.list()).expect("a list") {
        let head = wait(log.head(record.key)).expect("a game");
        assert_eq!((&head.record, wait(log.find(&record.name)).expect("a game")), (&record, Some(head.clone())));
        let (entries, clients) = (wait(log.rows(record.key, 1)), wait(log.clients(record.key)));
        text.push_str(&format!("{head:?} {entries:?} {clients:?}\n"));
    }
    text.push_str(&rows(log, CUPS, None));
    let stats = wait(visit(log, Selection::All, |found| assert!(!matches!(found, Recovered::Damaged { .. }))));
    format!("{text} {stats:?}")
}

/// The headers and scenarios as a person gets them with SQL: by game.
fn in_sql(path: &Path) -> Vec<(String, Vec<u8>, Option<String>)> {
    let table = if number(path, "PRAGMA user_version") < 5 { "games" } else { "whole_games" };
    let file = Connection::open(path).expect("a file");
    let mut statement = file.prepare(&format!("SELECT name, header, scenario FROM {table} ORDER BY id")).expect("SQL");
    let found = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).expect("an answer");
    found.collect::<Result<_, _>>().expect("rows")
}

fn number(path: &Path, sql: &str) -> i64 {
    Connection::open(path).and_then(|file| file.query_row(sql, [], |row| row.get(0))).expect("a number")
}

/// A reader leaves the file as it is. A writer brings it to the present version, every byte can still be read, and the games go
/// on.
#[test]
fn logs_of_all_versions() {
    for version in KEPT {
        let scratch = kept(version);
        let path = &scratch.log();
        let reader = wait(open_reader(path)).expect("a reader");
        let (before, headers) = (told(&*reader), in_sql(path));
        let expected = [
            ("over", header("over").encode(), Some(SCENARIO)),
            ("running", header("running").encode(), Some(SCENARIO)),
            ("bare", header_with("bare", CommId(300)).encode(), None),
        ];
        for (name, header, scenario) in expected {
            let found = headers.iter().find(|(game, ..)| game == name).expect("a game");
            assert_eq!((&found.1, found.2.as_deref()), (&header, scenario), "{version}: {name}");
        }
        let report = verified(path).expect("a report");
        assert!(report.is_sound(), "{version}: {report}");
        assert_eq!(number(path, "PRAGMA user_version"), version, "a reader changes nothing");

        let log = scratch.open();
        assert_eq!(number(path, "PRAGMA user_version"), PRESENT, "{version}");
        assert_eq!((told(&log), told(&*reader)), (before.clone(), before), "{version}: a reader sees no change");
        assert_eq!(in_sql(path), headers, "{version}");
        assert_eq!(number(path, "SELECT count(*) FROM setups"), 3, "{version}: two games have the same");
        assert_eq!(number(path, "SELECT count(*) FROM games WHERE other_scenario IS NOT NULL"), 0, "{version}");
        assert_eq!(number(path, "SELECT count(*) FROM editions"), 1, "{version}: all games have the same");
        assert_eq!(number(path, "SELECT count(*) FROM games WHERE header_end IS NULL"), 0, "{version}");
        assert_eq!(number(path, "SELECT count(*) FROM pragma_foreign_key_check"), 0, "{version}");
        go_on(&log);
        log.close().expect("a clean end");
        let report = verified(path).expect("a report");
        assert!(report.is_sound(), "{version}: {report}");
    }
}

/// Resumes the game that runs with its last digest, appends to it and ends it; then plays a new one.
fn go_on(log: &SqliteLog) {
    let head = wait(log.find("running")).expect("a search").expect("a game");
    let mut running = Room { key: head.record.key, ear: Arc::default(), chain: Chain::new(&head.header) };
    (0..3).for_each(|_| drop(running.row(40)));
    running.resume(log, 4);
    running.append(log);
    assert_eq!(running.ear.wait_for(4).durable, Some(4), "{:?}", running.ear.heard());
    add_client(log, running.key, 9).expect("a client");
    finish(log, running.key, "won", 9);
    let mut new = Room::create(log, "new");
    new.append(log);
    assert_eq!(new.ear.wait_for(1).failed, None);
}

/// The kept log of the present version is what the store writes today.
#[test]
fn the_present_version() {
    let (today, kept) = (Scratch::new(), kept(PRESENT));
    write_games(&today.log());
    let [today, kept] = [today.log(), kept.log()].map(|path| {
        let reader = wait(open_reader(&path)).expect("a reader");
        let schema = "SELECT group_concat(name || ' ' || coalesce(sql, ''), '; ') FROM
                      (SELECT * FROM sqlite_schema ORDER BY name)";
        let file = Connection::open(&path).expect("a file");
        (told(&*reader), file.query_row(schema, [], |row| row.get::<_, String>(0)).expect("the tables"))
    });
    assert_eq!(today, kept);
}

/// A header that cannot be read, and a scenario that is no part of its setup, stay as they are.
#[test]
fn odd_games_of_version_4() {
    let scratch = kept(4);
    let plain = Connection::open(scratch.log()).expect("a file");
    plain
        .execute_batch(
            "UPDATE games SET header = x'ff00' WHERE name = 'over';
             UPDATE games SET scenario = 'another field' WHERE name = 'running';
             UPDATE games SET scenario = '' WHERE name = 'other'",
        )
        .expect("SQL that runs");
    let reader = wait(open_reader(&scratch.log())).expect("a reader");
    let (headers, report) = (in_sql(&scratch.log()), verified(&scratch.log()).expect("a report"));
    let heads = |log: &dyn LogReader| {
        wait(log.list()).expect("a list").iter().map(|game| wait(log.head(game.key))).collect::<Result<Vec<_>, _>>()
    };
    let before = heads(&*reader).expect("heads");
    let log = scratch.open();
    assert_eq!(heads(&log).expect("heads"), before);
    assert_eq!(in_sql(&scratch.log()), headers);
    assert_eq!(verified(&scratch.log()).expect("a report"), report, "the same damage");
}

/// A header that cannot be read, and one that differs from its columns, stay as they are.
#[test]
fn odd_games_of_version_6() {
    let scratch = kept(6);
    let path = &scratch.log();
    let plain = Connection::open(path).expect("a file");
    plain
        .execute_batch(
            "UPDATE games SET header_start = x'ff00' WHERE name = 'over';
             UPDATE games SET header_start = x'01ff', setup = NULL WHERE name = 'bare';
             UPDATE games SET edition = 'other' WHERE name = 'running';
             UPDATE games SET rules_version = 7 WHERE name = 'other'",
        )
        .expect("SQL that runs");
    let (headers, report) = (in_sql(path), verified(path).expect("a report"));
    assert!(!report.is_sound());
    let log = scratch.open();
    assert_eq!(in_sql(path), headers);
    assert_eq!(verified(path).expect("a report"), report, "the same damage");
    assert_eq!(number(path, "SELECT count(*) FROM games WHERE header_end IS NOT NULL"), 0);
    assert_eq!(number(path, "SELECT count(*) FROM editions"), 3);
    drop(log);
}

/// A step that fails changes nothing.
#[test]
fn all_or_nothing() {
    let scratch = kept(4);
    let plain = Connection::open(scratch.log()).expect("a file");
    // The last game cannot be changed.
    let sql = "CREATE TRIGGER no BEFORE UPDATE ON games WHEN OLD.name = 'bare' BEGIN SELECT RAISE(ABORT, 'no'); END";
    plain.execute_batch(sql).expect("SQL that runs");
    let before = in_sql(&scratch.log());
    let failed = SqliteLog::open(&scratch.log(), Options::default()).expect_err("it cannot be changed");
    assert_eq!(failed.to_string(), "bringing the log to the current version: no");
    assert_eq!(in_sql(&scratch.log()), before);
    let version = plain.pragma_query_value(None, "user_version", |row| row.get::<_, i32>(0));
    assert_eq!(version.expect("a version"), 4);
}

/// A game of version 5 whose setup is lost keeps its damage, and a new game with the same setup repairs it.
#[test]
fn a_lost_setup_of_version_5() {
    let scratch = kept(5);
    let path = &scratch.log();
    let plain = Connection::open(path).expect("a file");
    let sql = "PRAGMA foreign_keys = OFF;
               DELETE FROM setups WHERE digest = (SELECT setup FROM games WHERE name = 'over')";
    plain.execute_batch(sql).expect("SQL that runs");
    assert!(!verified(path).expect("a report").is_sound());
    let log = scratch.open();
    let report = verified(path).expect("a report").to_string();
    assert!(report.contains("game over: ") && report.contains("game running: "), "{report}");
    assert_eq!(number(path, "SELECT count(*) FROM games"), 4);
    Room::create(&log, "new").ear.wait_for(0);
    assert!(verified(path).expect("a report").is_sound());
}

const CHILD: &str = "HOLDFAST_TEST_MIGRATES";

/// Not a separate test: the program of the process that `a_killed_migration` kills.
#[test]
fn migrating_child() {
    let Some(path) = std::env::var_os(CHILD) else { return };
    SqliteLog::open(path.as_ref(), Options::default()).expect("a log").close().expect("a clean end");
}

/// A log of version 5 with so many games that its migration takes a while.
fn large_log_of_version_5() -> Scratch {
    let scratch = kept(5);
    let copies = "WITH RECURSIVE copy(number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM copy WHERE number < 4000)";
    let columns = "rulebook, edition, rules_version, seed, created, header_start, players, results, setup";
    let sql = format!(
        "{copies} INSERT INTO games (id, name, ended, outcome, {columns})
         SELECT 10 + number, 'copy ' || number, 5, 'won', {columns} FROM copy, games WHERE name = 'over';
         {copies} INSERT INTO entries (game, sequence, digest, bytes)
         SELECT 10 + number, sequence, digest, bytes FROM copy, entries WHERE game = 1;
         {copies} INSERT INTO tails SELECT 10 + number, entries, digest FROM copy, tails WHERE game = 1;
         PRAGMA journal_mode = WAL"
    );
    Connection::open(scratch.log()).and_then(|file| file.execute_batch(&sql)).expect("SQL that runs");
    scratch
}

/// A migration is killed at moments from its start to its end. The file then has its old version or the present one, as a
/// whole, and the next start goes on.
#[test]
fn a_killed_migration() {
    let original = large_log_of_version_5();
    let content = |path: &Path| {
        let sql = "SELECT sum(length(name) + length(header) + length(coalesce(scenario, '')) + ended) FROM whole_games";
        (number(path, sql), number(path, "SELECT sum(id * sequence + length(bytes)) FROM entries"))
    };
    let expected = content(&original.log());
    let program = std::env::current_exe().expect("this test");
    let migrate = |path: &Path| {
        let mut child = Command::new(&program);
        child.args(["--exact", "released::migrating_child"]).env(CHILD, path);
        child.stdout(Stdio::null()).spawn().expect("a child")
    };
    // How long a migration takes here decides when it is killed.
    let since = Instant::now();
    let whole = Scratch::copy(&original.log());
    assert!(migrate(&whole.log()).wait().expect("it ends").success());
    let time = since.elapsed();
    assert_eq!((number(&whole.log(), "PRAGMA user_version"), content(&whole.log())), (PRESENT, expected));

    let mut found = [0, 0];
    for kill in 0..24 {
        let copy = Scratch::copy(&original.log());
        let mut child = migrate(&copy.log());
        thread::sleep(time.mul_f64(f64::from(kill) / 16.0).min(Duration::from_secs(60)));
        // It may have ended already.
        let _ended = child.kill();
        child.wait().expect("it has ended");
        let version = number(&copy.log(), "PRAGMA user_version");
        assert!(version == 5 || version == PRESENT, "{kill}: version {version}");
        found[usize::from(version == PRESENT)] += 1;
        assert_eq!(content(&copy.log()), expected, "{kill}: version {version}");
        assert_eq!(number(&copy.log(), "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'"), 1);
        go_on(&copy.open());
        assert_eq!(number(&copy.log(), "PRAGMA user_version"), PRESENT, "{kill}");
    }
    assert!(found[0] > 0, "no migration was killed before its end: {found:?}");
}

/// A setup goes with its last game.
#[test]
fn a_setup_without_games() {
    let scratch = Scratch::new();
    let log = scratch.open();
    for name in ["a", "b"] {
        Room::create(&log, name);
    }
    let taken = Room::create(&log, "a");
    let other = NewGame::new("a", &header_with("a", 5_u8), None, 0);
    let refused = Arc::<Ear>::default();
    log.create(other, Arc::<Ear>::clone(&refused));
    log.close().expect("a clean end");
    for ear in [taken.ear, refused] {
        assert_eq!(ear.heard().failed.as_deref(), Some("there is a game a already"));
    }
    let plain = Connection::open(scratch.log()).expect("a file");
    let setups = || plain.query_row("SELECT count(*) FROM setups", [], |row| row.get::<_, i64>(0)).expect("a number");
    assert_eq!(setups(), 1, "one for both games, none for the game that was refused");
    let remove = |game: &str| plain.execute("DELETE FROM games WHERE name = ?1", [game]).expect("SQL that runs");
    remove("a");
    assert_eq!(setups(), 1);
    assert!(plain.execute("DELETE FROM setups", []).is_err(), "a game has it");
    remove("b");
    assert_eq!(setups(), 0);
}

/// A setup that was changed does not spoil a new game: the digest says which bytes are right.
#[test]
fn a_new_game_of_a_changed_setup() {
    let scratch = Scratch::new();
    let log = scratch.open();
    Room::create(&log, "a").ear.wait_for(0);
    let plain = Connection::open(scratch.log()).expect("a file");
    plain.execute("UPDATE setups SET bytes = x'00'", []).expect("SQL that runs");
    assert!(!verified(&scratch.log()).expect("a report").is_sound());
    Room::create(&log, "b").ear.wait_for(0);
    assert!(verified(&scratch.log()).expect("a report").is_sound());
}
