//! Measures how fast the engine folds games, on one thread, from a prepared setup into a reused outbox.
//!
//! Run it with `cargo xtask bench`. Every figure is the median of several runs. It is printed beside its limit from the same
//! run: the random draws of the same games without any rules.
#![allow(clippy::print_stdout, reason = "a benchmark is its output")]

use std::{fs, hint::black_box, time::Instant};

use colony::{strategy, table::Table};
use colony_rules::{Command, Event, Game, Setup, Timer};
use engine::{Cause, Chain, CommId, Input, JavaRandom, Outbox, Rulebook, Waiting};

const RUNS: usize = 9;

type Step = Input<Command, Timer>;

/// A game's seed and its commands, recorded before anything is timed.
struct Recorded {
    seed: i64,
    steps: Vec<Step>,
}

fn main() {
    let winter = colony::scenario("winter").expect("winter is built in");
    let setup = Setup::new(&lasting(winter), None, None).expect("winter is sound");
    let idle: Vec<Recorded> = (0..200).map(|seed| idle_game(&setup, seed)).collect();
    println!("two players who only end their turns, ten rounds of winter with morale for all of them:");
    let limit = games_per_second(&idle, |game| draws(&setup, game));
    println!("  {:<34} {limit:>10.0} games/s", "limit: the random draws alone");
    let mut bench = Bench::new(&setup);
    for (name, chained) in [("folded", false), ("folded, encoded and chained", true)] {
        let games = games_per_second(&idle, |game| bench.play(game, chained));
        let commands = bench.commands_once_started(&idle, chained);
        println!("  {name:<34} {games:>10.0} games/s ({:.0} % of the limit)", 100.0 * games / limit);
        println!("  {:<34} {commands:>10.0} commands/s once started", "");
    }

    let setup = Setup::new(winter, None, None).expect("winter is sound");
    let played: Vec<Recorded> = (0..200).map(|seed| random_game(&setup, seed)).collect();
    let per_game = played.iter().map(|game| game.steps.len()).sum::<usize>() as f64 / played.len() as f64;
    println!("five players of the random bot, {per_game:.0} commands a game, recorded before:");
    let mut bench = Bench::new(&setup);
    for (name, chained) in [("folded", false), ("folded, encoded and chained", true)] {
        let games = games_per_second(&played, |game| bench.play(game, chained));
        println!("  {name:<34} {games:>10.0} games/s, {:.0} commands/s", games * per_game);
    }
    println!("an entry of the log: {:.0} bytes on average", bench.entry_size(&played));
    if let Some(bytes) = bench.memory_per_game(&played) {
        println!("a game of winter in its middle: {:.1} KiB of memory, 10,000 held at once", bytes / 1024.0);
    }
}

/// Games per second: the median of several runs over all games.
fn games_per_second(games: &[Recorded], mut play: impl FnMut(&Recorded)) -> f64 {
    median(RUNS, || {
        let since = Instant::now();
        let mut count = 0;
        while since.elapsed().as_millis() < 300 {
            games.iter().for_each(&mut play);
            count += games.len();
        }
        count as f64 / since.elapsed().as_secs_f64()
    })
}

fn median(runs: usize, mut rate: impl FnMut() -> f64) -> f64 {
    let mut rates: Vec<f64> = (0..runs).map(|_| rate()).collect();
    rates.sort_by(f64::total_cmp);
    rates[runs / 2]
}

/// The parts that are reused from game to game.
struct Bench<'s> {
    setup: &'s Setup,
    outbox: Outbox<Event, Timer>,
    chain: Chain,
}

impl<'s> Bench<'s> {
    fn new(setup: &'s Setup) -> Self {
        Self { setup, outbox: Outbox::new(), chain: Chain::new(&[]) }
    }

    fn play(&mut self, recorded: &Recorded, chained: bool) {
        self.outbox.clear();
        let mut game = Game::start(self.setup, recorded.seed, &mut self.outbox);
        self.fold(&mut game, &recorded.steps, chained);
        assert!(black_box(&game).outcome().is_some(), "the game was played to its end");
    }

    fn fold(&mut self, game: &mut Game, steps: &[Step], chained: bool) {
        for step in steps {
            self.outbox.clear();
            game.fold(step, &mut self.outbox);
            if chained {
                black_box(self.chain.append(0, step, self.outbox.emissions()).digest);
            }
        }
    }

    /// Measures commands per second after the start. Registration and choices are played, but not timed.
    fn commands_once_started(&mut self, games: &[Recorded], chained: bool) -> f64 {
        // Few enough games to stay in the cache: the benchmark measures folding, not memory access.
        let games = &games[..16];
        let prepared = |game: &Recorded| game.steps.iter().position(is_end_turn).unwrap_or_default();
        let commands: usize = games.iter().map(|game| game.steps.len() - prepared(game)).sum();
        let started: Vec<Game> = games.iter().map(|game| self.game_after(game, prepared(game))).collect();
        median(RUNS * 200, || {
            let mut started = started.clone();
            let since = Instant::now();
            for (game, recorded) in started.iter_mut().zip(games) {
                self.fold(game, &recorded.steps[prepared(recorded)..], chained);
            }
            commands as f64 / since.elapsed().as_secs_f64()
        })
    }

