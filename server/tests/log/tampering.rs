//! Changes in a log are detected.

use engine::Header;
use rusqlite::Connection;
use server::log::{EventLog, Recovered, Selection, open_reader, verify, visit};

use crate::support::{Room, Scratch, header, wait};

/// Writes two games with three entries each, interleaved: rows 1, 3 and 5 belong to the first.
fn written() -> Scratch {
    let scratch = Scratch::new();
    let log = scratch.open();
    let mut rooms = ["a", "b"].map(|name| Room::create(&log, name));
    for _ in 0..3 {
        rooms.iter_mut().for_each(|room| room.append(&log));
    }
    log.close().expect("a clean end");
    scratch
}

fn check(sql: &str, expected: &str) {
    let scratch = written();
    Connection::open(scratch.log()).and_then(|file| file.execute_batch(sql)).expect("SQL that runs");
    let mut last = None;
    let file = wait(open_reader(&scratch.log())).expect("a file");
    let found = match wait(verify(&*file, |progress| last = Some(progress))) {
        Ok(report) => report.to_string(),
        Err(error) => error.to_string(),
    };
    assert_eq!(found.trim_end().replace('\n', "; "), expected, "{sql}");

    // A recovery visits only verified entries, and reports where it cannot continue.
    let mut entries = [0; 3];
    let mut damaged = [false; 3];
    let stats = wait(visit(&*file, Selection::Unfinished, |found| match found {
        Recovered::Entry { game, sequence, .. } => {
            let place = game.0 as usize;
            assert!(!damaged[place], "{sql}: an entry after the damage");
            entries[place] += 1;
            assert_eq!(sequence, entries[place], "{sql}");
        }
        Recovered::Damaged { game, .. } => damaged[game.0 as usize] = true,
        Recovered::Game { .. } | Recovered::Client { .. } => {}
    }));
    let stats = stats.expect("a recovery");
    for (key, name) in [(1, "a"), (2, "b")] {
        let reported = expected.contains(&format!("game {name}:"));
        let visited = damaged[key] || entries[key] == 3 || stats.games < 2;
        assert!(visited && damaged[key] == reported, "{sql}: {entries:?} {damaged:?}");
    }
}

#[test]
fn entries() {
    let digest = |sequence| format!("game a: the digest of entry {sequence} does not follow from the log up to it");
    check("", "all is as it was written: games 2, entries 6");
    check("UPDATE entries SET bytes = x'00' WHERE id = 1", &digest(1));
    check("UPDATE entries SET bytes = CAST(bytes || x'00' AS BLOB) WHERE id = 3", &digest(2));
    check("UPDATE entries SET bytes = x'' WHERE id = 5", &digest(3));
    check("UPDATE entries SET digest = zeroblob(32) WHERE id = 3", &digest(2));
    check("UPDATE entries SET digest = x'07' WHERE id = 3", &digest(2));
    check(
        "UPDATE entries SET (bytes, digest) = (SELECT bytes, digest FROM entries WHERE id = 5) WHERE id = 3",
        &digest(2),
    );
    check(
        "UPDATE entries SET sequence = sequence + 10 WHERE game = 1;
         UPDATE entries SET sequence = 15 - sequence WHERE id IN (3, 5);
         UPDATE entries SET sequence = 1 WHERE id = 1",
        "game a: entry 3 stands where entry 2 is expected",
    );
    check(
        "UPDATE entries SET sequence = -1 WHERE id = 1",
        &format!("game a: entry {} stands where entry 1 is expected", u64::MAX),
    );
}

#[test]
fn missing_and_moved_rows() {
    let order = |found, expected| format!("game a: entry {found} stands where entry {expected} is expected");
    check("DELETE FROM entries WHERE id = 1", &format!("row 1 of the entries is missing; {}", order(2, 1)));
    check("DELETE FROM entries WHERE id = 3", &format!("row 3 of the entries is missing; {}", order(3, 2)));
    check(
        "DELETE FROM entries WHERE id IN (3, 4)",
        "rows 3 to 4 of the entries are missing; game a: entry 3 stands where entry 2 is expected; \
         game b: entry 3 stands where entry 2 is expected",
    );
    check(
        "UPDATE entries SET id = 99 WHERE id = 3; UPDATE entries SET id = 3 WHERE id = 5;
         UPDATE entries SET id = 5 WHERE id = 99",
        &order(3, 2),
    );
    check(
        "UPDATE entries SET game = 7 WHERE id = 5",
        "row 5 of the entries is of game 7, which is not there; game a: 3 entries were written, 2 are there",
    );
}

