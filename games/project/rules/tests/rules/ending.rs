//! Every way in which a game ends.

use engine::{Rulebook, SeatResult, Waiting};
use project_rules::{Command, EndReason, Game, Outcome, Placed, Team, Timer, Why};

use crate::table::{ONE, Table, at, request, with};

fn end(table: &Table) -> Option<String> {
    table.game.outcome().map(|outcome| outcome.to_string())
}

const TWO_GOALS: &str = r#"{"pieces": 4, "goals": [{"x": 1, "y": 0}, {"x": 3, "y": 1}]}"#;

#[test]
fn all_goals_are_success() {
    let mut table = Table::begun(&with(ONE, TWO_GOALS));
    table.brings(2, at(1, 7), Placed::Completed);
    table.brings(1, at(1, 0), Placed::Completed);
    assert_eq!(end(&table), None);
    assert_eq!(table.game.waiting_for(), Waiting::Anyone);
    let said = table.brings(1, at(3, 1), Placed::Completed);
    let expected = "Success: Blue has completed all its goals; Blue wins, Blue 2, Red 1";
    let order = format!("1> placing-at-(3, 1): completes a goal; [1 acted]; [Blue scored]; all> {expected}");
    assert_eq!(said, order, "the answer comes before the end");
    assert_eq!(table.game.waiting_for(), Waiting::GameOver);
    assert_eq!(table.does(2, request("late", "Discover")), "");

    let mut table = Table::begun(ONE);
    let said = table.brings(2, at(1, 7), Placed::Completed);
    assert!(said.ends_with("all> Success: Red has completed all its goals; Red wins, Blue 0, Red 1"), "{said}");
}

#[test]
fn an_end_cancels_every_timer() {
    let changes = r#"{"costs": {"discover": 10}, "respawn_interval": 1000, "no_progress": 5000}"#;
    let mut table = Table::begun(&with(ONE, changes));
    table.does(1, request("a", "Discover"));
    table.does(2, Command::Lost {});
    assert_eq!(table.timers.len(), 4);
    table.does(0, Command::Fail { because: "the disk is full".into() });
    assert_eq!(table.timers.len(), 0);
}

#[test]
fn an_error_is_failure() {
    let mut table = Table::begun(&with(ONE, TWO_GOALS));
    table.brings(2, at(1, 7), Placed::Completed);
    let fail = |because: &str| Command::Fail { because: because.into() };
    assert_eq!(table.does(1, fail("I lose")), "1> refused: Only the Game Master can do that.");
    let said = table.does(0, fail("the disk is full"));
    assert_eq!(said, "all> Failure: unexpected error: the disk is full; Red wins, Blue 0, Red 1");

    let mut lobby = Table::new(ONE);
    let said = lobby.does(0, fail(&"x".repeat(300)));
    assert_eq!(said, format!("all> Failure: unexpected error: {}; tie, Blue 0, Red 0", "x".repeat(200)));
}

#[test]
fn a_tie_names_blue() {
    let mut table = Table::begun(ONE);
    table.does(0, Command::Fail { because: "it".into() });
    let outcome = table.game.outcome();
    let why = Why::Error { because: "it".into() };
    let expected = Outcome { reason: EndReason::Failure, why, winner: Team::Blue, tie: true, goals: [0, 0] };
    assert_eq!(outcome, Some(expected));
}

