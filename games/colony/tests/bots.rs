//! Tests the bots: their commands are legal, and `planner` wins more often than `sensible`.

use std::time::Duration;

use colony::{Bot, Budget, STRATEGIES, planner, strategy, table::Table};
use colony_rules::{Asked, Command, Event, Game, Outcome, Setup, View};
use engine::{JavaRandom, Rulebook};

fn setup(scenario: &str) -> Setup {
    let text = colony::scenario(scenario).expect("a built-in scenario");
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

/// `sensible` sends only legal commands: it would repeat a refused one endlessly.
#[test]
fn sensible_is_never_refused() {
    for scenario in colony::scenario_names() {
        let setup = setup(scenario);
        for players in 1..=usize::from(setup.scenario.max_players) {
            for seed in 0..60 {
                assert_eq!(refusals(&mut table(&setup, seed, "sensible", players)), 0, "{scenario}, seed {seed}");
            }
        }
    }
}

/// `planner` looks ahead with the real rules, in every edition and with any number of players.
#[test]
fn planner_is_never_refused() {
    for scenario in colony::scenario_names() {
        let setup = setup(scenario);
        for players in 1..=usize::from(setup.scenario.max_players) {
            let mut game = Table::new(&setup, players as i64, &vec![Bot::Planner(4); players]);
            assert_eq!(refusals(&mut game), 0, "{scenario}, {players} players");
            assert!(game.game().outcome().is_some(), "{scenario}, {players} players");
        }
    }
}

/// `planner` wins more often than `sensible`, even with few games or little time. The figures with its usual budget are in
/// docs/colony.md.
#[test]
fn planner_wins_more_often() {
    const GAMES: i64 = 24;
    let setup = setup("winter");
    let wins = |won: &dyn Fn(i64) -> bool| (1..=GAMES).filter(|&seed| won(seed)).count();
    let sensible = wins(&|seed| table(&setup, seed, "sensible", 5).finish() == Outcome::Won);
    let planner = wins(&|seed| Table::new(&setup, seed, &[Bot::Planner(4); 5]).finish() == Outcome::Won);
    let timed = wins(&|seed| timed_game(&setup, seed, 5, |view, random| timed(view, random, 40).0));
    println!("of {GAMES} games of winter sensible wins {sensible}, planner {planner}, and with little time {timed}");
    assert!(planner > sensible && timed > sensible, "{planner}, {timed} and {sensible} of {GAMES}");
}

/// `planner` stops thinking at the first clock reading after its limit, and its command is still legal.
#[test]
fn planner_keeps_to_its_time() {
    let sensible = strategy("sensible").expect("a known strategy").bot;
    for scenario in colony::scenario_names() {
        let setup = setup(scenario);
        for limit in [0, 1, 2, 9, 60] {
            let mut thought = 0;
            timed_game(&setup, 3, setup.scenario.max_players.into(), |view, random| {
                let (command, looks) = timed(view, random, limit);
                // With only one legal command, the planner does not read the clock.
                assert!(looks == 0 || looks == limit.max(1), "{looks} looks at the clock for a limit of {limit}");
                thought += usize::from(looks > 0);
                if limit <= 1 {
                    assert_eq!(command, sensible.decide(view, random), "without time there is no better idea");
                }
                command
            });
            assert!(thought > 20, "{scenario}: {thought} things to think about");
        }
    }
}

/// Runs the planner with a clock that advances by a millisecond each time it is read. Returns how often it was read.
fn timed(view: &View, random: &mut JavaRandom, limit: u64) -> (Command, u64) {
    let mut looks = 0;
    let mut clock = || {
        looks += 1;
        Duration::from_millis(looks)
    };
    let command = planner(view, random, Budget::Time(Duration::from_millis(limit), &mut clock));
    (command, looks)
}

/// Plays a game in which every player uses `decide`. Returns whether it is won. No command may be refused.
fn timed_game(
    setup: &Setup,
    seed: i64,
    players: usize,
    mut decide: impl FnMut(&View, &mut JavaRandom) -> Command,
) -> bool {
    let (mut game, mut random) = (table(setup, seed, "sensible", players), JavaRandom::new(seed));
    while let Some((client, usual)) = game.next_command() {
        let view = game.game().view(client);
        let command = if view.asked == Asked::Nothing { usual } else { decide(&view, &mut random) };
        game.play(client, command.clone());
        assert!(!game.outbox().events().any(|(_, event)| Game::is_refusal(event)), "{command:?} is refused");
    }
    game.game().outcome() == Some(Outcome::Won)
}

#[test]
fn random_is_refused_now_and_then() {
    let setup = setup("winter");
    let mut game = table(&setup, 1, "random", 5);
    let refused = refusals(&mut game);
    assert!(refused > 0 && (refused as u64) < game.commands, "{refused} of {}", game.commands);
}

/// `sensible` wins between 20 % and 80 % of the games of winter.
#[test]
fn winter_is_a_game() {
    let setup = setup("winter");
    let wins = (1..=1000).filter(|&seed| table(&setup, seed, "sensible", 5).finish() == Outcome::Won).count();
    println!("sensible wins {wins} of 1000 games of winter");
    assert!((200..=800).contains(&wins), "{wins} of 1000");
}

/// The same view and the same generator give the same command.
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
                assert_eq!(strategy.bot.decide(&view, &mut one), strategy.bot.decide(&view.clone(), &mut other));
                assert_eq!(one, other);
            }
            game.play(client, command);
        }
        assert!(asked > 100, "{} was asked {asked} times", strategy.name);
    }
}

/// Games among bots have votes, and the votes are decided.
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
