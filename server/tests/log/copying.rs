//! Games are copied from store to store, with the same bytes and digests.

use server::log::{Copied, CopyError, EventLog, GameRecord, Heads, LogReader, copy_game, verify_against};

use crate::support::{Room, Scratch, add_client, finish, stores, wait};

fn fill(log: &dyn EventLog) {
    let mut over = Room::create(log, "over");
    over.append(log);
    over.append(log);
    add_client(log, over.key, 3).expect("a client");
    finish(log, over.key, "won", 5);
    let mut running = Room::create(log, "running");
    let row = running.row(9_000);
    log.append(running.key, row, Vec::new());
    running.ear.wait_for(1);
    Room::create(log, "empty").ear.wait_for(0);
}

/// A record without its key, which each store gives by itself.
fn records(log: &dyn LogReader) -> Vec<GameRecord> {
    let records = wait(log.list()).expect("a list");
    records.into_iter().map(|record| GameRecord { key: server::log::GameKey(0), ..record }).collect()
}

#[test]
fn from_every_store_to_every_other() {
    let scratch = Scratch::new();
    for from in stores(&scratch) {
        fill(&*from);
        let heads = Heads::of(&wait(from.list()).expect("a list"), Vec::new());
        let other = Scratch::new();
        for into in stores(&other) {
            // The keys of the two stores differ.
            Room::create(&*into, "another").ear.wait_for(0);
            let games = wait(from.list()).expect("a list");
            let copy = |game: &GameRecord| wait(copy_game(&*from, game.key, &*into)).expect("a copy");
            let entries = |entries| Copied::New { entries };
            let copied: Vec<Copied> = games.iter().map(copy).collect();
            assert_eq!(copied, [entries(2), entries(1), entries(0)], "{from:?} {into:?}");
            let again: Vec<Copied> = games.iter().map(copy).collect();
            assert_eq!(again, [Copied::There; 3]);

            assert_eq!(records(&*into)[1..], records(&*from), "{from:?} {into:?}");
            let report = wait(verify_against(&*into, &heads, |_| {})).expect("a report");
            assert!(report.is_sound(), "{from:?} {into:?}: {report}");
            let key = |log: &dyn LogReader| wait(log.find("over")).expect("a search").expect("the game").record.key;
            let (old, new) = (key(&*from), key(&*into));
            assert_eq!(wait(from.clients(old)).expect("clients"), wait(into.clients(new)).expect("clients"));
            assert_eq!(wait(from.head(old)).expect("a head").header, wait(into.head(new)).expect("a head").header);
        }
    }
}

#[test]
fn a_name_that_is_taken() {
    let scratch = Scratch::new();
    for from in stores(&scratch) {
        let mut room = Room::create(&*from, "a");
        room.append(&*from);
        room.ear.wait_for(1);
        let other = Scratch::new();
        let into = other.open();
        Room::create(&into, "a").ear.wait_for(0);
        let refused = wait(copy_game(&*from, room.key, &into)).expect_err("another game");
        assert!(matches!(refused, CopyError::NameTaken), "{refused}");
    }
}
