//! How the bots play.

use clients::{Bot, STRATEGIES, planner, strategy, table::Table};
use colony::{Event, Game, Outcome, Setup};
use engine::{JavaRandom, Rulebook};

fn setup(scenario: &str) -> Setup {
    let text = resources::scenario(scenario).expect("a built-in scenario");
    Setup::new(text, None, None).expect("built-in scenarios are sound")
}

fn table(setup: &Setup, seed: i64, bot: &str, players: usize) -> Table {
    Table::new(setup, seed, &vec![strategy(bot).expect("a known strategy").bot; players])
}

/// Plays a game and counts the refusals.
fn refusals(table: &mut Table) -> usize {
    let mut refused = 0;
    while let Some((client, command)) = table.next_command() {
        table.play(client, command);
        refused += table.outbox().events().filter(|(_, event)| Game::is_refusal(event)).count();
    }
    refused
}

/// It checks what it tries: a refused command would come again for ever.
#[test]
fn sensible_is_never_refused() {
    for scenario in resources::scenario_names() {
        let setup = setup(scenario);
        for players in 1..=usize::from(setup.scenario.max_players) {
            for seed in 0..60 {
                assert_eq!(refusals(&mut table(&setup, seed, "sensible", players)), 0, "{scenario}, seed {seed}");
            }
        }
    }
}

/// It looks ahead with the real rules, in every edition and with any number of players.
#[test]
fn planner_is_never_refused() {
    for scenario in resources::scenario_names() {
        let setup = setup(scenario);
        for players in 1..=usize::from(setup.scenario.max_players) {
            let mut game = Table::new(&setup, players as i64, &vec![planner::<4> as Bot; players]);
            assert_eq!(refusals(&mut game), 0, "{scenario}, {players} players");
            assert!(game.game().outcome().is_some(), "{scenario}, {players} players");
        }
    }
}

/// Much better than `sensible`, even when it thinks little. The figures of the real one are in docs/colony.md.
#[test]
fn planner_wins_more_often() {
    const GAMES: i64 = 24;
    let setup = setup("winter");
    let sensible = (1..=GAMES).filter(|&seed| table(&setup, seed, "sensible", 5).finish() == Outcome::Won).count();
    let planner = |seed| Table::new(&setup, seed, &[planner::<4> as Bot; 5]).finish() == Outcome::Won;
    let planner = (1..=GAMES).filter(|&seed| planner(seed)).count();
    println!("of {GAMES} games of winter sensible wins {sensible} and planner {planner}");
    assert!(planner > sensible, "{planner} and {sensible} of {GAMES}");
}

#[test]
fn random_is_refused_now_and_then() {
    let setup = setup("winter");
    let mut game = table(&setup, 1, "random", 5);
    let refused = refusals(&mut game);
    assert!(refused > 0 && (refused as u64) < game.commands, "{refused} of {}", game.commands);
}

/// The flagship is neither lost nor won before it begins.
#[test]
fn winter_is_a_game() {
    let setup = setup("winter");
    let wins = (1..=1000).filter(|&seed| table(&setup, seed, "sensible", 5).finish() == Outcome::Won).count();
    println!("sensible wins {wins} of 1000 games of winter");
    assert!((200..=800).contains(&wins), "{wins} of 1000");
}

/// The same view and the same generator give the same command, and looking changes nothing.
#[test]
fn a_bot_is_a_pure_function() {
    let setup = setup("crossroads");
    for strategy in STRATEGIES {
        let mut game = table(&setup, 9, strategy.name, 4);
        let mut asked = 0;
        while let Some((client, command)) = game.next_command() {
            let view = game.game().view(client);
            if view.player.is_some() && asked < 200 {
                asked += 1;
                let (mut one, mut other) = (JavaRandom::new(asked), JavaRandom::new(asked));
                assert_eq!((strategy.bot)(&view, &mut one), (strategy.bot)(&view.clone(), &mut other));
                assert_eq!(one, other);
            }
            game.play(client, command);
        }
        assert!(asked > 100, "{} was asked {asked} times", strategy.name);
    }
}

/// Votes come up when bots play, and are decided.
#[test]
fn bots_vote() {
    let setup = setup("crossroads");
    let mut votes = 0;
    for seed in 0..30 {
        let mut game = table(&setup, seed, "sensible", 5);
        while let Some((client, command)) = game.next_command() {
            game.play(client, command);
            votes += game.outbox().events().filter(|(_, event)| matches!(event, Event::VoteResult { .. })).count();
        }
    }
    assert!(votes > 0);
}