#[test]
fn a_cut_tail() {
    check("DELETE FROM entries WHERE id = 6", "game b: 3 entries were written, 2 are there");
    check(
        "DELETE FROM entries WHERE id >= 5",
        "game a: 3 entries were written, 2 are there; game b: 3 entries were written, 2 are there",
    );
    check(
        "DELETE FROM entries",
        "game a: 3 entries were written, 0 are there; game b: 3 entries were written, 0 are there",
    );
    check("UPDATE tails SET entries = 4 WHERE game = 1", "game a: 4 entries were written, 3 are there");
    check("UPDATE tails SET entries = 2 WHERE game = 1", "game a: 2 entries were written, 3 are there");
    check(
        "UPDATE tails SET entries = -1 WHERE game = 1",
        &format!("game a: {} entries were written, 3 are there", u64::MAX),
    );
    check(
        "UPDATE tails SET digest = zeroblob(32) WHERE game = 1",
        "game a: the digest of the whole log is not the one that was stored",
    );
    check("DELETE FROM tails WHERE game = 1", "game a: 0 entries were written, 1 are there");
    check(
        "DELETE FROM entries WHERE id = 6; UPDATE tails SET entries = 2 WHERE game = 2",
        "game b: the digest of the whole log is not the one that was stored",
    );
}

#[test]
fn headers() {
    let column = |name| format!("game a: the column {name} differs from the header");
    let edition = "INSERT INTO editions SELECT 2, 'x', edition, rules_version, bytes FROM editions;";
    check(&format!("{edition} UPDATE games SET rules = 2 WHERE id = 1"), &column("rulebook"));
    check("UPDATE games SET seed = 8 WHERE id = 1", &column("seed"));
    check("UPDATE games SET parent = 'b' WHERE id = 1", &column("parent"));
    check("UPDATE games SET other_scenario = 'another field' WHERE id = 1", &column("scenario"));
    check(
        "UPDATE games SET scenario_start = NULL, scenario_length = NULL WHERE id = 1",
        "all is as it was written: games 2, entries 6",
    );
    check(
        "UPDATE games SET header_end = CAST(header_end || x'00' AS BLOB) WHERE id = 1",
        "game a: the digest of entry 1 does not follow from the log up to it",
    );
    check(
        "UPDATE games SET header_start = x'ff' WHERE id = 1",
        "game a: the header cannot be read: in format 895, and this program reads format 1",
    );
    check(
        "UPDATE games SET header_start = x'ff', header_end = NULL, setup = NULL WHERE id = 1",
        "game a: the header cannot be read: not in the format of the log: Hit the end of buffer, expected more data",
    );
}

/// An edition belongs to all games that have it.
#[test]
fn editions() {
    let both = |damage: &str| format!("game a: {damage}; game b: {damage}");
    for column in ["rulebook", "edition"] {
        let differs = format!("the column {column} differs from the header");
        check(&format!("UPDATE editions SET {column} = 'x'"), &both(&differs));
    }
    check("UPDATE editions SET rules_version = 2", &both("the column rules_version differs from the header"));
    let changed = "UPDATE editions SET bytes = CAST(replace(bytes, 'stones', 'stares') AS BLOB)";
    check(changed, &both("the column rulebook differs from the header"));
    check(
        &format!("{changed}, rulebook = 'stares'"),
        &both("the digest of entry 1 does not follow from the log up to it"),
    );
    let unreadable =
        "the header cannot be read: not in the format of the log: Hit the end of buffer, expected more data";
    check("UPDATE editions SET bytes = x'ff'", &both(unreadable));
    check("PRAGMA foreign_keys = OFF; DELETE FROM editions", &both(unreadable));
}

/// An edition that was changed does not spoil a new game: the columns say which bytes are right.
#[test]
fn a_new_game_of_a_changed_edition() {
    let scratch = written();
    let plain = Connection::open(scratch.log()).expect("a file");
    plain.execute("UPDATE editions SET bytes = x'00'", []).expect("SQL that runs");
    let report = || wait(verify(&*wait(open_reader(&scratch.log())).expect("a file"), |_| {})).expect("a report");
    assert!(!report().is_sound());
    Room::create(&scratch.open(), "c").ear.wait_for(0);
    assert!(report().is_sound(), "{}", report());
}

/// A setup belongs to all games that have it.
#[test]
fn setups() {
    let setup = header("a").encode();
    let (_, setup) = Header::split(&setup).expect("a header");
    let setup = blake3::hash(setup);
    let digests = "game a: the digest of entry 1 does not follow from the log up to it; \
                   game b: the digest of entry 1 does not follow from the log up to it";
    check(
        "UPDATE setups SET bytes = CAST(bytes || x'00' AS BLOB)",
        &format!("the setup {setup} was changed; {digests}"),
    );
    check(
        "PRAGMA foreign_keys = OFF; DELETE FROM setups",
        &format!("the setup of game 1 is missing; the setup of game 2 is missing; {digests}"),
    );
    let none = blake3::hash(b"");
    check(
        &format!("INSERT INTO setups (digest, bytes) VALUES (x'{none}', x'')"),
        &format!("no game has the setup {none}"),
    );
}
