//! `holdfast arena`: compares strategies on the same seeds of scenarios.

use std::{
    fmt::Write,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use crate::{Colony, Strategy, table::Table};
use colony_rules::{EditionChoice, Game, Outcome, Setup};
use commlib::Create;
use engine::Rulebook;
use serde_json::{Value, json};
use server::Erased;

use super::{
    error::CommandError,
    games::{self, strategies},
};
use cli::{
    Answer, Failure,
    any_game::arena::{self, ForeignBot, ProgramGame, ProgramGames},
    duration,
    output::{Out, ReportArgs},
    plural::{GAMES, PLAYERS, counted},
    threads::on_all_cores,
    wilson::{difference, interval},
};

/// Plays every strategy on the same seeds of every scenario, and reports how often each wins and by how much they differ.
#[derive(Debug, clap::Args)]
#[command(after_help = strategies())]
pub(crate) struct Arguments {
    /// The strategies, separated by commas. All players of a game have the same one.
    #[arg(long, default_value = "sensible,planner", value_delimiter = ',', value_name = "NAMES")]
    strategies: Vec<String>,
    /// The scenarios, separated by commas: files, or names of built-in ones.
    #[arg(long, default_value = "winter", value_delimiter = ',', value_name = "FILES|NAMES")]
    scenarios: Vec<String>,
    /// The number of players. [default: as many as a scenario has room for]
    #[arg(long)]
    players: Option<u16>,
    /// The number of games of each scenario with each strategy.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// The seed of the first game; each further game has the next one.
    #[arg(long, default_value_t = 1, allow_negative_numbers = true)]
    seed: i64,
    /// The time that planner thinks about a command, such as 50ms; a number without a unit is milliseconds. Without it, planner plays
    /// a fixed number of games, and the results are the same on every machine.
    #[arg(long, value_name = "TIME", value_parser = duration::in_milliseconds)]
    think: Option<Duration>,
    /// Add a program as a strategy. It is started for each seat of each of its games; `holdfast help arena` for another rulebook
    /// describes what it has to do. Can be given several times.
    #[arg(long = "bot", value_name = "NAME=COMMAND", value_parser = ForeignBot::parse)]
    programs: Vec<ForeignBot>,
    /// How long a game may wait for a program, such as 2s; a number without a unit is milliseconds. A game with a slower one is lost.
    #[arg(long, default_value = "10s", value_name = "TIME",
          value_parser = duration::within(duration::in_milliseconds, Duration::from_millis(10)..=Duration::from_secs(3600)))]
    time: Duration,
    /// Also save the figures to this file: `.json` for one object, `.csv` for a table.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    report: ReportArgs,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Answer, Failure> {
    let form = arguments.out.as_deref().map(Form::from_extension).transpose()?;
    let mut strategies: Vec<Strategy> =
        arguments.strategies.iter().map(|name| games::strategy(name)).collect::<Result<_, _>>()?;
    games::let_think(&mut strategies, arguments.think)?;
    let scenarios: Vec<Scenario> =
        arguments.scenarios.iter().map(|name| Scenario::new(name, arguments.players)).collect::<Result<_, _>>()?;

    let by_programs = play_programs(arguments, &scenarios)?;
    let played = scenarios.into_iter().zip(by_programs);
    let played: Vec<Played> =
        played.map(|(scenario, by_programs)| play(arguments, scenario, &strategies, by_programs)).collect();
    if let (Some(file), Some(form)) = (&arguments.out, form) {
        let saved = match form {
            Form::Json => format!("{}\n", json(&played)),
            Form::Csv => csv(&played),
        };
        let failed = |error| CommandError::Unwritable { file: file.clone(), error };
        let mut out = Out::file(file).map_err(failed)?;
        out.write(saved);
        out.end().map_err(failed)?;
    }
    Ok(arguments.report.answer(true, || played.iter().map(Played::text).collect(), || json(&played)))
}

fn json(played: &[Played]) -> Value {
    json!({ "scenarios": played.iter().map(Played::json).collect::<Vec<_>>() })
}

/// The format of the saved figures.
#[derive(Clone, Copy)]
enum Form {
    Json,
    Csv,
}

impl Form {
    fn from_extension(file: &Path) -> Result<Self, CommandError> {
        match file.extension().and_then(|extension| extension.to_str()) {
            Some("json") => Ok(Self::Json),
            Some("csv") => Ok(Self::Csv),
            Some(_) | None => Err(CommandError::ReportFormat { file: file.into() }),
        }
    }
}

/// The failures of programs that a report names. All of them are counted.
const NAMED_FAILURES: usize = 10;

struct Scenario {
    name: String,
    setup: Setup,
    players: u16,
}

impl Scenario {
    fn new(name: &str, players: Option<u16>) -> Result<Self, Failure> {
        let (label, setup) = games::setup(name, EditionChoice::default())?;
        let players = games::players(&label, &setup, players)?;
        Ok(Self { name: name.to_owned(), setup, players })
    }
}

