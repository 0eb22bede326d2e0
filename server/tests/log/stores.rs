//! The guarantees of every store, as rows that run with each of them.

use std::collections::BTreeMap;

use server::log::{Cell, Column, EventLog, GameKey, Record, Table};

use crate::support::{CUPS, PAIRS, PLATES, Room, Scratch, add_client, cup, finish, rows, stores, wait};

/// Runs the steps with each store, and compares the acknowledgements and the final content of each game.
fn check(steps: &str, expected: &str) {
    let scratch = Scratch::new();
    for log in stores(&scratch) {
        assert_eq!(play(&*log, steps), expected, "{steps} with {log:?}");
    }
}

fn play(log: &dyn EventLog, steps: &str) -> String {
    let mut rooms: BTreeMap<String, Room> = BTreeMap::new();
    let mut answers = Vec::new();
    for step in steps.split("; ") {
        let words: Vec<&str> = step.split(' ').collect();
        match words[..] {
            ["create", name] => drop(rooms.insert(name.into(), Room::create(log, name))),
            ["create", name, "as", other] => drop(rooms.insert(other.into(), Room::create(log, name))),
            [verb, name, ref rest @ ..] => {
                let room = rooms.get_mut(name).expect("a game that was created");
                match (verb, rest) {
                    ("append", []) => room.append(log),
                    ("append", [sequence]) => {
                        let row = room.row(10);
                        log.append(room.key, server::log::Row { sequence: number(sequence), ..row }, Vec::new());
                    }
                    ("client", [id]) => {
                        if let Err(error) = add_client(log, room.key, number(id) as u32) {
                            answers.push(error.to_string());
                        }
                    }
                    ("finish", [outcome]) => finish(log, room.key, outcome, 9),
                    ("resume", [next]) => room.resume(log, number(next)),
                    _ => panic!("no step: {step}"),
                }
            }
            _ => panic!("no step: {step}"),
        }
    }
    log.close().expect("a store that closes");

    for (name, room) in &rooms {
        let heard = room.ear.heard();
        let mut parts = vec![match heard.durable {
            Some(durable) => format!("{name} heard {durable}"),
            None => format!("{name} heard nothing"),
        }];
        if let Ok(head) = wait(log.head(room.key)) {
            let rows = wait(log.rows(room.key, 1)).expect("entries");
            assert_eq!(rows.len() as u64, head.record.tail.entries, "{name}");
            parts.push(format!("has {}", rows.len()));
            let clients = wait(log.clients(room.key)).expect("clients");
            parts.extend(clients.iter().map(|client| format!("client {}", client.client)));
            parts.extend(head.record.end.map(|end| end.outcome));
        }
        parts.extend(heard.failed);
        answers.push(parts.join(", "));
    }
    answers.join("; ")
}

fn number(word: &str) -> u64 {
    word.parse().expect("a number")
}

#[test]
fn writing() {
    check("create a", "a heard 0, has 0");
    check("create a; append a", "a heard 1, has 1");
    check("create a; append a; append a; append a", "a heard 3, has 3");
    check("create a; create b; append b; append a; append b", "a heard 1, has 1; b heard 2, has 2");
    check("create a; client a 2; client a 1; append a", "a heard 1, has 1, client 1, client 2");
    check("create a; append a; finish a won", "a heard 1, has 1, won");
    check("create a; finish a draw", "a heard 0, has 0, draw");
}

#[test]
fn the_expected_sequence() {
    let refused = |expected, found| format!("the next entry of game 1 is {expected}, not {found}");
    check("create a; append a 1", "a heard 1, has 1");
    check("create a; append a 0", &format!("a heard 0, has 0, {}", refused(1, 0)));
    check("create a; append a 2", &format!("a heard 0, has 0, {}", refused(1, 2)));
    check("create a; append a; append a 1", &format!("a heard 1, has 1, {}", refused(2, 1)));
    check("create a; append a; append a 3", &format!("a heard 1, has 1, {}", refused(2, 3)));
    let most = u64::MAX;
    check(&format!("create a; append a {most}"), &format!("a heard 0, has 0, {}", refused(1, most)));
    // A failed game accepts no more writes, and the others are not affected.
    check(
        "create a; create b; append a 2; append a 1; append b; append b",
        &format!("a heard 0, has 0, {}; b heard 2, has 2", refused(1, 2)),
    );
}

