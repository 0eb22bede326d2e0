//! `holdfast load`: measures how long a host takes to answer bots on real connections.

use std::{iter, sync::Arc, time::Duration};

use super::{error::CommandError, games};
use crate::remote::{Plan, Player, keep_playing};
use clients::tally::{Sums, Tally};
use colony_rules::{EditionChoice, Setup};
use serde_json::{Value, json};
use tokio::{sync::Semaphore, task::JoinSet};

use cli::{
    Answer, Failure, duration, measure,
    output::ReportArgs,
    plural::{GAMES, PLAYERS, counted},
    serving::runtime,
    tls::ConnectOptions,
};

/// Plays games with bots on a host, and reports how many commands it takes and how long each waits for its answer.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    host: ConnectOptions,
    /// The number of games that are played at the same time. When one ends, another begins.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// The number of players of each game.
    #[arg(long, default_value_t = 2)]
    players: u16,
    /// The strategy of all bots: random, sensible or planner.
    #[arg(long, default_value = "random", value_name = "NAME")]
    bots: String,
    /// The scenario: a file, or the name of a built-in one.
    #[arg(long, default_value = "winter", value_name = "FILE|NAME")]
    scenario: String,
    /// The time to play for, such as 30s or 5m; a number without a unit is seconds. Ctrl-C ends it earlier.
    #[arg(long, alias = "seconds", default_value = "10s", value_name = "TIME",
          value_parser = duration::within(duration::in_seconds, Duration::from_secs(1)..=LONGEST))]
    time: Duration,
    /// The seed of the first game; each further game has the next one.
    #[arg(long, default_value_t = 1, allow_negative_numbers = true)]
    seed: i64,
    #[command(flatten)]
    report: ReportArgs,
}

/// The longest time to play for.
const LONGEST: Duration = Duration::from_secs(365 * 24 * 3600);

pub(crate) fn run(arguments: &Arguments) -> Result<Answer, Failure> {
    let (plan, players) = prepare(arguments)?;
    let (sums, took) = runtime()?.block_on(play(arguments, plan, players))?;
    Ok(arguments.report.answer(true, || text(arguments, &sums, took), || json(arguments, &sums, took)))
}

fn prepare(arguments: &Arguments) -> Result<(Plan, Vec<Player>), Failure> {
    let Arguments { host, scenario, players, bots, .. } = arguments;
    let (label, text) = crate::load(scenario)?;
    let EditionChoice(edition) = EditionChoice::default();
    let setup =
        Setup::new(&text, edition, None).map_err(|error| CommandError::Setup { label: label.clone(), error })?;
    games::players(&label, &setup, Some(*players))?;
    let bot = games::strategy(bots)?.bot;
    let players = (1..=*players).map(|number| Player { name: format!("bot {number}"), bot }).collect();
    Ok((Plan { address: host.server()?, scenario: text, setup, pace: Duration::ZERO, pause: Duration::ZERO }, players))
}

/// The number of tables that may connect at the same time. If the host's queue of connections overflows, clients wait for a
/// second.
const ENTERING: usize = 64;

/// Plays until the time is over. Returns the sums and the elapsed time.
async fn play(arguments: &Arguments, plan: Plan, players: Vec<Player>) -> Result<(Sums, Duration), Failure> {
    let (plan, doors) = (Arc::new(plan), Arc::new(Semaphore::new(ENTERING)));
    let tallies: Vec<Arc<Tally>> = (0..arguments.games).map(|_| Arc::default()).collect();
    let mut tables = JoinSet::new();
    for (tally, at) in tallies.iter().zip(0..) {
        let seeds = every(arguments.games, arguments.seed.wrapping_add(at));
        let (plan, players, doors, tally) = (plan.clone(), players.clone(), doors.clone(), tally.clone());
        tables.spawn(async move { keep_playing(&plan, seeds, |_| players.clone(), &doors, &tally).await });
    }
    measure::measure(tables, &tallies, arguments.time, arguments.host.connect.address).await
}

/// The seeds of one table. All tables together use consecutive seeds.
pub(crate) fn every(tables: u32, first: i64) -> impl Iterator<Item = i64> + Send {
    iter::successors(Some(first), move |seed| Some(seed.wrapping_add(tables.into())))
}

fn text(arguments: &Arguments, sums: &Sums, took: Duration) -> String {
    let Arguments { games, players, bots, scenario, .. } = arguments;
    let (games, players) = (counted(*games, GAMES), counted(*players, PLAYERS));
    measure::text(&format!("{games} of {scenario} at a time, {players}, {bots}"), sums, took)
}

fn json(arguments: &Arguments, sums: &Sums, took: Duration) -> Value {
    let Arguments { games, players, bots, scenario, .. } = arguments;
    let head = [
        ("scenario", json!(scenario)),
        ("at_a_time", json!(games)),
        ("players", json!(players)),
        ("bots", json!(bots)),
    ];
    measure::json(head.map(|(name, value)| (name.to_owned(), value)).into_iter().collect(), sums, took)
}