/// The games of all programs: for each scenario and each program, the results of all seeds.
fn play_programs(arguments: &Arguments, scenarios: &[Scenario]) -> Result<Vec<Vec<Vec<ProgramGame>>>, Failure> {
    let seeds: Vec<i64> = (0..arguments.games).map(|game| arguments.seed.wrapping_add_unsigned(game)).collect();
    let games = |scenario: &Scenario| ProgramGames {
        game: &Erased::<Colony>::NEW,
        create: Create {
            rulebook: Some(Game::NAME.into()),
            scenario: (*scenario.setup.text).into(),
            edition: Some(scenario.setup.edition.name().into()),
            seed: None,
            timeout: None,
        },
        players: scenario.players.into(),
        time: arguments.time,
    };
    arena::play_programs(scenarios.iter().map(games).collect(), &arguments.programs, &seeds)
}

fn play(
    arguments: &Arguments,
    scenario: Scenario,
    strategies: &[Strategy],
    by_programs: Vec<Vec<ProgramGame>>,
) -> Played {
    let sums = on_all_cores(arguments.games, None, |sums: &mut Sums, game| {
        let seed = arguments.seed.wrapping_add_unsigned(game);
        let mut won: Vec<bool> = strategies
            .iter()
            .enumerate()
            .map(|(at, strategy)| {
                let mut table = Table::new(&scenario.setup, seed, &vec![strategy.bot; scenario.players.into()]);
                sums.think(at, &mut table)
            })
            .collect();
        won.extend(by_programs.iter().map(|games| games.get(game as usize).is_some_and(|(won, _)| *won)));
        sums.add(&won);
    });
    let named = strategies.iter().map(|strategy| strategy.name).chain(arguments.programs.iter().map(|bot| &*bot.name));
    let failures = arguments.programs.iter().zip(by_programs).flat_map(|(bot, games)| {
        let failed = |(game, (_, why)): (usize, ProgramGame)| Some((bot.name.clone(), game + 1, why?));
        games.into_iter().enumerate().filter_map(failed).collect::<Vec<_>>()
    });
    Played {
        seed: arguments.seed,
        games: arguments.games,
        think: arguments.think,
        strategies: named.map(str::to_owned).collect(),
        failures: failures.collect(),
        sums: sums.into_iter().fold(Sums::default(), Sums::merge),
        scenario,
    }
}

/// Sums over the games of a scenario; one row for each strategy.
#[derive(Default)]
struct Sums {
    rows: Vec<Row>,
}

#[derive(Clone, Default)]
struct Row {
    won: u64,
    /// For each other strategy: how often this one won a seed that the other lost.
    won_alone: Vec<u64>,
    commands: u64,
    thinking: Duration,
}

impl Sums {
    /// Plays to the end. Returns whether the game was won.
    fn think(&mut self, strategy: usize, table: &mut Table) -> bool {
        let row = self.row(strategy);
        loop {
            let since = Instant::now();
            let next = table.next_command();
            row.thinking += since.elapsed();
            let Some((client, command)) = next else { break };
            table.play(client, command);
        }
        row.commands += table.commands;
        table.game().outcome() == Some(Outcome::Won)
    }

    /// Adds the results of all strategies on one seed.
    fn add(&mut self, won: &[bool]) {
        for (at, &own) in won.iter().enumerate() {
            let row = self.row(at);
            row.won += u64::from(own);
            row.won_alone.resize(won.len(), 0);
            row.won_alone.iter_mut().zip(won).for_each(|(alone, &other)| *alone += u64::from(own && !other));
        }
    }

    fn row(&mut self, strategy: usize) -> &mut Row {
        if self.rows.len() <= strategy {
            self.rows.resize_with(strategy + 1, Row::default);
        }
        &mut self.rows[strategy]
    }

    fn merge(mut self, other: Self) -> Self {
        for (at, other) in other.rows.into_iter().enumerate() {
            let row = self.row(at);
            row.won += other.won;
            row.commands += other.commands;
            row.thinking += other.thinking;
            row.won_alone.resize(other.won_alone.len().max(row.won_alone.len()), 0);
            row.won_alone.iter_mut().zip(other.won_alone).for_each(|(alone, more)| *alone += more);
        }
        self
    }
}

/// The results of all games of a scenario.
struct Played {
    scenario: Scenario,
    seed: i64,
    games: u64,
    think: Option<Duration>,
    strategies: Vec<String>,
    /// Games that a program lost by a failure, or that have no result: the program, the number of the game, and the reason.
    failures: Vec<(String, usize, String)>,
    sums: Sums,
}

/// How often a strategy won.
struct Standing<'p> {
    strategy: &'p str,
    won: f64,
    interval: (f64, f64),
    decision: Duration,
}