#[test]
fn no_progress() {
    let mut table = Table::begun(&with(
        ONE,
        r#"{"no_progress": 5000, "pieces": 8, "shams_percentage": 50,
        "goals": [{"x": 1, "y": 0}, {"x": 3, "y": 1}]}"#,
    ));
    let due = |table: &Table| table.timers.get(&Timer::Progress).copied();
    assert_eq!(due(&table), Some(5000), "from the start");
    table.now = 1000;
    table.brings(1, at(0, 0), Placed::Meaningless);
    assert_eq!(due(&table), Some(5000), "that was none");
    table.now = 2000;
    table.brings(1, at(1, 0), Placed::Completed);
    assert_eq!(due(&table), Some(7000), "a goal is progress");
    table.now = 3000;
    table.fetches(1, true);
    table.asks(1, "Test");
    assert_eq!(due(&table), Some(8000), "a sham that is found is progress");
    table.now = 4000;
    table.fetches(1, true);
    table.walks(1, at(2, 0));
    table.asks(1, "Place");
    assert_eq!(due(&table), Some(9000), "and one that is placed");
    let said = table.rings(Timer::Progress);
    assert_eq!(said, "all> Timeout: no progress for too long; Blue wins, Blue 1, Red 0");
    assert_eq!(Table::begun(ONE).timers.len(), 0, "only where it is configured");
    assert_eq!(Table::begun(&with(ONE, r#"{"no_progress": 0}"#)).timers.len(), 0);
}

#[test]
fn a_team_without_players() {
    let two = with(ONE, r#"{"players_per_team": 2}"#);
    let mut table = Table::begun(&two);
    for client in [3, 4] {
        table.does(client, Command::Lost {});
    }
    table.rings(Timer::Return { player: 3 });
    assert_eq!(end(&table), None, "one is left, and awaited");
    let said = table.rings(Timer::Return { player: 4 });
    assert_eq!(said, "[4 left]; -4; all> Timeout: Red has no players left; tie, Blue 0, Red 0");
}

#[test]
fn a_tie_names_the_team_that_has_players() {
    for (gone, version, winner) in [(1, 2, Team::Red), (2, 2, Team::Blue), (1, 1, Team::Blue)] {
        let mut table = Table::begun_of_version(version, ONE);
        table.does(gone, Command::Lost {});
        table.rings(Timer::Return { player: gone });
        let outcome = table.game.outcome().expect("a team has no players");
        assert_eq!((outcome.winner, outcome.tie), (winner, true), "player {gone} left, version {version}");
    }
    // More goals win, with players or without.
    let mut table = Table::begun(&with(ONE, TWO_GOALS));
    table.brings(1, at(1, 0), Placed::Completed);
    table.does(1, Command::Lost {});
    table.rings(Timer::Return { player: 1 });
    assert_eq!(table.game.outcome().map(|outcome| (outcome.winner, outcome.tie)), Some((Team::Blue, false)));
    // In a lobby, too.
    let mut table = Table::new(&with(ONE, r#"{"join_timeout": 1000}"#));
    table.joins(1);
    table.chooses(1, Team::Red);
    table.rings(Timer::Join);
    assert_eq!(table.game.outcome().map(|outcome| outcome.winner), Some(Team::Red));
}

#[test]
fn no_team_can_win_any_more() {
    // Each team has two goals, and there are two valid pieces in all. Each team completes one goal, and finds no second piece.
    let scarce = with(ONE, r#"{"pieces": 2, "goals": [{"x": 1, "y": 0}, {"x": 3, "y": 1}]}"#);
    let mut table = Table::begun(&scarce);
    table.brings(1, at(1, 0), Placed::Completed);
    assert_eq!(end(&table), None, "Blue can still win with the other piece");
    table.fetches(2, false);
    table.walks(2, at(1, 7));
    assert_eq!(end(&table), None, "a carried piece counts");
    let said = table.does(2, request("last", "Place"));
    assert!(said.ends_with("all> Timeout: too few pieces are left for either team; tie, Blue 1, Red 1"), "{said}");
}

#[test]
fn a_piece_in_the_other_goal_area_is_out_of_reach() {
    let scarce = with(ONE, r#"{"pieces": 2, "goals": [{"x": 1, "y": 0}, {"x": 3, "y": 1}]}"#);
    let mut table = Table::begun(&scarce);
    table.brings(1, at(1, 0), Placed::Completed);
    let said = table.brings(2, at(0, 7), Placed::Meaningless);
    assert!(
        said.ends_with("all> Timeout: too few pieces are left for either team; Blue wins, Blue 1, Red 0"),
        "{said}"
    );

    let mut table = Table::begun(&scarce);
    table.brings(1, at(1, 0), Placed::Completed);
    table.brings(1, at(0, 0), Placed::Meaningless);
    assert_eq!(end(&table), None, "but not out of the own team's");
}

#[test]
fn shams_do_not_count() {
    let shams = r#"{"pieces": 4, "shams_percentage": 50, "goals": [{"x": 1, "y": 0}, {"x": 3, "y": 1}]}"#;
    let mut table = Table::begun(&with(ONE, shams));
    table.fetches(1, true);
    table.asks(1, "Test");
    assert_eq!(end(&table), None, "two valid ones are left");
    table.brings(1, at(1, 0), Placed::Completed);
    table.brings(2, at(1, 7), Placed::Completed);
    let expected = "Timeout: too few pieces are left for either team; tie, Blue 1, Red 1";
    assert_eq!(end(&table).as_deref(), Some(expected), "though a sham lies there");
}

#[test]
fn pieces_to_come_count() {
    let scarce = r#"{"pieces": 2, "respawn_interval": 1000, "goals": [{"x": 1, "y": 0}, {"x": 3, "y": 1}]}"#;
    let mut table = Table::begun(&with(ONE, scarce));
    table.brings(1, at(1, 0), Placed::Completed);
    table.brings(2, at(1, 7), Placed::Completed);
    assert_eq!(end(&table), None);
}

#[test]
fn the_piece_of_a_player_that_left_counts() {
    let two = r#"{"players_per_team": 2, "pieces": 1}"#;
    let mut table = Table::begun(&with(ONE, two));
    table.fetches(1, false);
    table.does(1, Command::Lost {});
    table.rings(Timer::Return { player: 1 });
    assert_eq!(end(&table), None, "the piece has fallen where both can take it");
    table.brings(3, at(1, 7), Placed::Completed);
    assert!(end(&table).is_some_and(|end| end.starts_with("Success: Red")));
}

/// Each seat with its client, side, verdict and points, as text.
fn results(game: &Game) -> String {
    let result = |result: SeatResult| {
        let SeatResult { client, name, side, verdict, points } = result;
        format!("{client} {name} {}: {verdict:?} {points}", side.expect("a side"))
    };
    game.results().into_iter().map(result).collect::<Vec<_>>().join(", ")
}

#[test]
fn results_of_all_players() {
    #[track_caller]
    fn check(changes: &str, play: impl FnOnce(&mut Table), expected: &str) {
        let mut table = Table::begun(&with(ONE, changes));
        assert_eq!(results(&table.game), "", "no player wins or loses before the end");
        play(&mut table);
        assert_eq!(results(&table.game), expected);
    }
    let blue = "1 player 1 blue: Won 1, 2 player 2 red: Lost 0";
    check("{}", |table| _ = table.brings(1, at(1, 0), Placed::Completed), blue);
    let red = "1 player 1 blue: Lost 0, 2 player 2 red: Won 1";
    check("{}", |table| _ = table.brings(2, at(1, 7), Placed::Completed), red);
    let tie = "1 player 1 blue: Drawn 0, 2 player 2 red: Drawn 0";
    check("{}", |table| _ = table.does(0, Command::Fail { because: "it".into() }), tie);
    check(r#"{"no_progress": 5000}"#, |table| _ = table.rings(Timer::Progress), tie);
    let leave = |table: &mut Table| {
        table.brings(1, at(1, 0), Placed::Completed);
        table.does(2, Command::Lost {});
        table.rings(Timer::Return { player: 2 });
    };
    check(TWO_GOALS, leave, "1 player 1 blue: Won 1, 2 player 2 red: Lost 0");
    let run_out = |table: &mut Table| {
        table.brings(1, at(1, 0), Placed::Completed);
        table.brings(2, at(1, 7), Placed::Completed);
    };
    let scarce = r#"{"pieces": 2, "goals": [{"x": 1, "y": 0}, {"x": 3, "y": 1}]}"#;
    check(scarce, run_out, "1 player 1 blue: Drawn 1, 2 player 2 red: Drawn 1");

    // Players that have left win or lose with their team. A player that came back has its new client.
    let both = "1 player 1 blue: Won 1, 9 player 2 blue: Won 1, 3 player 3 red: Lost 0, 4 player 4 red: Lost 0";
    let change_clients = |table: &mut Table| {
        table.does(1, Command::Lost {});
        table.rings(Timer::Return { player: 1 });
        table.does(9, Command::Join { hash: crate::table::hash(2) });
        table.brings(9, at(1, 0), Placed::Completed);
    };
    check(r#"{"players_per_team": 2}"#, change_clients, both);

    let mut lobby = Table::new(&with(ONE, r#"{"join_timeout": 1000}"#));
    lobby.joins(1);
    lobby.rings(Timer::Join);
    assert_eq!(results(&lobby.game), "", "not all came");
    let mut lobby = Table::new(ONE);
    lobby.joins(1);
    lobby.does(0, Command::Fail { because: "it".into() });
    assert_eq!(results(&lobby.game), "", "an error before the start");
}
