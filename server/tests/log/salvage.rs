//! Games are copied from a file whose pages were destroyed.

use std::{collections::BTreeMap, fs, path::Path};

use rusqlite::Connection;
use server::log::{EventLog, GameKey, Row, StoredClient, open_reader, salvage};

use crate::support::{CUPS, Room, Scratch, add_client, cup, finish, rows, verified, wait};

const GAMES: i64 = 60;
const ENTRIES: u64 = 20;
const PAGE: usize = 4096;

/// Games one after the other: the entries of one fill about two pages.
fn written() -> Scratch {
    let scratch = Scratch::new();
    let log = scratch.open();
    wait(log.add_tables(&[CUPS])).expect("tables");
    for game in 1..=GAMES {
        let mut room = Room::create(&log, &format!("game {game}"));
        assert_eq!(room.key, GameKey(game));
        add_client(&log, room.key, 1).expect("a client");
        for entry in 1..=ENTRIES {
            let records = if entry == 1 { vec![cup(game)] } else { Vec::new() };
            let row = room.row(300);
            log.append(room.key, row, records);
        }
        if game % 2 == 0 {
            finish(&log, room.key, "won", 5);
        }
        room.ear.wait_for(ENTRIES);
    }
    log.close().expect("a clean end");
    scratch
}

type Game = (String, Vec<u8>, Option<String>, Vec<Row>, Vec<StoredClient>);

/// Everything of every game, by key.
fn games(log: &Path) -> BTreeMap<GameKey, Game> {
    let log = wait(open_reader(log)).expect("a log");
    let read = |key| {
        let head = wait(log.head(key)).expect("a head");
        let (rows, clients) = (wait(log.rows(key, 1)).expect("entries"), wait(log.clients(key)).expect("clients"));
        (format!("{:?}", head.record), head.header, head.scenario, rows, clients)
    };
    wait(log.list()).expect("a list").iter().map(|record| (record.key, read(record.key))).collect()
}

/// The pages of a table or index, without the first page of the file, with the number of their cells.
fn pages(log: &Path, condition: &str) -> Vec<(usize, u64)> {
    let file = Connection::open(log).expect("a file");
    let sql = format!("SELECT pageno, ncell FROM dbstat WHERE pageno > 1 AND {condition} ORDER BY pageno");
    let mut statement = file.prepare(&sql).expect("SQL");
    let found =
        statement.query_map([], |row| Ok((row.get::<_, i64>(0)? as usize, row.get::<_, i64>(1)?.cast_unsigned())));
    found.expect("pages").collect::<Result<_, _>>().expect("pages")
}

/// Numbers that look random.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }
}

struct Left {
    games: u64,
    all: Vec<String>,
}

/// Destroys pages of the kind, salvages the rest and compares it with what was written. Returns what was left behind.
fn check(original: &Scratch, condition: &str, count: usize, seed: u64) -> (Left, u64) {
    let case = format!("{condition} {count} {seed}");
    let damaged = Scratch::copy(&original.log());
    let mut numbers = Numbers(seed);
    let mut candidates = pages(&damaged.log(), condition);
    let mut bytes = fs::read(damaged.log()).expect("a file");
    let mut cells = 0;
    for _ in 0..count.min(candidates.len()) {
        let (page, inside) = candidates.swap_remove(numbers.next() as usize % candidates.len());
        cells += inside;
        let fill = [0, 0xa5, numbers.next() as u8][numbers.next() as usize % 3];
        bytes[(page - 1) * PAGE..page * PAGE].fill(fill);
    }
    fs::write(damaged.log(), &bytes).expect("a file");

    let target = Scratch::new();
    let salvaged = salvage(&damaged.log(), &target.log(), |_, _| {}).unwrap_or_else(|error| panic!("{case}: {error}"));
    assert_eq!(fs::read(damaged.log()).expect("a file"), bytes, "{case}: the damaged file stays as it is");
    let report = verified(&target.log()).expect("a report");
    assert!(report.is_sound(), "{case}: {report}");
    let (before, after) = (games(&original.log()), games(&target.log()));
    assert_eq!((after.len() as u64, report.entries), (salvaged.games, salvaged.entries), "{case}");
    let all: Vec<String> = salvaged.left.iter().map(ToString::to_string).collect();
    for (key, game) in &after {
        let (mut game, mut expected) = (game.clone(), before[key].clone());
        if all.iter().any(|left| left.starts_with(&format!("game game {key} was copied without its clients"))) {
            (game.4, expected.4) = (Vec::new(), Vec::new());
        }
        assert_eq!(game, expected, "{case}");
    }
    let left = before.len() as u64 - salvaged.games;
    assert!(left == 0 || !all.is_empty(), "{case}: {left} games are missing, and nothing says so");
    // The new log goes on.
    Room::create(&target.open(), "new").ear.wait_for(0);
    (Left { games: left, all }, cells)
}

