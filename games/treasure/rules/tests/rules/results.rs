//! How a game ended for each player, for programs.

use engine::{Rulebook, SeatResult};
use treasure_rules::{Command, Direction, Game, Player, Timer};

use crate::table::{ANA, GOOD, Table, half, register, send};

/// Each seat with its client, side, verdict and points.
fn results(game: &Game) -> String {
    let result = |result: SeatResult| {
        let SeatResult { client, name, side, verdict, points } = result;
        assert_eq!(side, None);
        format!("{client} {name}: {verdict:?} {points}")
    };
    game.results().into_iter().map(result).collect::<Vec<_>>().join(", ")
}

#[track_caller]
fn check(mut table: Table, play: impl FnOnce(&mut Table), expected: &str) {
    assert_eq!(results(&table.game), "", "there is no result before the end");
    play(&mut table);
    assert!(table.game.outcome().is_some(), "the game is over");
    assert_eq!(results(&table.game), expected);
}

const ANA_WINS: &str = "1 Ana Test: Won 2, 2 Bo Test: Lost 0";
const BO_WINS: &str = "1 Ana Test: Lost 0, 2 Bo Test: Won 2";

#[test]
fn somebody_wins() {
    let treasure_and_fort = |table: &mut Table| {
        let member = |player| table.game.member(player).and_then(|member| member.start);
        let (treasure, fort) = (table.game.treasure(Player::First), member(Player::Second));
        table.goes(ANA, treasure.expect("a treasure"));
        table.goes(ANA, fort.expect("a fort"));
    };
    check(Table::charted("2022-debug", 1), treasure_and_fort, ANA_WINS);

    let starter = Table::charted("2022", 1).turn();
    let starter_loses = if starter == ANA { BO_WINS } else { ANA_WINS };
    check(Table::charted("2022", 1), |table| _ = table.rings(Timer::Think), starter_loses);
    check(Table::charted("2022", 1), |table| _ = table.rings(Timer::Game), starter_loses);
    let bad_half = |table: &mut Table| {
        let client = table.turn();
        table.does(client, send(half(&GOOD[1..])));
    };
    check(Table::begun("2022", 1), bad_half, starter_loses);
    let move_too_early = |table: &mut Table| {
        let client = table.turn();
        table.does(client, Command::Move { direction: Direction::Up });
    };
    check(Table::begun("2022", 1), move_too_early, starter_loses);
}

#[test]
fn both_lose() {
    let both = "1 Ana Test: Lost 0, 2 Bo Test: Lost 0";
    check(Table::begun("2017", 1), |table| _ = table.rings(Timer::Think), both);
    let idle = |table: &mut Table| {
        while table.game.outcome().is_none() {
            table.idles();
        }
    };
    check(Table::charted("2017", 1), idle, both);
}

#[test]
fn no_game_was_played() {
    let alone = || {
        let mut table = Table::new("2022", 1);
        table.does(ANA, register("Ana"));
        table
    };
    check(alone(), |table| _ = table.rings(Timer::Lobby), "");
    check(alone(), |table| _ = table.rings(Timer::Game), "");
    check(alone(), |table| _ = table.does(ANA, send(half(&GOOD))), "");
    check(alone(), |table| _ = table.does(0, Command::Remove {}), "");
    check(Table::charted("2022", 1), |table| _ = table.does(0, Command::Remove {}), "");
}
