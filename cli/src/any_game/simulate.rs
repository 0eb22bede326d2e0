//! `holdfast simulate` for any rulebook: plays many games among random players and reports their results.

use std::{
    collections::BTreeMap,
    error::Error,
    fmt::{self, Write},
    num::NonZero,
    time::{Duration, Instant},
};

use commlib::{Create, Refused};
use engine::Verdict;
use serde_json::{Value, json};
use server::{HostedGame, LocalGame};

use super::{MOST_CLIENTS, NoOffers, OfferCosts, RulebookArg, create};
use crate::{
    Answer, Failure, Program,
    output::ReportArgs,
    plural::{GAMES, counted},
    threads::on_all_cores,
};

/// The most commands of a game. A game with more is reported as unfinished.
const MOST_COMMANDS: u64 = 1_000_000;

/// How often the rules are asked for offers.
const MOMENTS: usize = 20_000;

/// Plays many games among random players or bots, and reports how they end.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    rulebook: RulebookArg,
    /// The scenario: its name or its text. [default: the first one of the rulebook]
    #[arg(long, value_name = "NAME|TEXT")]
    scenario: Option<String>,
    /// The number of players. [default: as many as the game has room for, up to 16]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_CLIENTS)))]
    players: Option<u32>,
    /// Bots of the rulebook that play, separated by commas: the players have them in turn. Seats that a scenario reserves have their
    /// own. [default: random players]
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    bots: Vec<String>,
    /// The number of games.
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// The seed of the first game; each further game has the next one.
    #[arg(long, default_value_t = 1, allow_negative_numbers = true)]
    seed: i64,
    /// The number of threads. [default: as many as the machine has cores]
    #[arg(long)]
    threads: Option<NonZero<usize>>,
    /// Also measure how long the rules need to say what a player can do now, on one core.
    #[arg(long)]
    offers: bool,
    #[command(flatten)]
    report: ReportArgs,
}

/// Runs the command.
///
/// # Errors
/// If there is no such rulebook, or the scenario is refused.
pub fn run(program: &Program, arguments: &Arguments) -> Result<Answer, Failure> {
    let game = arguments.rulebook.game(program)?;
    let create = create(game, arguments.scenario.as_deref(), None);
    check_bots(game, &arguments.bots)?;
    let start = |seed: i64| game.local(&create, seed, arguments.players.unwrap_or(MOST_CLIENTS), &arguments.bots);
    start(arguments.seed)?;
    let since = Instant::now();
    let tallies = on_all_cores(arguments.games, arguments.threads, |tally: &mut Tally, number| {
        tally.play(start(arguments.seed.wrapping_add_unsigned(number)));
    });
    let tally = tallies.into_iter().fold(Tally::default(), Tally::merge);
    let took = since.elapsed();
    if tally.commands == 0 {
        return Err(NoOffers { rulebook: game.name() }.into());
    }
    let players = arguments.players.unwrap_or(MOST_CLIENTS);
    let offers = match arguments.offers {
        true => OfferCosts::measure(game, &create, players, arguments.seed, MOMENTS)?,
        false => None,
    };
    let text = || {
        let offers = offers.map(|costs| format!("offers of a player: {costs}\n")).unwrap_or_default();
        tally.text(game, &create, arguments, took) + &offers
    };
    let json = || {
        let mut report = tally.json(game, &create, arguments, took);
        if let Some(costs) = offers {
            report["offers"] = costs.json();
        }
        report
    };
    Ok(arguments.report.answer(true, text, json))
}

/// No bot of the rulebook has this name, or none can play in this process.
#[derive(Debug)]
struct UnknownBot {
    rulebook: &'static str,
    name: String,
    known: Vec<&'static str>,
}

impl fmt::Display for UnknownBot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rulebook, name, known } = self;
        match known.as_slice() {
            [] => write!(f, "no bot of {rulebook} can be simulated; `arena` lets them play"),
            known => write!(f, "no bot {name}; there are {}", known.join(", ")),
        }
    }
}

impl Error for UnknownBot {}

