//! Exchanges change only the knowledge of a player. The knowledge keeps the source of each tile.

use engine::{CommId, Rulebook, Shown};
use project_rules::{Command, Goal, Hearsay, Position, Seen, Tile, TileObject};

use crate::table::{ONE, Table, at, with};

/// Two against two: players 1 and 2 are Blue, 3 and 4 Red.
fn pairs() -> String {
    with(ONE, r#"{"players_per_team": 2}"#)
}

fn told(position: Position, object: TileObject, age: u64) -> Hearsay {
    Hearsay { tile: Tile { position, distance: 4, player: None, object }, age }
}

fn tells(from: u32, to: u32, tiles: &[Hearsay]) -> Command {
    Command::Exchanged { from, to, tiles: tiles.into() }
}

fn seen(table: &Table, client: u32, position: Position) -> Option<Seen> {
    table.game.view(CommId(client)).tiles.get(&position).copied()
}

/// The characters of a tile in the picture of the first player's knowledge: see `shown/known.rs`.
fn drawn(table: &Table, x: usize, y: usize) -> String {
    let truth = table.game.hidden();
    let row = truth["players"][0]["knows"]["rows"][y].as_str().expect("a row");
    row.get(10 * x..10 * x + 10).unwrap_or_default().into()
}

#[test]
fn a_tile_is_learnt_with_its_age_and_source() {
    let mut table = Table::begun(&pairs());
    table.now = 5000;
    let said = table.does(0, tells(2, 1, &[told(at(3, 3), TileObject::Piece, 1200)]));
    assert_eq!(said, "[2 to 1]; 1> 2 told: (3, 3) Piece 1200 ms ago");
    assert!(seen(&table, 1, at(3, 3)).is_some_and(|seen| seen.piece && seen.distance == 4));
    assert_eq!(drawn(&table, 3, 3), "p-04001202", "at 3.8 s, by player 2");
    assert_eq!([2, 3, 4].map(|other| seen(&table, other, at(3, 3))), [None; 3], "no other player learns it");
}

#[test]
fn the_newest_wins() {
    let mut table = Table::begun(&pairs());
    table.now = 5000;
    let here = table.position(1);
    table.does(0, tells(2, 1, &[told(at(3, 3), TileObject::Piece, 1000)]));
    assert_eq!(
        table.does(0, tells(3, 1, &[told(at(3, 3), TileObject::Nothing, 1000)])),
        "[3 to 1]",
        "as old is no news"
    );
    assert_eq!(table.does(0, tells(3, 1, &[told(at(3, 3), TileObject::Nothing, 9000)])), "[3 to 1]", "before the game");
    let said = table.does(0, tells(3, 1, &[told(at(3, 3), TileObject::Nothing, 999)]));
    assert_eq!(said, "[3 to 1]; 1> 3 told: (3, 3) Nothing 999 ms ago");
    assert_eq!(seen(&table, 1, at(3, 3)).map(|seen| seen.piece), Some(false));

    // The Game Master's answer is always the newest information.
    table.asks(1, "PickUp");
    assert_eq!(table.does(0, tells(2, 1, &[told(here, TileObject::Piece, 0)])), "[2 to 1]", "it looks for itself");
    assert!(drawn(&table, here.x as usize, here.y as usize).ends_with("--"), "from the Game Master");
    table.now = 5001;
    let said = table.does(0, tells(2, 1, &[told(here, TileObject::Piece, 0)]));
    assert_eq!(said, format!("[2 to 1]; 1> 2 told: {here} Piece 0 ms ago"));
    table.asks(1, "Discover");
    let around = table.game.ground().area().around(here).next().expect("a tile");
    assert!(drawn(&table, around.x as usize, around.y as usize).ends_with("--"), "and the Game Master again");
}

#[test]
fn results_of_placing_are_never_too_old() {
    let mut table = Table::begun(&pairs());
    table.now = 5000;
    table.does(0, tells(2, 1, &[told(at(3, 1), TileObject::Nothing, 100)]));
    let said = table.does(0, tells(2, 1, &[told(at(3, 1), TileObject::NonGoal, 4000)]));
    assert_eq!(said, "[2 to 1]; 1> 2 told: (3, 1) NonGoal 100 ms ago", "all else is as it was seen last");
    assert_eq!(seen(&table, 1, at(3, 1)).and_then(|seen| seen.goal), Some(Goal::Absent));
    assert_eq!(table.does(0, tells(2, 1, &[told(at(3, 1), TileObject::NonGoal, 4000)])), "[2 to 1]", "once");
    table.does(0, tells(2, 1, &[told(at(3, 1), TileObject::Piece, 50)]));
    let known = seen(&table, 1, at(3, 1)).expect("a tile");
    assert_eq!((known.goal, known.piece), (Some(Goal::Absent), true), "a piece on a tile without a goal");
    assert_eq!(drawn(&table, 3, 1), "N-04001d02");
}

#[test]
fn a_message_can_contain_a_tile_twice() {
    let mut table = Table::begun(&pairs());
    table.now = 5000;
    let twice = [told(at(0, 4), TileObject::Piece, 20), told(at(0, 4), TileObject::Nothing, 30)];
    assert_eq!(table.does(0, tells(2, 1, &twice)), "[2 to 1]; 1> 2 told: (0, 4) Piece 20 ms ago", "the newest of them");
}

#[test]
fn impossible_tiles_are_ignored() {
    let mut table = Table::begun(&pairs());
    let off = [told(at(4, 0), TileObject::Piece, 0), told(at(0, 8), TileObject::Piece, 0)];
    let off = [&off[..], &[told(at(-1, 0), TileObject::Piece, 0), told(at(0, -1), TileObject::Piece, 0)]].concat();
    assert_eq!(table.does(0, tells(2, 1, &off)), "[2 to 1]", "off the board");
    let piece = [told(at(3, 7), TileObject::Piece, 0)];
    assert_eq!(
        table.does(0, tells(2, 1, &piece)),
        "[2 to 1]; 1> 2 told: (3, 7) Piece 0 ms ago",
        "the last tile is on it"
    );
}

#[test]
fn only_the_game_master_reports_exchanges_of_a_running_game() {
    let piece = [told(at(3, 3), TileObject::Piece, 0)];
    let mut lobby = Table::new(&pairs());
    lobby.joins(1);
    lobby.joins(2);
    assert!(lobby.does(0, tells(2, 1, &piece)).contains("The game has not started"));
    let mut table = Table::begun(&pairs());
    assert_eq!(table.does(2, tells(2, 1, &piece)), "2> refused: Only the Game Master can do that.");
    let stranger = "0> refused: You do not take part; join first.";
    assert_eq!(
        (table.does(0, tells(9, 1, &piece)).as_str(), table.does(0, tells(1, 9, &piece)).as_str()),
        (stranger, stranger)
    );
}

/// The state of the board does not depend on exchanges.
#[test]
fn answers_do_not_depend_on_exchanges() {
    let [mut honest, mut lied_to] = [0, 1].map(|_| Table::begun(&pairs()));
    let lies: Vec<Hearsay> = (0..8).map(|y| told(at(0, y), TileObject::CompletedGoal, 0)).collect();
    lied_to.does(0, tells(2, 1, &lies));
    for what in ["Up", "Discover", "Left", "PickUp", "Test", "Place", "Down", "Discover"] {
        assert_eq!(honest.asks(1, what), lied_to.asks(1, what), "{what}");
    }
    assert_eq!(honest.game.ground(), lied_to.game.ground());
    assert_eq!(honest.game.board(), lied_to.game.board());
}
