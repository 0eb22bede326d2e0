//! The ends of games, kept elsewhere, tell a log that was rewritten.

use std::sync::Arc;

use server::log::{EventLog, Heads, LogReader, MemoryLog, verify_against};

use crate::support::{Room, Scratch, stores, wait};

/// Games with this many entries each, of which the bodies have this size.
fn written(log: &dyn EventLog, games: &[(&str, u64, usize)]) -> Vec<Room> {
    let room = |(name, entries, size): &(&str, u64, usize)| {
        let mut room = Room::create(log, name);
        for _ in 0..*entries {
            let row = room.row(*size);
            log.append(room.key, row, Vec::new());
        }
        room.ear.wait_for(*entries);
        room
    };
    games.iter().map(room).collect()
}

pub(crate) fn heads(log: &dyn LogReader) -> Heads {
    let removed = wait(log.removed()).expect("a list");
    let text = Heads::of(&wait(log.list()).expect("a list"), removed).to_string();
    text.parse().expect("what was printed")
}

pub(crate) fn check(log: &dyn LogReader, kept: &Heads, expected: &str) {
    let report = wait(verify_against(log, kept, |_| {})).expect("a report");
    let found = report.to_string();
    assert_eq!(found.trim_end().replace('\n', "; "), expected, "{log:?}");
    assert_eq!(report.is_sound(), expected.starts_with("all is as it was written"));
}

#[test]
fn games_that_grow() {
    let scratch = Scratch::new();
    for log in stores(&scratch) {
        let mut rooms = written(&*log, &[("a", 0, 9), ("b", 2, 9)]);
        let kept = heads(&*log);
        check(&*log, &kept, "all is as it was written: games 2, entries 2");
        rooms.iter_mut().for_each(|room| room.append(&*log));
        rooms.extend(written(&*log, &[("c", 1, 9)]));
        rooms[1].ear.wait_for(3);
        check(&*log, &kept, "all is as it was written: games 3, entries 5");
    }
}

/// Each of these logs is sound as such.
#[test]
fn logs_that_were_rewritten() {
    let log = MemoryLog::new();
    written(&log, &[("a", 0, 9), ("b", 2, 9), ("c", 3, 9)]);
    let kept = heads(&log);
    let check = |games: &[(&str, u64, usize)], expected: &str| {
        let scratch = Scratch::new();
        for log in stores(&scratch) {
            written(&*log, games);
            check(&*log, &kept, expected);
        }
    };
    check(&[("a", 0, 9), ("b", 2, 9), ("c", 3, 9)], "all is as it was written: games 3, entries 5");
    check(&[("c", 3, 9), ("a", 0, 9), ("b", 2, 9)], "all is as it was written: games 3, entries 5");
    check(&[("a", 1, 9), ("c", 4, 9)], "game b: it was there and is missing");
    check(&[("a", 0, 9), ("b", 1, 9), ("c", 3, 9)], "game b: it had 2 entries and has 1");
    check(&[("a", 0, 9), ("b", 2, 8), ("c", 3, 9)], "game b: its log up to entry 2 is not the one that it had");
    check(
        &[("b", 5, 8), ("d", 0, 9)],
        "game a: it was there and is missing; game b: its log up to entry 2 is not the one that it had; \
         game c: it was there and is missing",
    );
}

#[test]
fn another_header() {
    let log = MemoryLog::new();
    written(&log, &[("a", 0, 9)]);
    let kept = heads(&log);
    let other = MemoryLog::new();
    let header = crate::support::header_with("a", "another field".to_owned());
    let game = server::log::NewGame::new("a", &header, None, 0);
    other.create(game, Arc::<crate::support::Ear>::default());
    check(&other, &kept, "game a: its header is not the one that it had");
}