#[test]
fn nothing_is_damaged() {
    let original = written();
    let (left, _) = check(&original, "false", 0, 1);
    assert_eq!((left.games, left.all), (0, vec![]));
}

#[test]
fn entries_that_are_lost() {
    let original = written();
    for (count, seed) in [(1, 1), (1, 2), (3, 3), (8, 4)] {
        let (left, cells) = check(&original, "name = 'entries' AND pagetype = 'leaf'", count, seed);
        // At most the games of which an entry was on one of the pages.
        let most = cells / ENTRIES + 2 * count as u64;
        assert!((1..=most).contains(&left.games), "{seed}: {} of {most}: {:?}", left.games, left.all);
        assert!(left.all.iter().any(|left| left.starts_with("game game ")), "with their names: {:?}", left.all);
        assert!(verified(&original.log()).expect("a report").is_sound(), "the original is another file");
    }
}

/// The index is not needed: the entries are in the table.
#[test]
fn an_index_that_is_lost() {
    let original = written();
    for (count, seed) in [(1, 1), (2, 2), (100, 3)] {
        let (left, _) = check(&original, "name = 'entries_of_game'", count, seed);
        assert_eq!((left.games, left.all), (0, vec![]), "{seed}");
    }
}

#[test]
fn games_and_clients_that_are_lost() {
    let original = written();
    let (left, _) = check(&original, "name = 'games' AND pagetype = 'leaf'", 1, 1);
    assert!(left.games > 0 && left.all.iter().any(|left| left.starts_with("the game with key ")), "{:?}", left.all);
    let (left, _) = check(&original, "name = 'clients'", 1, 1);
    assert_eq!(left.games, 0, "{:?}", left.all);
    assert!(left.all.iter().any(|left| left.contains(" was copied without its clients: ")), "{:?}", left.all);
}

#[test]
fn pages_of_any_kind() {
    let original = written();
    for seed in 0..12 {
        let (left, _) = check(&original, "name NOT LIKE 'sqlite_schema'", 1 + seed as usize % 4, seed);
        assert!(left.games <= GAMES.cast_unsigned(), "{seed}");
    }
}

/// Rows of rulebooks come along, but not those of games that are left behind.
#[test]
fn tables_of_rulebooks() {
    let original = written();
    let reader = wait(open_reader(&original.log())).expect("a reader");
    let all = rows(&*reader, CUPS, None);
    let target = Scratch::new();
    salvage(&original.log(), &target.log(), |_, _| {}).expect("a copy");
    assert_eq!(rows(&*wait(open_reader(&target.log())).expect("a reader"), CUPS, None), all);

    let damaged = Scratch::copy(&original.log());
    let sql = "UPDATE entries SET bytes = x'00' WHERE game = 7 AND sequence = 3";
    Connection::open(damaged.log()).and_then(|file| file.execute_batch(sql)).expect("SQL that runs");
    let target = Scratch::new();
    let salvaged = salvage(&damaged.log(), &target.log(), |_, _| {}).expect("a copy");
    let left: Vec<String> = salvaged.left.iter().map(ToString::to_string).collect();
    assert_eq!(
        left,
        [
            "game game 7: the digest of entry 3 does not follow from the log up to it",
            "table Cups: 1 rows belong to what is left behind",
        ]
    );
    let cups = rows(&*wait(open_reader(&target.log())).expect("a reader"), CUPS, None);
    assert_eq!(cups.matches("; ").count() + 2, all.matches("; ").count() + 1, "{cups}");
}

#[test]
fn files_that_cannot_be_salvaged() {
    let original = written();
    let target = Scratch::new();
    let words = |from: &Path, to: &Path| salvage(from, to, |_, _| {}).map_err(|error| error.to_string()).map(drop);
    let to = target.log();
    fs::write(&to, "notes").expect("a file");
    let there = format!("{}: there is a file already, which stays as it is", to.display());
    assert_eq!(words(&original.log(), &to), Err(there));
    assert_eq!(fs::read_to_string(&to).expect("a file"), "notes");
    fs::remove_file(&to).expect("it was there");

    let mut bytes = fs::read(original.log()).expect("a file");
    bytes[100..PAGE].fill(0xa5);
    let damaged = Scratch::new();
    fs::write(damaged.log(), &bytes).expect("a file");
    let failed = words(&damaged.log(), &to).expect_err("no schema");
    assert!(failed.contains("malformed"), "{failed}");
    let folder = to.parent().expect("a folder");
    assert_eq!(fs::read_dir(folder).expect("a folder").count(), 0, "nothing is left of it");
}
