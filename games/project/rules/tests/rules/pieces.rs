//! Picking up, testing and placing.

use project_rules::{Piece, Placed, Zone};

use crate::table::{ONE, Table, at, with};

/// Four pieces, two of them shams; goals at (1, 0) and (3, 1).
fn half() -> String {
    with(ONE, r#"{"pieces": 4, "shams_percentage": 50, "goals": [{"x": 1, "y": 0}, {"x": 3, "y": 1}]}"#)
}

#[test]
fn picking_up() {
    let mut table = Table::begun(&half());
    table.walks(1, at(0, 0));
    assert_eq!(table.asks(1, "PickUp"), "cannot pick up a piece", "nothing lies here");
    table.fetches(1, true);
    assert_eq!(table.player(1).load.map(|load| load.piece), Some(Piece { sham: true }));
    let own = table.position(1);
    assert_eq!(table.game.ground().piece_at(own), None, "it no longer lies there");
    let (other, _) = table.game.ground().pieces().next().expect("another");
    table.walks(1, other);
    assert_eq!(table.asks(1, "PickUp"), "cannot pick up a piece", "the hands are full");
    assert!(table.game.ground().piece_at(other).is_some());
}

#[test]
fn testing() {
    let mut table = Table::begun(&half());
    assert_eq!(table.asks(1, "Test"), "", "without a piece there is no answer");
    table.fetches(1, false);
    assert_eq!(table.asks(1, "Test"), "tests its piece: it is one");
    assert!(table.player(1).load.is_some_and(|load| load.tested), "a piece stays in hand");
    table.fetches(2, true);
    assert_eq!(table.asks(2, "Test"), "tests its piece: it was a sham");
    assert_eq!(table.player(2).load, None, "a sham is gone");
    assert_eq!(table.game.ground().pieces().count(), 2);
    assert_eq!((table.player(1).counts.tests, table.player(2).counts.shams), (2, 1));
}

#[test]
fn notes_for_the_game_master() {
    let mut table = Table::begun(&half());
    let said = table.does(1, crate::table::request("t", "Test"));
    assert_eq!(said, "0> Player 1 has no piece to test and is told nothing.; [1 acted]");
    table.fetches(1, true);
    table.walks(1, at(1, 0));
    let said = table.does(1, crate::table::request("p", "Place"));
    assert_eq!(said, "0> Player 1 placed a sham at (1, 0) and is told nothing.; [1 acted]");
}

#[test]
fn placing_a_valid_piece() {
    let mut table = Table::begun(&half());
    let said = table.brings(1, at(1, 0), Placed::Completed);
    assert_eq!(said, "1> placing-at-(1, 0): completes a goal; [1 acted]; [Blue scored]");
    assert_eq!(table.player(1).load, None);
    assert_eq!(table.game.ground().piece_at(at(1, 0)), None, "the piece is used up");
    assert_eq!(table.game.ground().goal_at(at(1, 0)), Some(true));
    assert_eq!(table.game.ground().goal_at(at(1, 7)), Some(false), "the other team's is its own");

    let mut table = Table::begun(&half());
    let said = table.brings(1, at(2, 0), Placed::Meaningless);
    assert_eq!(said, "1> placing-at-(2, 0): places its piece where no goal is; [1 acted]");
    assert_eq!(table.player(1).load, None);
    assert_eq!(table.game.ground().piece_at(at(2, 0)), Some(Piece { sham: false }), "the piece stays on the tile");
    assert_eq!(table.asks(1, "PickUp"), "picks up a piece", "and can be taken again");
}

#[test]
fn placing_a_sham() {
    for tile in [at(1, 0), at(2, 0)] {
        let mut table = Table::begun(&half());
        table.fetches(1, true);
        table.walks(1, tile);
        assert_eq!(table.asks(1, "Place"), "", "no answer at all, on a goal or not");
        assert_eq!(table.player(1).load, None, "the sham is gone");
        assert_eq!(table.game.ground().piece_at(tile), None);
        assert_ne!(table.game.ground().goal_at(tile), Some(true));
        assert_eq!(table.player(1).counts.shams, 1);
        assert_eq!(
            table.asks(1, "Up"),
            format!("moves to ({}, 1), {} from a piece", tile.x, {
                let ground = table.game.ground();
                ground.distance(at(tile.x, 1))
            }),
            "the next request follows"
        );
    }
}

#[test]
fn disallowed() {
    const NO: &str = "may not place anything here";
    for sham in [false, true] {
        let mut table = Table::begun(&with(&half(), r#"{"pieces": 8}"#));
        table.walks(1, at(0, 0));
        assert_eq!(table.asks(1, "Place"), NO, "without a piece");
        table.brings(1, at(1, 0), Placed::Completed);
        table.brings(1, at(2, 0), Placed::Meaningless);
        assert_eq!(table.asks(1, "Place"), NO, "without a piece, on a piece");
        table.fetches(1, sham);
        assert_eq!(table.asks(1, "Place"), NO, "in the task area");
        table.walks(1, at(1, 0));
        assert_eq!(table.asks(1, "Place"), NO, "on a finished goal");
        table.walks(1, at(2, 0));
        assert_eq!(table.asks(1, "Place"), NO, "on a tile with a piece");
        assert_eq!(table.player(1).load.map(|load| load.piece.sham), Some(sham), "nothing changes");
        assert_eq!(table.game.ground().piece_at(at(2, 0)), Some(Piece { sham: false }));
    }
}

#[test]
fn red_places_at_the_top() {
    let mut table = Table::begun(&half());
    let said = table.brings(2, at(1, 7), Placed::Completed);
    assert!(said.ends_with("[Red scored]"), "{said}");
    table.brings(2, at(1, 6), Placed::Meaningless);
    let red = table
        .game
        .ground()
        .goals()
        .filter(|(tile, _)| table.game.ground().area().zone(*tile) == Some(Zone::Goal(project_rules::Team::Red)));
    assert_eq!(red.collect::<Vec<_>>(), [(at(1, 7), true), (at(3, 6), false)]);
}
