//! `holdfast load`: bots on real connections, and how long a host lets them wait.

use std::{
    fmt::Write,
    iter,
    net::{SocketAddr, ToSocketAddrs},
    sync::Arc,
    time::{Duration, Instant},
};

use crate::{
    STRATEGIES,
    remote::{Plan, Player, Sums, Tally, keep_playing},
    strategy,
};
use colony_rules::{EditionChoice, Setup};
use serde_json::json;
use tokio::{
    signal::unix::{SignalKind, signal},
    sync::Semaphore,
    task::JoinSet,
};

use cli::{
    Answer,
    output::Progress,
    plural::{GAMES, PLAYERS, counted},
    serving::runtime,
};

/// Plays games with bots on a host and tells how many commands it took and how long each waited for its answer.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The host to play on.
    #[arg(long, default_value = "127.0.0.1:7700", value_name = "ADDR")]
    connect: String,
    /// How many games are played at the same time; where one ends, another begins.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// How many players each game has.
    #[arg(long, default_value_t = 2)]
    players: u16,
    /// How they play: random, sensible or planner.
    #[arg(long, default_value = "random")]
    bots: String,
    /// A scenario: a file, or the name of a built-in one.
    #[arg(long, default_value = "winter", value_name = "FILE|NAME")]
    scenario: String,
    /// How long to go on; Ctrl-C ends it earlier.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    seconds: u64,
    /// The seed of the first game; each further game has the next one.
    #[arg(long, default_value_t = 1, allow_negative_numbers = true)]
    seed: i64,
    /// One JSON object, for programs.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Answer, String> {
    let (plan, players) = prepare(arguments)?;
    let (sums, took) = runtime()?.block_on(play(arguments, plan, players))?;
    let text = if arguments.json { json(arguments, &sums, took) } else { text(arguments, &sums, took) };
    Ok(Answer { text, ok: true })
}

fn prepare(arguments: &Arguments) -> Result<(Plan, Vec<Player>), String> {
    let Arguments { connect, scenario, players, bots, .. } = arguments;
    let resolved = connect.to_socket_addrs().map_err(|error| format!("{connect}: {error}"))?.next();
    let address: SocketAddr = resolved.ok_or_else(|| format!("{connect}: no address of that name"))?;
    let (label, text) = crate::load(scenario).map_err(|error| error.to_string())?;
    let EditionChoice(edition) = EditionChoice::default();
    let setup = Setup::new(&text, edition, None).map_err(|error| format!("{label}: {error}"))?;
    let most = setup.scenario.max_players;
    if !(1..=most).contains(players) {
        return Err(format!("{label} is for 1 to {most} players, not for {players}"));
    }
    let known = || STRATEGIES.iter().map(|strategy| strategy.name).collect::<Vec<_>>().join(", ");
    let bot = strategy(bots).ok_or_else(|| format!("no strategy {bots}; there are {}", known()))?.bot;
    let players = (1..=*players).map(|number| Player { name: format!("bot {number}"), bot }).collect();
    Ok((Plan { address, scenario: text, setup, pace: Duration::ZERO, pause: Duration::ZERO }, players))
}

/// So many tables may be entering at a time: the host has a queue for those who connect, and more than it holds wait a second.
const ENTERING: usize = 64;

/// Plays until the time is over; what was done, and in how long.
async fn play(arguments: &Arguments, plan: Plan, players: Vec<Player>) -> Result<(Sums, Duration), String> {
    let (plan, doors) = (Arc::new(plan), Arc::new(Semaphore::new(ENTERING)));
    let tallies: Vec<Arc<Tally>> = (0..arguments.games).map(|_| Arc::default()).collect();
    // Before anybody plays: from then on Ctrl-C has figures to show.
    let mut interrupt = signal(SignalKind::interrupt()).map_err(|error| error.to_string())?;
    let since = Instant::now();
    let mut tables = JoinSet::new();
    for (tally, at) in tallies.iter().zip(0..) {
        let seeds = every(arguments.games, arguments.seed.wrapping_add(at));
        let (plan, players, doors, tally) = (plan.clone(), players.clone(), doors.clone(), tally.clone());
        tables.spawn(async move { keep_playing(&plan, seeds, |_| players.clone(), &doors, &tally).await });
    }
    let time_is_over = tokio::time::sleep(Duration::from_secs(arguments.seconds));
    tokio::select! {
        () = time_is_over => {}
        () = show_progress(&tallies, arguments.seconds) => {}
        _ = interrupt.recv() => {}
        // Tables play for ever: one that ends has failed.
        Some(ended) = tables.join_next() => {
            let ended = ended.map_err(|error| error.to_string())?;
            ended.map_err(|error| format!("{}: {error}", arguments.connect))?;
        }
    }
    let took = since.elapsed();
    tables.shutdown().await;
    Ok((sum(&tallies), took))
}

/// The seeds of one of so many tables, which together take all that follow on each other.
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

fn json(arguments: &Arguments, sums: &Sums, took: Duration) -> String {
    let Arguments { games, players, bots, scenario, .. } = arguments;
    let seconds = took.as_secs_f64();
    let micros = |latency: Duration| latency.as_secs_f64() * 1e6;
    let mut latency: serde_json::Map<_, _> = QUANTILES
        .iter()
        .map(|(name, share)| ((*name).to_owned(), json!(micros(sums.latencies.quantile(*share)))))
        .collect();
    latency.insert("max".into(), json!(micros(sums.latencies.longest())));
    let summary = json!({
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
    });
    format!("{summary}\n")
}
