//! The result of a game for each player.

use alloc::{format, string::String, vec::Vec};

use engine::{Rulebook, SeatResult};

use super::{scene, send, with};
use crate::{Game, Outcome};

/// The client, name, verdict and points of each player.
fn results(game: &Game) -> String {
    let result = |result: SeatResult| {
        let SeatResult { client, name, side, verdict, points } = result;
        assert_eq!(side, None);
        format!("{client} {name}: {verdict:?} {points}")
    };
    game.results().into_iter().map(result).collect::<Vec<_>>().join(", ")
}

/// Sends some commands, and compares the outcome and each player's result.
#[track_caller]
fn check(game: &Game, commands: &[&str], outcome: Outcome, expected: &str) {
    let mut game = game.clone();
    for command in commands {
        assert_eq!(results(&game), "", "no results before the end");
        game = send(&game, command).0;
    }
    assert_eq!(game.outcome(), Some(outcome));
    assert_eq!(results(&game), expected);
}

#[test]
fn all_win_or_lose_together() {
    let game = scene("rounds 1; turn 1 | Ana(at mill) | Dan(at mill)");
    let won = "0 player 0: Won 1, 1 player 1: Won 1";
    let lost = "0 player 0: Lost 0, 1 player 1: Lost 0";
    check(&game, &["EndTurn"], Outcome::Won, won);
    // A player who left wins with the others.
    check(&game, &["Leave"], Outcome::Won, won);
    check(&with(&game, "morale 1"), &["Leave"], Outcome::LostMorale, lost);
    let goal = scene("rounds 1; goal barricades 3; turn 1 | Ana(at mill) | Dan(at mill)");
    check(&goal, &["EndTurn"], Outcome::LostGoal, lost);
    check(&scene("| Ana | Dan"), &["Leave", "TimeOut"], Outcome::Abandoned, lost);
}

#[test]
fn no_game_was_played() {
    let lobby = scene("unused Ana Bo Carla Dan Eva Fay Gil Hana; next shuffle8");
    check(&lobby, &["TimeOut"], Outcome::Aborted, "");
    check(&lobby, &["0: Register Pia", "0: Leave"], Outcome::Aborted, "");
    check(&lobby, &["0: Register Pia", "0: StartGame", "TimeOut"], Outcome::Abandoned, "");
}