#[test]
fn names_and_clients_once() {
    check("create a; create a as b", "a heard 0, has 0; b heard nothing, there is a game a already");
    check(
        "create a; create a as b; append b; append a",
        "a heard 1, has 1; b heard nothing, there is a game a already",
    );
    check("create a; client a 1; client a 1; append a", "game 1 has a client 1 already; a heard 1, has 1, client 1");
    check("create a; finish a won; client a 1", "game 1 is not open for writing; a heard 0, has 0, won");
    check("create a; finish a won; append a; finish a lost", "a heard 0, has 0, won");
}

#[test]
fn going_on() {
    let refused = |expected, found| format!("the next entry of game 1 is {expected}, not {found}");
    check("create a; append a; resume a 2; append a", "a heard 2, has 2");
    check("create a; append a; resume a 1", &format!("a heard nothing, has 1, {}", refused(2, 1)));
    check("create a; append a; resume a 3", &format!("a heard nothing, has 1, {}", refused(2, 3)));
    check("create a; resume a 0", &format!("a heard nothing, has 0, {}", refused(1, 0)));
    check("create a; finish a won; resume a 1", "a heard nothing, has 0, won, game 1 is not open for writing");
    // Resumes after a failure, from the last durable entry. The client of another game ensures that the failure has been
    // reported.
    let failing = "create a; create b; append a; append a 7; client b 1";
    check(&format!("{failing}; resume a 2; append a 2"), "a heard 2, has 2; b heard 0, has 0, client 1");
}

/// Appends entries with records to one game of each store, and compares the game's end and the content of the tables.
fn check_records(entries: &[&[Record]], heard: &str, cups: &str, pairs: &str) {
    let scratch = Scratch::new();
    for log in stores(&scratch) {
        wait(log.add_tables(&[CUPS, PAIRS])).expect("tables");
        let mut room = Room::create(&*log, "a");
        for records in entries {
            let row = room.row(10);
            log.append(room.key, row, records.to_vec());
        }
        log.close().expect("a store that closes");
        let told = room.ear.heard();
        let stored = wait(log.rows(room.key, 1)).expect("entries").len();
        let found = [stored.to_string()].into_iter().chain(told.failed).collect::<Vec<_>>().join(", ");
        assert_eq!(found, heard, "{entries:?} with {log:?}");
        assert_eq!(rows(&*log, CUPS, None), cups, "{entries:?} with {log:?}");
        assert_eq!(rows(&*log, PAIRS, None), pairs, "{entries:?} with {log:?}");
    }
}

fn text(text: &str) -> Cell {
    Cell::Text(text.into())
}

/// A cup with another value in one column.
fn cup_with(id: i64, column: &'static str, cell: Cell) -> Record {
    let Record::Insert { table, mut values } = cup(id) else { panic!("a new row") };
    values.retain(|(name, _)| *name != column);
    values.push((column, cell));
    Record::Insert { table, values }
}

fn pair(one: i64, other: i64) -> Record {
    Record::insert(PAIRS, [("One", Cell::Integer(one)), ("Other", Cell::Integer(other))])
}

