//! `holdfast project arena`: compares strategies in simulated time.

use std::fmt::Write;

use cli::{
    output::{Answer, ReportArgs},
    threads::on_all_cores,
    wilson::{difference, interval},
};
use project_rules::{Setup, Team};
use serde_json::{Value, json};

use super::{config, error::ProgramError};
use crate::players::{
    Costs, Strategy,
    arena::{self, Played},
};

/// Compares strategies: simulates games between teams in this process and prints win rates.
///
/// Two strategies play two games on each seed, each as Blue in one of them. Time is simulated, so the results are the same
/// on every machine.
#[derive(Debug, clap::Args)]
#[command(after_help = format!("{}\n\n{}", super::player::strategies(), config::help()))]
pub(crate) struct Arguments {
    /// Strategies, separated by commas. Each one plays against every one before it, with the same strategy for a whole team.
    #[arg(long, default_value = "random,solo,team", value_delimiter = ',', value_name = "NAMES", value_parser = super::player::parse_strategy)]
    strategies: Vec<Strategy>,
    /// Configuration of the games: the name of a built-in one, or a file in XML or in the JSON of a log. If its actions take no
    /// time, the usual costs apply.
    #[arg(long, alias = "scenario", default_value = "team", value_name = "NAME|FILE")]
    config: String,
    /// Number of players in a team, instead of the number in the configuration.
    #[arg(long, value_name = "N")]
    players: Option<i32>,
    /// Number of seeds on which two strategies play.
    #[arg(long, default_value_t = 100, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,
    /// The first seed.
    #[arg(long, default_value_t = 1, allow_negative_numbers = true, value_name = "N")]
    seed: i64,
    #[command(flatten)]
    report: ReportArgs,
}

pub(super) fn run(arguments: &Arguments) -> Result<Answer, ProgramError> {
    let setup = setup(&arguments.config, arguments.players)?;
    let Arguments { seeds, seed, .. } = *arguments;
    let strategies = &arguments.strategies;
    let mut matches = Vec::new();
    for (at, one) in strategies.iter().enumerate() {
        for other in &strategies[..at] {
            let sums = on_all_cores(seeds, None, |sums: &mut Sums, pair| {
                sums.play(&setup, seed.wrapping_add_unsigned(pair), *one, *other);
            });
            matches.push(Match { one: *one, other: *other, sums: sums.into_iter().fold(Sums::default(), Sums::merge) });
        }
    }
    let last = seed.wrapping_add_unsigned(seeds - 1);
    let (config, title) = (&arguments.config, setup.title());
    let text = || {
        let mut text = format!("{config} ({title}), two games on each of the seeds {seed} to {last}\n");
        let heads =
            ["", "won", "lost", "tie", "won, 95 % interval", "better by pairs, 95 %", "goals", "length", "asked"];
        line(&mut text, heads);
        for played in &matches {
            line(&mut text, played.cells(seeds).each_ref().map(String::as_str));
        }
        text
    };
    let json = || {
        let matches: Vec<Value> = matches.iter().map(|played| played.json(seeds)).collect();
        json!({ "config": config, "title": title, "first_seed": seed, "last_seed": last, "matches": matches })
    };
    Ok(arguments.report.answer(true, text, json))
}

fn line(text: &mut String, cells: [&str; 9]) {
    let [pair, won, lost, tie, share, pairs, goals, length, asked] = cells;
    let line = format!(
        "  {pair:<14} {won:>5} {lost:>5} {tie:>4}  {share:<22} {pairs:<26} {goals:<12} {length:<8} {asked:<10}"
    );
    writeln!(text, "{}", line.trim_end()).expect("a string takes everything");
}

/// Loads a configuration. If it has no costs, uses sensible ones.
fn setup(config: &str, players: Option<i32>) -> Result<Setup, ProgramError> {
    let mut setup = config::load(config)?;
    if let Some(players) = players {
        setup.players_per_team = players;
        config::check(config, &setup)?;
    }
    if setup.costs == project_rules::Costs::default() {
        setup.costs = Costs::SENSIBLE.actions;
    }
    Ok(setup)
}