/// The difference between the win rates of a strategy and an earlier one.
struct Comparison<'p> {
    strategy: &'p str,
    against: &'p str,
    difference: f64,
    interval: (f64, f64),
}

impl Played {
    fn standings(&self) -> impl Iterator<Item = Standing<'_>> {
        self.strategies.iter().zip(&self.sums.rows).map(|(strategy, row)| Standing {
            strategy,
            won: row.won as f64 / self.games.max(1) as f64,
            interval: interval(row.won, self.games),
            decision: row.thinking.div_f64(row.commands.max(1) as f64),
        })
    }

    /// Compares every strategy with every strategy that was named before it.
    fn comparisons(&self) -> impl Iterator<Item = Comparison<'_>> {
        let rows = &self.sums.rows;
        let pairs = (0..rows.len()).flat_map(|at| (0..at).map(move |before| (at, before)));
        pairs.map(|(at, before)| {
            let (difference, interval) = difference(rows[at].won_alone[before], rows[before].won_alone[at], self.games);
            Comparison { strategy: &self.strategies[at], against: &self.strategies[before], difference, interval }
        })
    }

    fn text(&self) -> String {
        let Self { scenario: Scenario { name, setup, players }, seed, games, .. } = self;
        let (games, players) = (counted(*games, GAMES), counted(*players, PLAYERS));
        let mut text = format!("{games} of {name} ({}), {players}, seeds from {seed}\n", setup.edition);
        let mut line = |line: String| writeln!(text, "  {line}").expect("a string takes everything");
        for Standing { strategy, won, interval: (low, high), decision } in self.standings() {
            let (won, low, high) = (100.0 * won, 100.0 * low, 100.0 * high);
            let micros = decision.as_secs_f64() * 1e6;
            line(format!(
                "{strategy:<22} won {won:.1} % (95 % interval {low:.1} to {high:.1}), {micros:.1} us a command"
            ));
        }
        for Comparison { strategy, against, difference, interval: (low, high) } in self.comparisons() {
            let (difference, low, high) = (100.0 * difference, 100.0 * low, 100.0 * high);
            let pair = format!("{strategy} - {against}");
            line(format!("{pair:<22} {difference:+.1} points (95 % interval {low:+.1} to {high:+.1})"));
        }
        for (program, game, why) in self.failures.iter().take(NAMED_FAILURES) {
            line(format!("{program} lost game {game} because of {why}"));
        }
        if self.failures.len() > NAMED_FAILURES {
            line(format!("and {} more", self.failures.len() - NAMED_FAILURES));
        }
        if let Some(think) = self.think {
            let ms = think.as_millis();
            line(format!("planner had {ms} ms for a command: the results depend on the machine"));
        }
        text
    }

    fn json(&self) -> Value {
        let standings = self.standings().map(|Standing { strategy, won, interval: (low, high), decision }| {
            let decision = decision.as_secs_f64() * 1e6;
            json!({ "strategy": strategy, "win_rate": won, "win_rate_95": [low, high], "decision_us": decision })
        });
        let comparisons = self.comparisons().map(|Comparison { strategy, against, difference, interval: (low, high) }| {
            json!({ "strategy": strategy, "against": against, "difference": difference, "difference_95": [low, high] })
        });
        json!({
            "scenario": self.scenario.name,
            "edition": self.scenario.setup.edition.name(),
            "players": self.scenario.players,
            "seed": self.seed,
            "games": self.games,
            "think_ms": self.think.map(|think| think.as_millis() as u64),
            "strategies": standings.collect::<Vec<_>>(),
            "differences": comparisons.collect::<Vec<_>>(),
            "failures": self.failures.iter().map(|(program, game, why)| {
                json!({ "strategy": program, "game": game, "why": why })
            }).collect::<Vec<_>>(),
        })
    }
}

/// One row for each strategy, and one for each pair of strategies. In the rows of pairs, the share is the difference.
fn csv(played: &[Played]) -> String {
    let mut text =
        "scenario,edition,players,seed,games,strategy,against,share,low,high,decision_us,think_ms\n".to_owned();
    for one in played {
        let Played { scenario: Scenario { name, setup, players }, seed, games, .. } = one;
        let think = one.think.map(|think| think.as_millis().to_string()).unwrap_or_default();
        let mut row = |rest: String| {
            writeln!(text, "{},{},{players},{seed},{games},{rest},{think}", field(name), setup.edition.name())
                .expect("a string takes everything");
        };
        for Standing { strategy, won, interval: (low, high), decision } in one.standings() {
            row(format!("{strategy},,{won},{low},{high},{}", decision.as_secs_f64() * 1e6));
        }
        for Comparison { strategy, against, difference, interval: (low, high) } in one.comparisons() {
            row(format!("{strategy},{against},{difference},{low},{high},"));
        }
    }
    text
}

/// Quotes a field if necessary.
fn field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}