    fn game_after(&mut self, recorded: &Recorded, steps: usize) -> Game {
        let mut game = Game::start(self.setup, recorded.seed, &mut self.outbox);
        self.fold(&mut game, &recorded.steps[..steps], false);
        game
    }

    fn entry_size(&mut self, games: &[Recorded]) -> f64 {
        let (mut bytes, mut entries) = (0, 0);
        for recorded in games {
            let mut game = Game::start(self.setup, recorded.seed, &mut self.outbox);
            for step in &recorded.steps {
                self.outbox.clear();
                game.fold(step, &mut self.outbox);
                bytes += self.chain.append(0, step, self.outbox.emissions()).bytes.len();
                entries += 1;
            }
        }
        bytes as f64 / f64::from(entries)
    }

    /// The memory of a half-played game in bytes, if the system reports memory.
    fn memory_per_game(&mut self, games: &[Recorded]) -> Option<f64> {
        const HELD: usize = 10_000;
        let mut held: Vec<Game> = Vec::with_capacity(HELD);
        // The first games allocate memory that later ones reuse, so they are played before the first measurement.
        held.extend(games.iter().map(|game| self.game_after(game, game.steps.len() / 2)));
        let (before, first) = (resident()?, held.len());
        held.extend(games.iter().cycle().take(HELD - first).map(|game| self.game_after(game, game.steps.len() / 2)));
        let after = resident()?;
        assert_eq!(black_box(&held).len(), HELD);
        Some((after - before) / (HELD - first) as f64)
    }
}

/// The resident memory of the process in bytes.
fn resident() -> Option<f64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse::<f64>().ok().map(|kib| kib * 1024.0)
}

/// The draws that every implementation needs: the shuffles of a game of two players, and its dice.
fn draws(setup: &Setup, recorded: &Recorded) {
    let scenario = &setup.scenario;
    let mut random = JavaRandom::new(recorded.seed);
    let mut sum = 0;
    let characters = scenario.characters.len();
    let stacks = scenario.locations.iter().map(|location| location.cards.len());
    for size in stacks.chain([scenario.crises.len(), characters, characters - 2, characters - 4]) {
        (2..=size).for_each(|left| sum += random.next_below(left as i32));
    }
    // Two players with two survivors each roll six dice a round, and a round has two commands.
    for _ in 0..recorded.steps.iter().filter(|step| is_end_turn(step)).count() * 3 {
        sum += random.next_below(6);
    }
    black_box(sum);
}

fn is_end_turn(step: &Step) -> bool {
    matches!(step.cause, Cause::Command { command: Command::EndTurn {}, .. })
}

/// Winter with so much morale that no game is lost early.
fn lasting(winter: &str) -> String {
    let at = winter.find("\"moral\":").expect("a goal has a morale") + "\"moral\":".len();
    let end = at + winter[at..].find([',', '}']).expect("a number ends");
    format!("{}100000{}", &winter[..at], &winter[end..])
}

/// A game of two players who only end their turns.
fn idle_game(setup: &Setup, seed: i64) -> Recorded {
    let mut outbox = Outbox::new();
    let mut game = Game::start(setup, seed, &mut outbox);
    let mut steps = Vec::new();
    let mut play = |client: u32, command: Command| {
        let step = Input { elapsed_ms: 0, cause: Cause::Command { client: CommId(client), command } };
        outbox.clear();
        game.fold(&step, &mut outbox);
        steps.push(step);
        let offered = outbox.events().find_map(|(_, event)| {
            let Event::Characters { c0, c1, .. } = event else { return None };
            Some(Command::SelectCharacters { first: *c0, second: *c1 })
        });
        (game.waiting_for(), offered)
    };
    play(1, Command::Register { name: "player 1".into() });
    play(2, Command::Register { name: "player 2".into() });
    let mut next = play(1, Command::StartGame {});
    while let (Waiting::One(CommId(client)), offered) = next {
        next = play(client, offered.unwrap_or(Command::EndTurn {}));
    }
    Recorded { seed, steps }
}

/// A game of five random bots.
fn random_game(setup: &Setup, seed: i64) -> Recorded {
    let bot = strategy("random").expect("there is a random bot").bot;
    let mut table = Table::new(setup, seed, &[bot; 5]);
    let mut steps = Vec::new();
    while let Some((client, command)) = table.next_command() {
        steps.push(Input { elapsed_ms: 0, cause: Cause::Command { client, command: command.clone() } });
        table.play(client, command);
    }
    Recorded { seed, steps }
}
