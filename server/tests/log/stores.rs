//! What every store promises, in rows that each of them runs.

use std::{collections::BTreeMap, sync::Arc};

use server::log::{EventLog, FaultyLog, MemoryLog};

use crate::support::{Room, Scratch, add_client, finish, wait};

/// Plays the steps with each store and compares what each game heard and has in the end.
fn check(steps: &str, expected: &str) {
    let scratch = Scratch::new();
    let stores: [Arc<dyn EventLog>; 3] =
        [Arc::new(scratch.open()), Arc::new(MemoryLog::new()), Arc::new(FaultyLog::new(Arc::new(MemoryLog::new())))];
    for log in stores {
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
    check("create a; finish a nobody", "a heard 0, has 0, nobody");
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
    // A game that failed takes nothing more, and the others do not notice.
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
    // After a failure, with what is durable; the client of another game makes sure that the failure has been told.
    let failing = "create a; create b; append a; append a 7; client b 1";
    check(&format!("{failing}; resume a 2; append a 2"), "a heard 2, has 2; b heard 0, has 0, client 1");
}
