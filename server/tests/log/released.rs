//! Logs of released versions. `released/make.py` keeps the log of the present version as text.

use std::{path::Path, sync::Arc};

use engine::{CommId, Header, Parent};
use server::log::{Cell, EventLog, NewGame, Options, Record, SqliteLog};

use crate::support::{CUPS, Ear, Room, add_client, cup, finish, header_with, wait};

/// Writes the log that `released/make.py` keeps: games of two setups, finished and not, with clients, a fork, and records.
#[test]
#[ignore = "writes the file that HOLDFAST_RELEASED names"]
fn write() {
    let path = std::env::var("HOLDFAST_RELEASED").expect("the path of the new log");
    let log = SqliteLog::open(Path::new(&path), Options::default()).expect("a log");
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
