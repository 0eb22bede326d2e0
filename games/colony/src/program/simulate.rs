//! `holdfast simulate`: plays many games among bots and reports their results.

use std::{
    collections::BTreeMap,
    fmt::Write,
    num::NonZero,
    time::{Duration, Instant},
};

use crate::{Bot, table::Table};
use colony_rules::{EditionChoice, Outcome, Setup};
use engine::Rulebook;
use serde_json::{Value, json};

use super::{
    error::CommandError,
    games::{self, name, strategies},
};
use cli::{
    Answer, Failure,
    output::ReportArgs,
    plural::{GAMES, PLAYERS, counted},
    threads::on_all_cores,
    wilson::interval,
};

/// Plays many games among bots, and reports how often they win.
#[derive(Debug, clap::Args)]
#[command(after_help = strategies())]
pub(crate) struct Arguments {
    /// The scenario: a file, or the name of a built-in one.
    #[arg(long, default_value = "winter", value_name = "FILE|NAME")]
    scenario: String,
    /// The number of players. [default: as many as the scenario has room for]
    #[arg(long)]
    players: Option<u16>,
    /// The strategy of all players, or a comma-separated list with one for each player.
    #[arg(long, default_value = "sensible", value_name = "NAMES")]
    bots: String,
    /// The number of games.
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// The seed of the first game; each further game has the next one.
    #[arg(long, default_value_t = 1, allow_negative_numbers = true)]
    seed: i64,
    /// The number of threads. [default: as many as the machine has cores]
    #[arg(long)]
    threads: Option<NonZero<usize>>,
    /// The edition: group, equipment, fate, or auto for the one that the scenario seems to be written for.
    #[arg(long, default_value = "auto")]
    edition: EditionChoice,
    #[command(flatten)]
    report: ReportArgs,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Answer, Failure> {
    let (setup, bots) = prepare(arguments)?;
    let since = Instant::now();
    let tally = play(arguments, &setup, &bots);
    let took = since.elapsed();
    Ok(arguments.report.answer(
        true,
        || tally.text(arguments, &setup, bots.len(), took),
        || tally.json(arguments, &setup, bots.len(), took),
    ))
}

fn prepare(arguments: &Arguments) -> Result<(Setup, Vec<Bot>), Failure> {
    let (label, setup) = games::setup(&arguments.scenario, arguments.edition)?;
    let players = games::players(&label, &setup, arguments.players)?;
    let names: Vec<&str> = arguments.bots.split(',').collect();
    if names.len() != 1 && names.len() != usize::from(players) {
        return Err(CommandError::StrategyCount { strategies: names.len(), players }.into());
    }
    let bots = (0..usize::from(players)).map(|seat| Ok(games::strategy(names[seat % names.len()])?.bot));
    Ok((setup, bots.collect::<Result<_, CommandError>>()?))
}

fn play(arguments: &Arguments, setup: &Setup, bots: &[Bot]) -> Tally {
    let tallies = on_all_cores(arguments.games, arguments.threads, |tally: &mut Tally, game| {
        let mut table = Table::new(setup, arguments.seed.wrapping_add_unsigned(game), bots);
        table.finish();
        tally.add(&table);
    });
    tallies.into_iter().fold(Tally::default(), Tally::merge)
}

/// Sums over games.
#[derive(Default)]
struct Tally {
    games: u64,
    outcomes: BTreeMap<&'static str, u64>,
    rounds: u64,
    morale: i64,
    survivors: u64,
    commands: u64,
    events: u64,
}

impl Tally {
    fn add(&mut self, table: &Table) {
        let board = table.game().board();
        self.games += 1;
        *self.outcomes.entry(board.outcome().map_or("unfinished", name)).or_default() += 1;
        self.rounds += u64::from(board.round);
        self.morale += board.morale;
        self.survivors += board.players.iter().map(|player| player.survivors.len() as u64).sum::<u64>();
        self.commands += table.commands;
        self.events += table.events;
    }

    fn merge(mut self, other: Self) -> Self {
        for (outcome, count) in other.outcomes {
            *self.outcomes.entry(outcome).or_default() += count;
        }
        self.games += other.games;
        self.rounds += other.rounds;
        self.morale += other.morale;
        self.survivors += other.survivors;
        self.commands += other.commands;
        self.events += other.events;
        self
    }

    fn wins(&self) -> u64 {
        self.outcomes.get(name(Outcome::Won)).copied().unwrap_or_default()
    }

    fn mean(&self, sum: f64) -> f64 {
        sum / self.games.max(1) as f64
    }

    fn text(&self, arguments: &Arguments, setup: &Setup, players: usize, took: Duration) -> String {
        let Arguments { scenario, bots, seed, .. } = arguments;
        let seconds = took.as_secs_f64();
        let mut text = format!(
            "{} of {scenario} ({}), {}, {bots}, seeds from {seed}\n",
            counted(self.games, GAMES),
            setup.edition,
            counted(players, PLAYERS)
        );
        let (low, high) = interval(self.wins(), self.games);
        let share = |count: u64| 100.0 * count as f64 / self.games as f64;
        let mut line = |name: &str, value: String| {
            writeln!(text, "  {name:<12} {value}").expect("a string takes everything");
        };
        let (low, high) = (100.0 * low, 100.0 * high);
        line("won", format!("{:.1} % (95 % interval {low:.1} to {high:.1})", share(self.wins())));
        for (outcome, &count) in &self.outcomes {
            if *outcome != name(Outcome::Won) {
                line(outcome, format!("{:.1} %", share(count)));
            }
        }
        line("rounds", format!("{:.1} on average", self.mean(self.rounds as f64)));
        line("morale", format!("{:.1} at the end", self.mean(self.morale as f64)));
        line("survivors", format!("{:.1} at the end", self.mean(self.survivors as f64)));
        let (commands, events) = (self.commands as f64 / seconds, self.events as f64 / seconds);
        line("speed", format!("{commands:.0} commands/s, {events:.0} events/s, bots included"));
        text
    }

    fn json(&self, arguments: &Arguments, setup: &Setup, players: usize, took: Duration) -> Value {
        let (low, high) = interval(self.wins(), self.games);
        let seconds = took.as_secs_f64();
        json!({
            "scenario": arguments.scenario,
            "edition": setup.edition.name(),
            "players": players,
            "bots": arguments.bots,
            "seed": arguments.seed,
            "games": self.games,
            "outcomes": self.outcomes,
            "win_rate": self.mean(self.wins() as f64),
            "win_rate_95": [low, high],
            "rounds": self.mean(self.rounds as f64),
            "morale": self.mean(self.morale as f64),
            "survivors": self.mean(self.survivors as f64),
            "commands": self.commands,
            "events": self.events,
            "seconds": seconds,
            "commands_per_second": self.commands as f64 / seconds,
            "events_per_second": self.events as f64 / seconds,
        })
    }
}