fn check_bots(game: &dyn HostedGame, bots: &[String]) -> Result<(), UnknownBot> {
    let known = game.local_bots();
    match bots.iter().find(|bot| !known.contains(&bot.as_str())) {
        Some(name) => Err(UnknownBot { rulebook: game.name(), name: name.clone(), known }),
        None => Ok(()),
    }
}

/// Sums over games.
#[derive(Default)]
struct Tally {
    games: u64,
    outcomes: BTreeMap<String, u64>,
    /// Wins, draws and losses of each seat.
    seats: Vec<[u64; 3]>,
    commands: u64,
    events: u64,
}

impl Tally {
    fn play(&mut self, started: Result<Box<dyn LocalGame>, Refused>) {
        let Ok(mut game) = started else { return };
        while game.counts().0 < MOST_COMMANDS && game.step() {}
        let (commands, events) = game.counts();
        self.games += 1;
        self.commands += commands;
        self.events += events;
        *self.outcomes.entry(game.outcome().unwrap_or_else(|| "unfinished".into())).or_default() += 1;
        for (seat, result) in game.results().into_iter().enumerate() {
            self.seats.resize(self.seats.len().max(seat + 1), [0; 3]);
            let verdict = match result.verdict {
                Verdict::Won => 0,
                Verdict::Drawn => 1,
                Verdict::Lost => 2,
            };
            self.seats[seat][verdict] += 1;
        }
    }

    fn merge(mut self, other: Self) -> Self {
        for (outcome, count) in other.outcomes {
            *self.outcomes.entry(outcome).or_default() += count;
        }
        self.seats.resize(self.seats.len().max(other.seats.len()), [0; 3]);
        for (all, more) in self.seats.iter_mut().zip(other.seats) {
            all.iter_mut().zip(more).for_each(|(all, more)| *all += more);
        }
        self.games += other.games;
        self.commands += other.commands;
        self.events += other.events;
        self
    }

    fn share(&self, count: u64) -> f64 {
        100.0 * count as f64 / self.games.max(1) as f64
    }

    fn text(&self, game: &dyn HostedGame, create: &Create, arguments: &Arguments, took: Duration) -> String {
        let mut text = format!(
            "{} of {} ({}), {}, seeds from {}\n",
            counted(self.games, GAMES),
            game.name(),
            create.scenario,
            if arguments.bots.is_empty() { "random players".into() } else { arguments.bots.join(", ") },
            arguments.seed
        );
        let width = self.outcomes.keys().map(|outcome| outcome.chars().count()).max().unwrap_or_default().max(12);
        let mut line = |name: &str, value: String| {
            writeln!(text, "  {name:<width$} {value}").expect("a string takes everything");
        };
        for (outcome, count) in &self.outcomes {
            line(outcome, format!("{:.1} %", self.share(*count)));
        }
        for (seat, [won, drawn, lost]) in self.seats.iter().enumerate() {
            let name = format!("seat {}", seat + 1);
            let [won, drawn, lost] = [won, drawn, lost].map(|count| self.share(*count));
            line(&name, format!("won {won:.1} %, drawn {drawn:.1} %, lost {lost:.1} %"));
        }
        line("commands", format!("{:.1} a game", self.commands as f64 / self.games.max(1) as f64));
        let seconds = took.as_secs_f64();
        let (commands, events) = (self.commands as f64 / seconds, self.events as f64 / seconds);
        line("speed", format!("{commands:.0} commands/s, {events:.0} events/s, players included"));
        text
    }

    fn json(&self, game: &dyn HostedGame, create: &Create, arguments: &Arguments, took: Duration) -> Value {
        let seats = self.seats.iter().map(|[won, drawn, lost]| json!({"won": won, "drawn": drawn, "lost": lost}));
        let seconds = took.as_secs_f64();
        json!({
            "rulebook": game.name(),
            "scenario": create.scenario,
            "seed": arguments.seed,
            "games": self.games,
            "outcomes": self.outcomes,
            "seats": seats.collect::<Vec<_>>(),
            "commands": self.commands,
            "events": self.events,
            "seconds": seconds,
            "commands_per_second": self.commands as f64 / seconds,
            "events_per_second": self.events as f64 / seconds,
        })
    }
}
