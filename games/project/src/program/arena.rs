//! `holdfast project arena`: strategies of players against each other, in a time that is only counted.

use std::fmt::Write;

use cli::{
    Answer,
    threads::on_all_cores,
    wilson::{difference, interval},
};
use project_rules::{Setup, Team};

use crate::players::{
    Costs, Strategy,
    arena::{self, Played},
};

/// Lets teams of players meet in this process and tells which strategy is better.
///
/// Two strategies play two games on each seed, each as Blue in one of them. No time passes but what actions cost, which is
/// only counted: the results are the same on every machine.
#[derive(Debug, clap::Args)]
#[command(after_help = super::player::strategies())]
pub(crate) struct Arguments {
    /// Which strategies, separated by commas: each meets every one before it. All players of a team have the same one.
    #[arg(long, default_value = "random,solo,team", value_delimiter = ',', value_name = "NAMES", value_parser = super::player::strategy)]
    strategies: Vec<Strategy>,
    /// What is played: small, duel, team or classic, or a configuration of a Game Master, in XML or as a log has it, in JSON.
    /// Where actions take no time there, they take what is sensible.
    #[arg(long, default_value = "team", value_name = "NAME|FILE")]
    scenario: String,
    /// How many players a team has, instead of what the scenario says.
    #[arg(long, value_name = "N")]
    players: Option<i32>,
    /// On how many seeds two strategies meet.
    #[arg(long, default_value_t = 100, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,
    /// The first seed.
    #[arg(long, default_value_t = 1, allow_negative_numbers = true, value_name = "N")]
    seed: i64,
}

pub(super) fn run(arguments: &Arguments) -> Result<Answer, String> {
    let setup = setup(&arguments.scenario, arguments.players)?;
    let Arguments { seeds, seed, scenario, .. } = arguments;
    let last = seed.wrapping_add_unsigned(seeds - 1);
    let mut text = format!("{scenario} ({}), two games on each of the seeds {seed} to {last}\n", setup.title());
    let heads = ["", "won", "lost", "tie", "won, 95 % interval", "better by pairs, 95 %", "goals", "length", "asked"];
    line(&mut text, heads);
    let strategies = &arguments.strategies;
    for (at, one) in strategies.iter().enumerate() {
        for other in &strategies[..at] {
            let sums = on_all_cores(*seeds, None, |sums: &mut Sums, pair| {
                sums.play(&setup, seed.wrapping_add_unsigned(pair), *one, *other);
            });
            let sums = sums.into_iter().fold(Sums::default(), Sums::merge);
            let cells = sums.cells(&format!("{} - {}", one.name(), other.name()), *seeds);
            line(&mut text, cells.each_ref().map(String::as_str));
        }
    }
    Ok(Answer { text, ok: true })
}

fn line(text: &mut String, cells: [&str; 9]) {
    let [pair, won, lost, tie, share, pairs, goals, length, asked] = cells;
    let line = format!(
        "  {pair:<14} {won:>5} {lost:>5} {tie:>4}  {share:<22} {pairs:<26} {goals:<12} {length:<8} {asked:<10}"
    );
    writeln!(text, "{}", line.trim_end()).expect("a string takes everything");
}

/// What is played, with sensible costs if it has none.
fn setup(scenario: &str, players: Option<i32>) -> Result<Setup, String> {
    let known = project_rules::SCENARIOS.iter().find(|(name, _)| *name == scenario).map(|(name, _)| (*name).to_owned());
    let text = match known {
        Some(name) => name,
        None => std::fs::read_to_string(scenario).map_err(|error| {
            let names: Vec<&str> = project_rules::SCENARIOS.iter().map(|(name, _)| *name).collect();
            format!("cannot read {scenario}: {error}; scenarios that need no file: {}\n", names.join(", "))
        })?,
    };
    let mut setup = if text.trim_start().starts_with('<') {
        crate::read_configuration(text.as_bytes())
            .map_err(|problems| problems.iter().map(|problem| format!("{scenario}: {problem}\n")).collect::<String>())?
    } else {
        Setup::new(&text).map_err(|error| format!("{scenario}: {error}\n"))?
    };
    if let Some(players) = players {
        setup.players_per_team = players;
        let problems = setup.check();
        if !problems.is_empty() {
            return Err(problems.iter().map(|problem| format!("{scenario}: {problem}\n")).collect());
        }
    }
    if setup.costs == project_rules::Costs::default() {
        setup.costs = Costs::SENSIBLE.actions;
    }
    Ok(setup)
}

/// Sums over the games of two strategies, as the first sees them.
#[derive(Default)]
struct Sums {
    won: u64,
    lost: u64,
    ties: u64,
    /// Seeds on which one of them was better in both games together.
    better: u64,
    worse: u64,
    goals: [u64; 2],
    exchanges: [u64; 2],
    length: u64,
}

impl Sums {
    /// Both games of a seed.
    fn play(&mut self, setup: &Setup, seed: i64, one: Strategy, other: Strategy) {
        let as_blue = self.add(&arena::play(setup, seed, [one, other]), Team::Blue);
        let as_red = self.add(&arena::play(setup, seed, [other, one]), Team::Red);
        match as_blue + as_red {
            1.. => self.better += 1,
            0 => {}
            ..0 => self.worse += 1,
        }
    }

    /// A game, in which the first strategy had this team: 1 when it won, -1 when it lost.
    fn add(&mut self, played: &Played, team: Team) -> i32 {
        for (at, team) in [team, team.other()].into_iter().enumerate() {
            self.goals[at] += u64::from(played.goals[team as usize]);
            self.exchanges[at] += u64::from(played.exchanges[team as usize]);
        }
        self.length += played.length;
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
            length: self.length + other.length,
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
            format!("{:.1} s", mean(self.length) / 1000.0),
            format!("{:.1} : {:.1}", mean(self.exchanges[0]), mean(self.exchanges[1])),
        ]
    }
}
