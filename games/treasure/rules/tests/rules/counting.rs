//! The cost of a field in 2017, where players count down themselves, and the last update.

use engine::Rulebook;
use treasure_rules::{Command, Game, Player, Position, Reason};

use crate::table::{ANA, BO, GOOD_2017, Table};

/// Two mountains beside the fort, and water below the second field of the next row.
const ROUGH: [&str; 4] = ["FMMGGGGG", "GWGWGWGG", "GGGGGGGM", "GWGGGGGG"];

const RIGHT: (i32, i32) = (1, 0);
const DOWN: (i32, i32) = (0, 1);
const UP: (i32, i32) = (0, -1);
const LEFT: (i32, i32) = (-1, 0);
const STAY: (i32, i32) = (0, 0);

/// Ana is in the upper left corner, and her treasure is far away.
fn quiet(game: &Game) -> bool {
    let far = game.treasure(Player::First).is_some_and(|at| at.x > 5 && at.y < 4);
    far && game.private(Player::First).and_then(|private| private.fort) == Some(Position::new(0, 0))
}

fn table() -> Table {
    Table::with("2017", [&ROUGH, &GOOD_2017], quiet)
}

/// Sends updates of Ana, each with a direction and a count. Checks her position after them, or the outcome.
#[track_caller]
fn check(updates: &[((i32, i32), i32)], expected: &str) {
    let mut table = table();
    for (wanted, turns) in updates {
        assert_eq!(table.game.outcome(), None, "every update but the last is good");
        table.updates(ANA, *wanted, *turns);
    }
    let came = match table.game.outcome() {
        Some(outcome) => outcome.to_string(),
        None => table.view(ANA).position().expect("she has an avatar").to_string(),
    };
    assert_eq!(came.trim_start_matches("the second player wins: the first player "), expected);
}

#[test]
fn counts() {
    check(&[(DOWN, 2)], "(0, 0)");
    check(&[(DOWN, 2), (DOWN, 1)], "(0, 0)");
    check(&[(DOWN, 2), (DOWN, 1), (DOWN, 0)], "(0, 1)");
    check(&[(RIGHT, 3), (RIGHT, 2), (RIGHT, 1), (RIGHT, 0)], "(1, 0)");
    let mountain = [(RIGHT, 3), (RIGHT, 2), (RIGHT, 1), (RIGHT, 0)];
    let mountains = [(RIGHT, 4), (RIGHT, 3), (RIGHT, 2), (RIGHT, 1), (RIGHT, 0)];
    check(&[&mountain[..], &mountains[..4]].concat(), "(1, 0)");
    check(&[&mountain[..], &mountains].concat(), "(2, 0)");
    check(&[&mountain[..], &mountains, &mountain].concat(), "(3, 0)");
    check(&[&mountain[..], &[(LEFT, 3), (LEFT, 2), (LEFT, 1), (LEFT, 0)]].concat(), "(0, 0)");
}

#[test]
fn wrong_counts_lose() {
    for first in [-1, 0, 1, 3, 4, i32::MAX, i32::MIN] {
        check(&[(DOWN, first)], "counted wrongly");
    }
    for first in [2, 4] {
        check(&[(RIGHT, first)], "counted wrongly");
    }
    for second in [0, 2, 3] {
        check(&[(DOWN, 2), (DOWN, second)], "counted wrongly");
    }
    check(&[(DOWN, 2), (DOWN, 1), (DOWN, 1)], "counted wrongly");
    let mut table = table();
    let said = table.updates(ANA, DOWN, 3);
    assert!(said.starts_with("Ana 1; failed WrongCount: The count is 3; it must be 2 here.; over"), "{said}");
}

#[test]
fn another_field_starts_anew() {
    check(&[(DOWN, 2), (RIGHT, 3), (DOWN, 2), (DOWN, 1), (DOWN, 0)], "(0, 1)");
    check(&[(DOWN, 2), (RIGHT, 3), (DOWN, 1)], "counted wrongly");
    check(&[(DOWN, 2), (DOWN, 1), (RIGHT, 0)], "counted wrongly");
}

