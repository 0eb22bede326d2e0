//! The cost of a field in 2022, moves that lose at once, and the last action.

use engine::Rulebook;
use treasure_rules::{Command, Direction, Game, Player, Position, Reason};

use crate::table::{ANA, BO, GOOD, Table};

use Direction::{Down, Left, Right, Up};

/// Two mountains beside the fort.
const ROUGH: [&str; 5] = ["FMMGGGGGGG", "GWGWGWGWGG", "GGGGGGGGGG", "GWGWGWGMMM", "GGGGGGGGGG"];

/// Ana is in the upper left corner, and her treasure is far away.
fn quiet(game: &Game) -> bool {
    let far = game.treasure(Player::First).is_some_and(|at| at.x > 6 && at.x < 10 && at.y < 5);
    far && game.private(Player::First).and_then(|private| private.fort) == Some(Position::new(0, 0))
}

/// Moves Ana in these directions. Checks the number of remaining moves after each one (0 when she arrives), and her position.
#[track_caller]
fn check(halves: [&[&str]; 2], directions: &[Direction], expected: &str, at: (u8, u8)) {
    let mut table = Table::with("2022", halves, quiet);
    let mut came = Vec::new();
    for direction in directions {
        let said = table.moves(ANA, *direction);
        let result = said.split("; ").nth(1).expect("a result");
        came.push(result.trim_end_matches(" left").replace("there", "0"));
    }
    assert_eq!(came.join(" "), expected);
    assert_eq!(table.view(ANA).position(), Some(Position::new(at.0, at.1)));
}

#[test]
fn costs() {
    check([&ROUGH, &GOOD], &[Down, Down], "1 0", (0, 1));
    check([&ROUGH, &GOOD], &[Right, Right, Right], "2 1 0", (1, 0));
    let up = [Right; 7];
    check([&ROUGH, &GOOD], &up, "2 1 0 3 2 1 0", (2, 0));
    check([&ROUGH, &GOOD], &[Right; 10], "2 1 0 3 2 1 0 2 1 0", (3, 0));
    check([&ROUGH, &GOOD], &[Right; 12], "2 1 0 3 2 1 0 2 1 0 1 0", (4, 0));
}

/// A change of direction loses the moves that were made before it.
#[test]
fn turning_starts_anew() {
    check([&ROUGH, &GOOD], &[Right, Right, Down, Right, Right, Right], "2 1 1 2 1 0", (1, 0));
    check([&ROUGH, &GOOD], &[Down, Right, Down, Down], "1 2 1 0", (0, 1));
    check([&ROUGH, &GOOD], &[Down, Down, Up, Down, Up, Up], "1 0 1 1 1 0", (0, 0));
}

#[test]
fn water_and_the_edge_lose_at_once() {
    let wins = "over: the second player wins: the first player";
    let mut table = Table::with("2022", [&GOOD, &GOOD], quiet);
    table.goes(ANA, Position::new(1, 0));
    let said = table.moves(ANA, Down);
    let water = "failed IntoWater: Down of (1, 0) is water, which no player may enter; go to grass or a mountain.";
    assert!(said.ends_with(&format!("; {water}; {wins} went into water")), "{said}");
    assert_eq!(table.view(ANA).position(), Some(Position::new(1, 0)));

    for (direction, word) in [(Up, "Up"), (Left, "Left")] {
        let mut table = Table::with("2022", [&GOOD, &GOOD], |game| {
            quiet(game) && game.public().chart().is_some_and(|chart| chart.width() == 10)
        });
        table.moves(ANA, Right);
        let said = table.moves(ANA, direction);
        let edge = format!("failed OffTheMap: {word} of (0, 0) the map ends; X is 0 to 9, Y is 0 to 9.");
        assert!(said.ends_with(&format!("; {edge}; {wins} left the map")), "{said}");
    }
    let mut table = Table::with("2022", [&GOOD, &GOOD], |game| {
        quiet(game) && game.public().chart().is_some_and(|chart| chart.width() == 20)
    });
    let said = table.moves(ANA, Up);
    assert!(said.contains("the map ends; X is 0 to 19, Y is 0 to 4."), "{said}");
}

/// Positions and directions are public from the 16th action on.
#[test]
fn what_everybody_sees() {
    let mut table = Table::charted("2022", 5);
    while table.game.public().actions() < 15 {
        assert!(!table.idles().contains("appear"));
        assert_eq!(table.game.public().position(Player::First), None);
    }
    let said = table.idles();
    assert!(said.contains(" 16; both appear; "), "{said}");
    for player in Player::BOTH {
        assert_eq!(table.game.public().position(player), table.game.private(player).and_then(|private| private.at));
    }
    let client = table.turn();
    assert!(!table.moves(client, Down).contains("down"), "not there yet");
    let said = table.moves(client, Down);
    assert!(said.contains(" down; there"), "{said}");
    let player = table.game.player_of(engine::CommId(client)).expect("it plays");
    assert_eq!(table.game.public().position(player), table.view(client).position());
}

#[test]
fn the_last_action() {
    let mut table = Table::charted("2022", 5);
    while table.game.public().actions() < 319 {
        table.idles();
        assert_eq!(table.game.outcome(), None);
    }
    let last = table.turn();
    let said = table.idles();
    let outcome = table.game.outcome().expect("there are no more actions");
    assert!(said.contains(" 320; "), "{said}");
    assert_eq!(outcome.reason(), Reason::ActionLimit);
    assert!(table.view(last).has_won(), "it would be the other's turn, who has lost");
}

/// The last action counts like any other: it can win.
#[test]
fn winning_with_the_last_action() {
    // The treasure is so far away that the way to it does not lead through the fort by accident.
    let mut table = Table::with("2022", [&GOOD, &GOOD], |game| {
        let far = Player::BOTH.iter().all(|player| game.treasure(*player).is_some_and(|at| at.x > 5));
        far && game.public().chart().is_some_and(|chart| chart.width() == 10)
    });
    let client = ANA + BO - table.turn();
    let player = table.game.player_of(engine::CommId(client)).expect("it plays");
    table.goes(client, table.game.treasure(player).expect("a treasure"));
    let fort = table.game.private(player.other()).and_then(|private| private.fort).expect("a fort");
    table.goes(client, Position::new(fort.x + 4, fort.y));
    table.goes(client, Position::new(fort.x + 1, fort.y));
    while table.game.public().actions() < 317 {
        let direction = if table.game.public().actions() % 4 < 2 { Left } else { Right };
        // One move towards the fort, then one back. Two in a row would enter it.
        if table.turn() == client {
            table.moves(client, direction)
        } else {
            table.idles()
        };
    }
    assert_ne!(
        table.view(client).private.and_then(|private| private.progress).map(|progress| progress.direction),
        Some(Left)
    );
    table.moves(client, Left);
    assert_eq!(table.game.public().actions(), 318);
    let said = table.moves(client, Left);
    assert!(said.contains(" 320 left; there; "), "{said}");
    assert_eq!(table.game.outcome().map(|outcome| outcome.reason()), Some(Reason::FortEntered));
    assert!(table.view(client).has_won());
    assert_eq!(table.does(ANA, Command::Move { direction: Up }), "", "nothing happens after the end");
}