/// All games between two strategies.
struct Match {
    one: Strategy,
    other: Strategy,
    sums: Sums,
}

impl Match {
    fn json(&self, seeds: u64) -> Value {
        let Self { one, other, sums } = self;
        let games = 2 * seeds;
        let mean = |sum: u64| sum as f64 / games as f64;
        let (low, high) = interval(sums.won, games);
        let (by, (least, most)) = difference(sums.better, sums.worse, seeds);
        json!({
            "strategies": [one.name(), other.name()],
            "games": games,
            "won": sums.won,
            "lost": sums.lost,
            "tied": sums.ties,
            "won_share": { "value": mean(sums.won), "low": low, "high": high },
            "better_by_pairs": { "value": by, "low": least, "high": most },
            "mean_goals": sums.goals.map(mean),
            "mean_length_ms": mean(sums.length_ms),
            "mean_exchanges": sums.exchanges.map(mean),
        })
    }

    fn cells(&self, seeds: u64) -> [String; 9] {
        self.sums.cells(&format!("{} - {}", self.one.name(), self.other.name()), seeds)
    }
}

/// Sums over the games of two strategies, from the point of view of the first.
#[derive(Default)]
struct Sums {
    won: u64,
    lost: u64,
    ties: u64,
    /// The number of seeds on which the first strategy was better in both games together.
    better: u64,
    /// The number of seeds on which the first strategy was worse.
    worse: u64,
    goals: [u64; 2],
    exchanges: [u64; 2],
    length_ms: u64,
}

impl Sums {
    /// Plays both games of a seed.
    fn play(&mut self, setup: &Setup, seed: i64, one: Strategy, other: Strategy) {
        let as_blue = self.add(&arena::play(setup, seed, [one, other]), Team::Blue);
        let as_red = self.add(&arena::play(setup, seed, [other, one]), Team::Red);
        match as_blue + as_red {
            1.. => self.better += 1,
            0 => {}
            ..0 => self.worse += 1,
        }
    }

    /// Adds a game in which the first strategy had this team. Returns 1 if it won, and -1 if it lost.
    fn add(&mut self, played: &Played, team: Team) -> i32 {
        for (at, team) in [team, team.other()].into_iter().enumerate() {
            self.goals[at] += u64::from(played.goals[team as usize]);
            self.exchanges[at] += u64::from(played.exchanges[team as usize]);
        }
        self.length_ms += played.length_ms;
        match played.winner() {
            None => {
                self.ties += 1;
                0
            }
            Some(winner) if winner == team => {
                self.won += 1;
                1
            }
            Some(_) => {
                self.lost += 1;
                -1
            }
        }
    }

    fn merge(self, other: Self) -> Self {
        let add = |one: [u64; 2], other: [u64; 2]| [one[0] + other[0], one[1] + other[1]];
        Self {
            won: self.won + other.won,
            lost: self.lost + other.lost,
            ties: self.ties + other.ties,
            better: self.better + other.better,
            worse: self.worse + other.worse,
            goals: add(self.goals, other.goals),
            exchanges: add(self.exchanges, other.exchanges),
            length_ms: self.length_ms + other.length_ms,
        }
    }

    fn cells(&self, pair: &str, seeds: u64) -> [String; 9] {
        let games = 2 * seeds;
        let percent = |share: f64| 100.0 * share;
        let mean = |sum: u64| sum as f64 / games as f64;
        let (low, high) = interval(self.won, games);
        let (by, (least, most)) = difference(self.better, self.worse, seeds);
        [
            pair.to_owned(),
            self.won.to_string(),
            self.lost.to_string(),
            self.ties.to_string(),
            format!("{:.1} % ({:.1} to {:.1})", percent(self.won as f64 / games as f64), percent(low), percent(high)),
            format!("{:+.1} ({:+.1} to {:+.1})", percent(by), percent(least), percent(most)),
            format!("{:.2} : {:.2}", mean(self.goals[0]), mean(self.goals[1])),
            format!("{:.1} s", mean(self.length_ms) / 1000.0),
            format!("{:.1} : {:.1}", mean(self.exchanges[0]), mean(self.exchanges[1])),
        ]
    }
}
