//! Hashes, seats, teams, leaders and the start.

use engine::{CommId, Rulebook};
use project_rules::{Command, Team, Timer, Zone};

use crate::table::{ONE, Table, request, with};

use Team::{Blue, Red};

fn two() -> String {
    with(ONE, r#"{"players_per_team": 2}"#)
}

#[test]
fn ids_count_from_one() {
    let mut table = Table::new(&two());
    assert_eq!(table.joins(9), "+9; [1 joined]; 9> you are 1");
    assert_eq!(table.joins(4), "+4; [2 joined]; 4> you are 2");
    assert_eq!(table.game.client_of(1), Some(CommId(9)));
    assert_eq!(table.game.client_of(3), None);
}

#[test]
fn refused() {
    let mut table = Table::new(ONE);
    assert_eq!(table.does(0, Command::Join { hash: "gm".into() }), "0> refused: The Game Master does not play.");
    let long = Command::Join { hash: "x".repeat(65).into() };
    assert_eq!(table.does(1, long), "1> refused: An id or a hash has at most 64 bytes.");
    assert_eq!(table.chooses(1, Blue), "1> refused: You do not take part; join first.");
    table.does(1, Command::Join { hash: "x".repeat(64).into() });
    let other = Command::Join { hash: "other".into() };
    assert_eq!(table.does(1, other), "1> refused: You are player 1 already, under another hash.");
    let early = "1> refused: The game has not started; it does when all seats are taken.";
    assert_eq!(table.does(1, request("a", "Up")), early);
    table.joins(2);
    assert_eq!(table.joins(3), "3> refused: All 2 seats are taken.");
    table.chooses(1, Blue);
    table.chooses(2, Blue);
    assert_eq!(table.joins(3), "3> refused: The game is running; no new player can join it.");
    assert_eq!(table.does(3, request("a", "Up")), "3> refused: You do not take part; join first.");
}

#[test]
fn listed_hashes() {
    let mut table = Table::new(&with(ONE, r#"{"player_hashes": ["HASH-of-1", "hash-of-2"]}"#));
    assert_eq!(table.joins(3), "3> refused: This game is for listed hashes only, and yours is not among them.");
    assert_eq!(table.joins(1), "+1; [1 joined]; 1> you are 1", "in either case of letters");
}

#[test]
fn preferences_are_honoured_while_seats_remain() {
    let mut table = Table::new(&two());
    (1..=4).for_each(|client| _ = table.joins(client));
    assert_eq!(table.chooses(3, Red), "[3 in Red]; 3> setup: Red leader", "the first leads");
    assert_eq!(table.chooses(1, Red), "[1 in Red]; 1> setup: Red");
    assert_eq!(table.chooses(2, Red), "[2 in Blue]; 2> setup: Blue leader", "Red is full");
    assert_eq!(table.chooses(2, Red), "2> setup: Blue leader", "asked again, told again");
    let said = table.chooses(4, Blue);
    assert!(
        said.starts_with("[4 in Blue]; 4> setup: Blue; [began]; 1> 4 x 8, 2 Blue, 4 Blue, 3 Red, 1 Red, at"),
        "{said}"
    );
    assert_eq!(said.matches("4 x 8, 2 Blue, 4 Blue, 3 Red, 1 Red, at").count(), 4, "to everyone, leaders first");
}

#[test]
fn start_positions_are_different_tiles_of_the_own_goal_area() {
    for seed in 0..200 {
        let table = Table::begun_seeded(&with(ONE, r#"{"players_per_team": 8}"#), seed);
        let mut taken = Vec::new();
        for player in table.game.all_players() {
            let position = player.position.expect("a pawn");
            let zone = table.game.ground().area().zone(position);
            assert_eq!(zone, player.team.map(Zone::Goal));
            taken.push(position);
        }
        taken.sort();
        taken.dedup();
        assert_eq!(taken.len(), 16, "all tiles of both areas");
    }
}

#[test]
fn a_player_that_leaves_the_lobby_frees_its_seat() {
    let mut table = Table::new(&two());
    (1..=4).for_each(|client| _ = table.joins(client));
    table.chooses(1, Blue);
    table.chooses(2, Blue);
    assert_eq!(table.does(1, Command::Lost {}), "[1 lost]");
    assert_eq!(table.timers.get(&Timer::Return { player: 1 }), Some(&100_000));
    assert_eq!(table.joins(5), "5> refused: All 4 seats are taken.", "it is still awaited");
    let said = table.rings(Timer::Return { player: 1 });
    assert_eq!(said, "[1 left]; -1; 2> unasked: Blue leader", "the next one leads, and is told");
    assert_eq!(table.joins(5), "+5; [5 joined]; 5> you are 5", "no number is given twice");
    assert_eq!(table.joins(1), "1> refused: All 4 seats are taken.");
    assert_eq!(table.chooses(5, Blue), "[5 in Blue]; 5> setup: Blue");
    assert_eq!(table.does(3, Command::Lost {}), "[3 lost]");
    assert_eq!(table.rings(Timer::Return { player: 3 }), "[3 left]; -3", "it had no team");
}

#[test]
fn back_in_the_lobby() {
    let mut table = Table::new(ONE);
    table.joins(1);
    table.does(1, Command::Lost {});
    assert_eq!(table.does(1, Command::Lost {}), "", "it is lost already");
    assert_eq!(table.joins(1), "[1 back]; 1> you are 1");
    assert_eq!(table.timers.len(), 0, "no player is awaited");
    assert_eq!(table.joins(1), "1> you are 1", "shaking hands again");
    assert_eq!(table.does(7, Command::Lost {}), "7> refused: You do not take part; join first.");
}

#[test]
fn a_lost_player_is_waited_for() {
    let mut table = Table::new(ONE);
    table.joins(1);
    table.joins(2);
    table.chooses(1, Blue);
    table.does(1, Command::Lost {});
    assert_eq!(table.chooses(2, Red), "[2 in Red]; 2> setup: Red leader", "all seats are taken, but one is lost");
    assert_eq!(table.joins(3), "3> refused: All 2 seats are taken.");
    let said = table.joins(1);
    assert!(said.starts_with("[1 back]; 1> you are 1; [began]; 1> 4 x 8, 1 Blue, 2 Red, at"), "{said}");
    assert_eq!(said.matches("4 x 8, 1 Blue, 2 Red, at").count(), 2, "to both");

    // A player that does not come back frees its seat, and another one may take it.
    let mut table = Table::new(ONE);
    table.joins(1);
    table.joins(2);
    table.chooses(1, Blue);
    table.does(1, Command::Lost {});
    table.chooses(2, Red);
    assert_eq!(table.rings(Timer::Return { player: 1 }), "[1 left]; -1");
    table.joins(3);
    let said = table.chooses(3, Red);
    assert!(said.starts_with("[3 in Blue]; 3> setup: Blue leader; [began]; 2> 4 x 8, 3 Blue, 2 Red, at"), "{said}");
}

#[test]
fn a_new_client_of_a_lost_player_begins_the_game_once() {
    let mut table = Table::new(ONE);
    table.joins(1);
    table.joins(2);
    table.chooses(1, Blue);
    table.does(1, Command::Lost {});
    table.chooses(2, Red);
    let said = table.does(9, Command::Join { hash: crate::table::hash(1) });
    assert_eq!(said.matches("9> 4 x 8").count(), 1, "{said}");
    assert!(said.starts_with("-1; +9; [1 back]; 9> you are 1; [began]; 9> 4 x 8"), "{said}");
}

#[test]
fn the_next_leader_has_the_lowest_number() {
    for version in [1, 2] {
        let mut table = Table::of_version(version, &with(ONE, r#"{"players_per_team": 3}"#), 7);
        (1..=6).for_each(|client| _ = table.joins(client));
        for client in [2, 3, 1] {
            table.chooses(client, Blue);
        }
        table.does(2, Command::Lost {});
        let next = if version == 1 {
            "[2 left]; -2; 3> unasked: Blue leader"
        } else {
            "[2 left]; -2; 1> unasked: Blue leader"
        };
        assert_eq!(table.rings(Timer::Return { player: 2 }), next);
        assert_eq!(table.chooses(1, Blue), if version == 1 { "1> setup: Blue" } else { "1> setup: Blue leader" });
    }
}

#[test]
fn a_running_game_gets_another_leader() {
    for version in [1, 2] {
        let mut table = Table::begun_of_version(version, &two());
        table.does(1, Command::Lost {});
        assert_eq!(table.rings(Timer::Return { player: 1 }), "[1 left]; -1", "it is told when it asks");
        assert!(table.game.public().leads(2), "the view shows it");
        let said = table.chooses(2, Blue);
        match version {
            1 => assert!(said.starts_with("2> setup: Blue; 2> 4 x 8, 1 Blue, 2 Blue,"), "{said}"),
            _ => assert!(said.starts_with("2> setup: Blue leader; 2> 4 x 8, 2 Blue, 1 Blue,"), "{said}"),
        }
    }
}

#[test]
fn a_player_that_was_away_gets_the_start() {
    let mut table = Table::of_version(1, ONE, 7);
    table.joins(1);
    table.joins(2);
    table.chooses(1, Blue);
    table.does(1, Command::Lost {});
    table.chooses(2, Red);
    assert!(table.game.public().has_begun(), "its seat is taken");
    let at = table.position(1);
    let start = format!("1> 4 x 8, 1 Blue, 2 Red, at {at}");
    assert_eq!(table.joins(1), format!("[1 back]; 1> you are 1; {start}"));
    table.does(1, Command::Lost {});
    assert_eq!(table.joins(1), "[1 back]; 1> you are 1", "once");
    assert_eq!(table.chooses(1, Red), format!("1> setup: Blue leader; {start}"), "unless it asks, having forgotten");
    assert_eq!(table.game.view(CommId(1)).position, Some(at));
}

#[test]
fn the_lobby_has_a_time_limit() {
    let timed = with(ONE, r#"{"join_timeout": 60000}"#);
    let mut table = Table::new(&timed);
    assert_eq!(table.timers.get(&Timer::Join), Some(&60_000));
    table.joins(1);
    let said = table.rings(Timer::Join);
    assert_eq!(said, "all> Timeout: not all players came in time; tie, Blue 0, Red 0");
    assert_eq!(table.joins(2), "", "nothing happens after the end");

    let table = Table::begun(&timed);
    assert_eq!(table.timers.get(&Timer::Join), None, "all are there");
    assert_eq!(Table::new(&with(ONE, r#"{"join_timeout": 0}"#)).timers.len(), 0, "0 is no limit");
}