/// A wait may have any count, and the next step starts counting again.
#[test]
fn waiting() {
    check(&[(STAY, 0), (STAY, 7), (STAY, -3)], "(0, 0)");
    check(&[(DOWN, 2), (STAY, 1), (DOWN, 2), (DOWN, 1), (DOWN, 0)], "(0, 1)");
    check(&[(DOWN, 2), (STAY, 1), (DOWN, 1)], "counted wrongly");
    let mut table = table();
    assert_eq!(table.updates(ANA, STAY, 0), "Ana 1; waits");
}

#[test]
fn where_it_is_and_where_it_goes() {
    for (dx, dy) in [(1, 1), (2, 0), (0, -2), (i32::MAX, 0), (-1, 1)] {
        check(&[((dx, dy), 2)], "wanted to go to a field that is not next to its own");
    }
    let at = |x, y| Command::Update { x, y, wanted_x: 0, wanted_y: 1, turns: 2 };
    for (x, y) in [(1, 0), (0, 1), (-1, 0), (i32::MIN, i32::MAX)] {
        let mut table = table();
        let said = table.does(ANA, at(x, y));
        let wrong = format!("Ana 1; failed WrongPosition: You are at (0, 0), not at ({x}, {y}).; ");
        assert!(said.starts_with(&wrong), "{said}");
        assert!(table.view(BO).has_won());
    }
    assert_eq!(table().does(ANA, at(0, 0)), "Ana 1; 2 left");
}

/// A step into water costs as much as one to grass, and so does a step off the map. Both lose when the count is 0.
#[test]
fn water_and_the_edge_lose_at_0() {
    let to_mountain = [(RIGHT, 3), (RIGHT, 2), (RIGHT, 1), (RIGHT, 0)];
    let into_water = [(DOWN, 3), (DOWN, 2), (DOWN, 1), (DOWN, 0)];
    check(&[&to_mountain[..], &into_water[..3]].concat(), "(1, 0)");
    check(&[&to_mountain[..], &into_water].concat(), "went into water");
    check(&[(UP, 2), (UP, 1)], "(0, 0)");
    check(&[(UP, 2), (UP, 1), (UP, 0)], "left the map");
    check(&[(LEFT, 2), (LEFT, 1), (LEFT, 0)], "left the map");
    check(&[(LEFT, 2), (DOWN, 2), (DOWN, 1), (DOWN, 0)], "(0, 1)");

    let mut table = table();
    for (wanted, turns) in [&to_mountain[..], &into_water].concat() {
        table.updates(ANA, wanted, turns);
    }
    assert_eq!(table.view(ANA).position(), Some(Position::new(1, 1)), "it is in the water");
    assert_eq!(table.game.public().position(Player::First), Some(Position::new(1, 1)));
    assert!(table.outbox.events().all(|(_, event)| event.problem().is_none()), "the answer is an update's");
}

#[test]
fn the_last_update() {
    let mut table = Table::charted("2017", 1);
    while table.game.public().actions() < 199 {
        table.idles();
        assert_eq!(table.game.outcome(), None);
    }
    assert_eq!(table.idles(), "Bo 200; over: nobody wins: had no action left");
    assert!(table.view(ANA).has_lost() && table.view(BO).has_lost());
}

/// The content of the last update is ignored.
#[test]
fn the_last_update_does_nothing() {
    for update in [(RIGHT, 0), (DOWN, 0), (DOWN, 77), ((5, 5), 0)] {
        let mut table = Table::charted("2017", 1);
        while table.game.public().actions() < 195 {
            table.idles();
        }
        table.updates(BO, DOWN, 2);
        table.updates(BO, DOWN, 1);
        assert_eq!(table.game.public().actions(), 198);
        let before = table.view(BO).position();
        assert_eq!(table.updates(BO, update.0, update.1), "Bo 200; over: nobody wins: had no action left");
        assert_eq!(table.game.outcome().map(|outcome| outcome.reason()), Some(Reason::ActionLimit));
        assert_eq!(table.view(BO).position(), before);
    }
}

/// Each update has its number, and its direction if the avatar has moved. The database records need both.
#[test]
fn what_the_log_says() {
    let mut table = table();
    assert_eq!(table.updates(ANA, DOWN, 2), "Ana 1; 2 left");
    assert_eq!(table.updates(ANA, DOWN, 1), "Ana 3; 1 left");
    assert_eq!(table.updates(ANA, DOWN, 0), "Ana 5 down; there");
    assert_eq!(table.game.players()[0].start, Some(Position::new(0, 0)));
}
