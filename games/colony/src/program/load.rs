//! `holdfast load`: measures how long a host takes to answer bots on real connections.

use std::{
    fmt::Write,
    iter,
    net::SocketAddr,
    sync::Arc,
    time::{Duration, Instant},
};

use super::{error::CommandError, games};
use crate::remote::{Plan, Player, Sums, Tally, keep_playing};
use colony_rules::{EditionChoice, Setup};
use serde_json::{Value, json};
use tokio::{
    signal::unix::{SignalKind, signal},
    sync::Semaphore,
    task::JoinSet,
};

use cli::{
    Answer, Failure,
    address::{ConnectError, connect_address_or_port},
    duration,
    output::ReportArgs,
    plural::{GAMES, PLAYERS, counted},
    progress::Progress,
    serving::{ServeError, runtime},
};

/// Plays games with bots on a host, and reports how many commands it takes and how long each waits for its answer.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The host to play on.
    #[arg(long, default_value = "127.0.0.1:7700", value_name = "ADDR", value_parser = connect_address_or_port(7700))]
    connect: SocketAddr,
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
    let Arguments { connect: address, scenario, players, bots, .. } = arguments;
    let (label, text) = crate::load(scenario)?;
    let EditionChoice(edition) = EditionChoice::default();
    let setup =
        Setup::new(&text, edition, None).map_err(|error| CommandError::Setup { label: label.clone(), error })?;
    games::players(&label, &setup, Some(*players))?;
    let bot = games::strategy(bots)?.bot;
    let players = (1..=*players).map(|number| Player { name: format!("bot {number}"), bot }).collect();
    Ok((Plan { address: *address, scenario: text, setup, pace: Duration::ZERO, pause: Duration::ZERO }, players))
}

/// The number of tables that may connect at the same time. If the host's queue of connections overflows, clients wait for a
/// second.
const ENTERING: usize = 64;

/// Plays until the time is over. Returns the sums and the elapsed time.
async fn play(arguments: &Arguments, plan: Plan, players: Vec<Player>) -> Result<(Sums, Duration), Failure> {
    let (plan, doors) = (Arc::new(plan), Arc::new(Semaphore::new(ENTERING)));
    let tallies: Vec<Arc<Tally>> = (0..arguments.games).map(|_| Arc::default()).collect();
    // From here on, Ctrl-C ends the measurement and its figures are reported.
    let mut interrupt = signal(SignalKind::interrupt()).map_err(ServeError::Signal)?;
    let since = Instant::now();
    let mut tables = JoinSet::new();
    for (tally, at) in tallies.iter().zip(0..) {
        let seeds = every(arguments.games, arguments.seed.wrapping_add(at));
        let (plan, players, doors, tally) = (plan.clone(), players.clone(), doors.clone(), tally.clone());
        tables.spawn(async move { keep_playing(&plan, seeds, |_| players.clone(), &doors, &tally).await });
    }
    let time_is_over = tokio::time::sleep(arguments.time);
    tokio::select! {
        () = time_is_over => {}
        () = show_progress(&tallies, arguments.time.as_secs()) => {}
        _ = interrupt.recv() => {}
        // Tables never stop by themselves, so a table that ends has failed.
        Some(ended) = tables.join_next() => {
            ended?.map_err(|error| ConnectError::new(arguments.connect, error, "holdfast host"))?;
        }
    }
    let took = since.elapsed();
    tables.shutdown().await;
    Ok((sum(&tallies), took))
}

/// The seeds of one table. All tables together use consecutive seeds.
pub(crate) fn every(tables: u32, first: i64) -> impl Iterator<Item = i64> + Send {
    iter::successors(Some(first), move |seed| Some(seed.wrapping_add(tables.into())))
}

async fn show_progress(tallies: &[Arc<Tally>], seconds: u64) {
    let progress = Progress::new("seconds", seconds);
    for second in 0.. {
        let commands: u64 = tallies.iter().map(|tally| tally.sums().commands).sum();
        progress.show_with(second, &format!("{commands} commands"));
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}

fn sum(tallies: &[Arc<Tally>]) -> Sums {
    let mut all = Sums::default();
    for tally in tallies {
        let sums = tally.sums();
        all.games += sums.games;
        all.commands += sums.commands;
        all.events += sums.events;
        all.latencies.merge(&sums.latencies);
    }
    all
}

const QUANTILES: [(&str, f64); 4] = [("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p99.9", 0.999)];

fn text(arguments: &Arguments, sums: &Sums, took: Duration) -> String {
    let Arguments { games, players, bots, scenario, .. } = arguments;
    let seconds = took.as_secs_f64();
    let mut text = format!(
        "{} of {scenario} at a time, {}, {bots}, {seconds:.1} s\n",
        counted(*games, GAMES),
        counted(*players, PLAYERS)
    );
    let mut line = |name: &str, value: String| {
        writeln!(text, "  {name:<12} {value}").expect("a string takes everything");
    };
    line("games", format!("{} finished", sums.games));
    line("commands", format!("{}, {:.0}/s", sums.commands, sums.commands as f64 / seconds));
    line("events", format!("{}, {:.0}/s", sums.events, sums.events as f64 / seconds));
    let micros = |latency: Duration| format!("{:.0} us", latency.as_secs_f64() * 1e6);
    let quantiles = QUANTILES.map(|(name, share)| format!("{name} {}", micros(sums.latencies.quantile(share))));
    line("latency", format!("{}, max {}", quantiles.join(", "), micros(sums.latencies.longest())));
    text
}

fn json(arguments: &Arguments, sums: &Sums, took: Duration) -> Value {
    let Arguments { games, players, bots, scenario, .. } = arguments;
    let seconds = took.as_secs_f64();
    let micros = |latency: Duration| latency.as_secs_f64() * 1e6;
    let mut latency: serde_json::Map<_, _> = QUANTILES
        .iter()
        .map(|(name, share)| ((*name).to_owned(), json!(micros(sums.latencies.quantile(*share)))))
        .collect();
    latency.insert("max".into(), json!(micros(sums.latencies.longest())));
    json!({
        "scenario": scenario,
        "at_a_time": games,
        "players": players,
        "bots": bots,
        "seconds": seconds,
        "games": sums.games,
        "commands": sums.commands,
        "events": sums.events,
        "commands_per_second": sums.commands as f64 / seconds,
        "events_per_second": sums.events as f64 / seconds,
        "answered": sums.latencies.count(),
        "latency_us": latency,
    })
}
