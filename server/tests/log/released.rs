//! Logs of released versions. `released/make.py` keeps the log of the present version as text.

use std::{path::Path, sync::Arc};

use engine::{CommId, Header, Parent};
use rusqlite::Connection;
use server::log::{
    Cell, EventLog, LogReader, NewGame, Options, Record, Recovered, Selection, SqliteLog, open_reader, visit,
};

use crate::{
    files::file_of,
    support::{CUPS, Ear, Room, Scratch, add_client, cup, finish, header, header_with, rows, verified, wait},
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

/// The same games in a file of version 4, which has whole headers.
fn version_4() -> Scratch {
    let (new, old) = (Scratch::new(), file_of(4));
    write_games(&new.log());
    let file = Connection::open(old.log()).expect("a file");
    file.execute("ATTACH ?1 AS new", [new.log().to_str().expect("a path")]).expect("the new log");
    let sql = "SELECT sql FROM new.sqlite_schema WHERE name = 'Cups'";
    let cups: String = file.query_row(sql, [], |row| row.get(0)).expect("a table");
    let columns = "id, name, rulebook, edition, rules_version, seed, created, ended, outcome, header, scenario, players, \
                   parent, results";
    file.execute_batch(&format!(
        "{cups};
         INSERT INTO main.games ({columns}) SELECT {columns} FROM new.whole_games;
         INSERT INTO main.clients SELECT * FROM new.clients;
         INSERT INTO main.entries SELECT * FROM new.entries;
         INSERT INTO main.tails SELECT * FROM new.tails;
         INSERT INTO main.Cups SELECT * FROM new.Cups"
    ))
    .expect("SQL that runs");
    old
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
fn in_sql(path: &Path, table: &str) -> Vec<(String, Vec<u8>, Option<String>)> {
    let file = Connection::open(path).expect("a file");
    let mut statement = file.prepare(&format!("SELECT name, header, scenario FROM {table} ORDER BY id")).expect("SQL");
    let found = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).expect("an answer");
    found.collect::<Result<_, _>>().expect("rows")
}

/// A reader leaves the file as it is. A writer splits the headers, and every byte can still be read.
#[test]
fn a_log_of_version_4() {
    let scratch = version_4();
    let plain = Connection::open(scratch.log()).expect("a file");
    let number = |sql: &str| plain.query_row(sql, [], |row| row.get::<_, i64>(0)).expect("a number");
    let reader = wait(open_reader(&scratch.log())).expect("a reader");
    let (before, headers) = (told(&*reader), in_sql(&scratch.log(), "games"));
    let expected = [
        ("over", header("over").encode()),
        ("running", header("running").encode()),
        ("bare", header_with("bare", CommId(300)).encode()),
    ];
    for (name, header) in expected {
        let found = headers.iter().find(|(game, ..)| game == name).expect("a game");
        assert_eq!(found.1, header, "{name}");
    }
    assert!(verified(&scratch.log()).expect("a report").is_sound());
    assert_eq!(number("PRAGMA user_version"), 4, "who reads changes nothing");

    let log = scratch.open();
    assert_eq!(number("PRAGMA user_version"), 5);
    assert_eq!((told(&log), told(&*reader)), (before.clone(), before), "a reader sees no change");
    assert_eq!(in_sql(&scratch.log(), "whole_games"), headers);
    assert_eq!(number("SELECT count(*) FROM setups"), 3, "two games have the same");
    assert_eq!(number("SELECT count(*) FROM games WHERE other_scenario IS NOT NULL"), 0);
    assert!(verified(&scratch.log()).expect("a report").is_sound());

    let running = wait(log.find("running")).expect("a search").expect("a game").record.key;
    log.resume(running, 4, Arc::<Ear>::default());
    add_client(&log, running, 9).expect("a client");
    finish(&log, running, "won", 9);
    log.close().expect("a clean end");
    assert!(verified(&scratch.log()).expect("a report").is_sound());
}

/// A header that cannot be read, and a scenario that is no part of its setup, stay as they are.
#[test]
fn odd_games_of_version_4() {
    let scratch = version_4();
    let plain = Connection::open(scratch.log()).expect("a file");
    plain
        .execute_batch(
            "UPDATE games SET header = x'ff00' WHERE name = 'over';
             UPDATE games SET scenario = 'another field' WHERE name = 'running';
             UPDATE games SET scenario = '' WHERE name = 'other'",
        )
        .expect("SQL that runs");
    let reader = wait(open_reader(&scratch.log())).expect("a reader");
    let (headers, report) = (in_sql(&scratch.log(), "games"), verified(&scratch.log()).expect("a report"));
    let heads = |log: &dyn LogReader| {
        wait(log.list()).expect("a list").iter().map(|game| wait(log.head(game.key))).collect::<Result<Vec<_>, _>>()
    };
    let before = heads(&*reader).expect("heads");
    let log = scratch.open();
    assert_eq!(heads(&log).expect("heads"), before);
    assert_eq!(in_sql(&scratch.log(), "whole_games"), headers);
    assert_eq!(verified(&scratch.log()).expect("a report"), report, "the same damage");
}

/// A step that fails changes nothing.
#[test]
fn all_or_nothing() {
    let scratch = version_4();
    let plain = Connection::open(scratch.log()).expect("a file");
    // The last game cannot be changed.
    let sql = "CREATE TRIGGER no BEFORE UPDATE ON games WHEN OLD.name = 'bare' BEGIN SELECT RAISE(ABORT, 'no'); END";
    plain.execute_batch(sql).expect("SQL that runs");
    let before = in_sql(&scratch.log(), "games");
    let failed = SqliteLog::open(&scratch.log(), Options::default()).expect_err("it cannot be changed");
    assert_eq!(failed.to_string(), "bringing the log to the current version: no");
    assert_eq!(in_sql(&scratch.log(), "games"), before);
    let version = plain.pragma_query_value(None, "user_version", |row| row.get::<_, i32>(0));
    assert_eq!(version.expect("a version"), 4);
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