#[test]
fn records() {
    let all = [
        ("Filled", Cell::Time(1_794_823_746_007)),
        ("Size", Cell::Integer(9)),
        ("Label", text("\u{e4}\u{f6}\u{fc}")),
        ("Colour", text("it's blue")),
        ("Game", Cell::ThisGame),
        ("ID", Cell::Integer(i64::MIN)),
    ];
    let whole = format!("{}|game 1|it's blue|\u{e4}\u{f6}\u{fc}|9|at 1794823746007", i64::MIN);
    check_records(&[&[Record::insert(CUPS, all)]], "1", &whole, "");
    let two = "1|game 1|red|-|-|-; 2|game 1|red|-|-|-";
    check_records(&[&[], &[cup(2), cup(1), pair(1, 2)]], "2", two, "1|2|-");
    check_records(&[&[cup(2)], &[cup(1)], &[pair(2, 1)]], "3", two, "2|1|-");

    let fill = |id, size| Record::update(CUPS, [Cell::Integer(id)], [("Size", size), ("Filled", Cell::Time(-1))]);
    check_records(&[&[cup(1), fill(1, Cell::Integer(3))]], "1", "1|game 1|red|-|3|at -1", "");
    check_records(&[&[cup(1), fill(2, Cell::Integer(3))]], "1", "1|game 1|red|-|-|-", "");
    let again = [fill(1, Cell::Integer(3)), fill(1, Cell::Null)];
    check_records(&[&[cup(1)], &again], "2", "1|game 1|red|-|-|at -1", "");
    let note = Record::update(PAIRS, [Cell::Integer(1), Cell::Integer(2)], [("Note", text("set"))]);
    check_records(&[&[cup(1), cup(2), pair(1, 2), pair(2, 1), note]], "1", two, "1|2|set; 2|1|-");
}

/// A record that does not fit fails the game, and nothing of its entry is stored.
#[test]
fn records_that_do_not_fit() {
    let check = |record: Record, error: &str| {
        check_records(&[&[cup(1)], &[cup(2), record.clone()]], &format!("1, {error}"), "1|game 1|red|-|-|-", "");
        check_records(&[&[record]], &format!("0, {error}"), "", "");
    };
    check(Record::insert(PLATES, [("ID", Cell::Integer(1))]), "the store has no table Plates");
    check(cup_with(3, "Price", Cell::Integer(1)), "the table Cups has no column Price");
    check(cup_with(3, "Label", Cell::Integer(1)), "a value of Cups.Label has another type");
    check(cup_with(3, "Size", text("1")), "a value of Cups.Size has another type");
    check(cup_with(3, "Size", Cell::Time(1)), "a value of Cups.Size has another type");
    check(cup_with(3, "Filled", Cell::Integer(1)), "a value of Cups.Filled has another type");
    check(cup_with(3, "ID", Cell::ThisGame), "a value of Cups.ID has another type");
    check(cup_with(3, "Game", Cell::Integer(1)), "a value of Cups.Game has another type");
    check(cup_with(3, "Colour", Cell::Null), "a row of Cups needs a value of Colour");
    check(cup_with(3, "ID", Cell::Null), "a row of Cups needs a value of ID");
    check(cup_with(3, "Colour", text("green")), "Cups.Colour cannot have this value");
    check(cup_with(3, "Label", text("")), "Cups.Label cannot have this value");
    check(cup_with(3, "Label", text("four")), "Cups.Label cannot have this value");
    check(cup_with(3, "Size", Cell::Integer(0)), "Cups.Size cannot have this value");
    check(cup_with(3, "Size", Cell::Integer(10)), "Cups.Size cannot have this value");
    check(cup_with(3, "Game", Cell::Game(GameKey(7))), "a row of Cups refers to one that is not there");
    check(pair(1, 9), "a row of Pairs refers to one that is not there");
    check(pair(1, 1), "Pairs.Other cannot have this value");
    let by = |key: Vec<Cell>, column, cell| Record::update(CUPS, key, [(column, cell)]);
    check(by(vec![Cell::Integer(1)], "Size", text("1")), "a value of Cups.Size has another type");
    check(by(vec![Cell::Integer(1)], "Colour", Cell::Null), "a row of Cups needs a value of Colour");
    check(by(vec![text("1")], "Size", Cell::Integer(1)), "a value of Cups.ID has another type");
    check(by(vec![], "Size", Cell::Integer(1)), "the key of a row of Cups is not the one of the table");
    check(by(vec![Cell::Integer(1)], "ID", Cell::Integer(2)), "the key of a row of Cups is not the one of the table");

    let taken = "1, the table Cups has a row with this key already";
    check_records(&[&[cup(1)], &[cup(2), cup(1)], &[cup(3)]], taken, "1|game 1|red|-|-|-", "");
    let taken = "1, the table Pairs has a row with this key already";
    let two = "1|game 1|red|-|-|-; 2|game 1|red|-|-|-";
    check_records(&[&[cup(1), cup(2)], &[pair(1, 2), cup(3), pair(1, 2)]], taken, two, "");
}

