//! Timers, and who loses when they fire.

use engine::{CommId, Rulebook};
use treasure_rules::{Command, Direction, Standing, Timer};

use crate::table::{ANA, BO, GOOD_2017, Table, half, register, send};

#[test]
fn nobody_comes() {
    let mut table = Table::new("2022", 1);
    table.does(ANA, register("Ana"));
    assert_eq!(table.rings(Timer::Lobby), "over: removed: there were not two players in time");
    let mut table = Table::new("2022-debug", 1);
    assert_eq!(table.timers(), [(Timer::Game, Some(600_000))], "a debug game waits longer");
    table.does(ANA, register("Ana"));
    assert_eq!(table.rings(Timer::Game), "over: removed: ran out of the game's time");
    assert_eq!(table.view(ANA).standing(), Some(Standing::MustWait), "no player has lost");
    assert_eq!(Table::new("2017", 1).timers(), []);
}

#[test]
fn thinking_in_2022() {
    let mut table = Table::begun("2022", 1);
    let starter = table.turn();
    assert_eq!(table.rings(Timer::Think), lost(starter, "thought too long"));
    assert_eq!(table.timers(), [(Timer::Think, None), (Timer::Game, None), (Timer::Lobby, None)]);

    let mut table = Table::charted("2022", 1);
    assert_eq!(table.timers(), [(Timer::Think, Some(5_000))]);
    table.idles();
    assert_eq!(table.timers(), [(Timer::Think, Some(5_000))], "each action has its own time");
    let late = table.turn();
    assert_ne!(late, starter);
    assert_eq!(table.rings(Timer::Think), lost(late, "thought too long"));

    let mut table = Table::charted("2022-debug", 1);
    table.idles();
    assert_eq!(table.timers(), [], "a debug game has no think time");
}

#[test]
fn thinking_in_2017() {
    let mut table = Table::begun("2017", 1);
    assert_eq!(table.timers(), [(Timer::Lobby, None), (Timer::Think, Some(3_000))], "with the second registration");
    assert_eq!(table.rings(Timer::Think), "over: nobody wins: thought too long", "neither half came");
    for (quick, late) in [(ANA, BO), (BO, ANA)] {
        let mut table = Table::begun("2017", 1);
        table.does(quick, send(half(&GOOD_2017)));
        assert_eq!(table.timers(), [], "the other has no more time than before");
        assert_eq!(table.rings(Timer::Think), lost(late, "thought too long"));
    }
    let mut table = Table::charted("2017", 1);
    assert_eq!(table.timers(), [(Timer::Think, Some(3_000))]);
    table.idles();
    assert_eq!(table.timers(), [(Timer::Think, Some(3_000))]);
    assert_eq!(table.rings(Timer::Think), lost(BO, "thought too long"));
}

#[test]
fn the_games_time() {
    let mut table = Table::charted("2022-debug", 1);
    table.idles();
    let late = table.turn();
    assert_eq!(table.rings(Timer::Game), lost(late, "ran out of the game's time"));

    // A restart of the process restarts the timer, but not the game's clock.
    let mut table = Table::charted("2022-debug", 1);
    table.elapsed = 599_999;
    table.idles();
    assert_eq!(table.game.outcome(), None, "the last millisecond counts");
    table.elapsed = 600_000;
    let late = table.turn();
    let over = "failed GameOver: The game is over; nothing changes any more.";
    let said = table.does(ANA + BO - late, Command::Move { direction: Direction::Right });
    assert_eq!(said, format!("{over}; {}", lost(late, "ran out of the game's time")));
    let hears = table.outbox.events().next().map(|(audience, _)| audience);
    assert_eq!(hears, Some(engine::Audience::Only(CommId(ANA + BO - late))));
}

fn lost(client: u32, how: &str) -> String {
    let [winner, loser] = if client == BO { ["first", "second"] } else { ["second", "first"] };
    format!("over: the {winner} player wins: the {loser} player {how}")
}