#[test]
fn asking_for_records() {
    let scratch = Scratch::new();
    for log in stores(&scratch) {
        wait(log.add_tables(&[CUPS, PAIRS])).expect("tables");
        let mut rooms = ["a", "b"].map(|name| Room::create(&*log, name));
        for (id, room) in (1..).zip(&mut rooms) {
            let row = room.row(10);
            let records = vec![cup_with(id, "Size", Cell::Integer(5)), cup_with(id + 10, "Filled", Cell::Time(id))];
            log.append(room.key, row, records);
            room.ear.wait_for(1);
        }
        let check = |column, cell, expected: &str| {
            assert_eq!(rows(&*log, CUPS, Some((column, cell))), expected, "{column} {log:?}");
        };
        check("ID", Cell::Integer(1), "1|game 1|red|-|5|-");
        check("ID", Cell::Integer(3), "");
        check("Game", Cell::Game(rooms[1].key), "2|game 2|red|-|5|-; 12|game 2|red|-|-|at 2");
        check("Size", Cell::Integer(5), "1|game 1|red|-|5|-; 2|game 2|red|-|5|-");
        check("Filled", Cell::Time(2), "12|game 2|red|-|-|at 2");
        check("Colour", text("it's blue"), "");
        check("Price", Cell::Integer(1), "the table Cups has no column Price");
        check("ID", text("1"), "a value of Cups.ID has another type");
        assert_eq!(rows(&*log, PLATES, None), "the store has no table Plates", "{log:?}");
    }
}

#[test]
fn tables() {
    const fn table(name: &'static str, columns: &'static [Column], key: &'static [&'static str]) -> Table {
        Table { name, columns, key }
    }
    const OTHER: &Table = &table("cups", &[Column::integer("ID")], &["ID"]);
    const KEYLESS: &Table = &table("Plates", &[Column::integer("ID")], &[]);
    const STRANGE_KEY: &Table = &table("Plates", &[Column::integer("ID")], &["Number"]);
    const STRANGE_RULE: &Table = &table("Plates", &[Column::integer("ID").differs_from("Number")], &["ID"]);
    const DANGLING: &Table = &table("Plates", &[Column::integer("ID").references("Bowls")], &["ID"]);
    const TO_A_PAIR: &Table = &table("Plates", &[Column::integer("ID").references("Pairs")], &["ID"]);
    let scratch = Scratch::new();
    for log in stores(&scratch) {
        let check = |tables: &[&'static Table], expected: &str| {
            let added = wait(log.add_tables(tables)).map_or_else(|error| error.to_string(), |()| "added".into());
            assert_eq!(added, expected, "{tables:?} {log:?}");
        };
        check(&[], "added");
        check(&[PAIRS], "the store has no table Cups");
        check(&[PAIRS, CUPS], "added");
        check(&[CUPS, CUPS], "added");
        check(&[PLATES, OTHER], "the store has another table cups");
        assert_eq!(rows(&*log, PLATES, None), "the store has no table Plates", "all or none");
        check(&[KEYLESS], "the key of a row of Plates is not the one of the table");
        check(&[STRANGE_KEY], "the table Plates has no column Number");
        check(&[STRANGE_RULE], "the table Plates has no column Number");
        check(&[DANGLING], "the store has no table Bowls");
        check(&[TO_A_PAIR], "the key of a row of Pairs is not the one of the table");
        check(&[PLATES], "added");
        assert_eq!(rows(&*log, PLATES, None), "");
        log.close().expect("a clean end");
        check(&[CUPS], "the store is closed");
        check(&[], "added");
    }
}
