//! Measures how a host answers while bots play on it, and reports the figures.

use std::{
    error::Error,
    fmt::Write,
    net::SocketAddr,
    sync::Arc,
    time::{Duration, Instant},
};

use clients::tally::{Sums, Tally};
use serde_json::{Map, Value, json};
use tokio::{
    signal::unix::{SignalKind, signal},
    task::JoinSet,
};

use crate::{Failure, address::ConnectError, progress::Progress, serving::ServeError};

/// Lets tables play until the time is over, or until Ctrl-C. Returns the sums and the elapsed time.
///
/// # Errors
/// If a table ends: tables never stop by themselves, so it has failed.
pub async fn measure<E: Error + Send + Sync + 'static>(
    mut tables: JoinSet<Result<(), E>>,
    tallies: &[Arc<Tally>],
    time: Duration,
    connect: SocketAddr,
) -> Result<(Sums, Duration), Failure> {
    // From here on, Ctrl-C ends the measurement and its figures are reported.
    let mut interrupt = signal(SignalKind::interrupt()).map_err(ServeError::Signal)?;
    let since = Instant::now();
    tokio::select! {
        () = tokio::time::sleep(time) => {}
        () = show_progress(tallies, time.as_secs()) => {}
        _ = interrupt.recv() => {}
        Some(ended) = tables.join_next() => {
            ended?.map_err(|error| ConnectError::new(connect, error, "holdfast host"))?;
        }
    }
    let took = since.elapsed();
    tables.shutdown().await;
    let mut all = Sums::default();
    tallies.iter().for_each(|tally| all.add(&tally.sums()));
    Ok((all, took))
}

async fn show_progress(tallies: &[Arc<Tally>], seconds: u64) {
    let progress = Progress::new("seconds", seconds);
    for second in 0.. {
        let commands: u64 = tallies.iter().map(|tally| tally.sums().commands).sum();
        progress.show_with(second, &format!("{commands} commands"));
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}

const QUANTILES: [(&str, f64); 4] = [("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p99.9", 0.999)];

/// The figures under a heading.
pub fn text(heading: &str, sums: &Sums, took: Duration) -> String {
    let seconds = took.as_secs_f64();
    let mut text = format!("{heading}, {seconds:.1} s\n");
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

/// The figures for programs, after the fields of `head`.
pub fn json(head: Map<String, Value>, sums: &Sums, took: Duration) -> Value {
    let seconds = took.as_secs_f64();
    let micros = |latency: Duration| latency.as_secs_f64() * 1e6;
    let quantile = |(name, share): &(&str, f64)| ((*name).to_owned(), json!(micros(sums.latencies.quantile(*share))));
    let mut latency: Map<String, Value> = QUANTILES.iter().map(quantile).collect();
    latency.insert("max".into(), json!(micros(sums.latencies.longest())));
    let figures = [
        ("seconds", json!(seconds)),
        ("games", json!(sums.games)),
        ("commands", json!(sums.commands)),
        ("events", json!(sums.events)),
        ("commands_per_second", json!(sums.commands as f64 / seconds)),
        ("events_per_second", json!(sums.events as f64 / seconds)),
        ("answered", json!(sums.latencies.count())),
        ("latency_us", Value::Object(latency)),
    ];
    Value::Object(head.into_iter().chain(figures.map(|(name, value)| (name.to_owned(), value))).collect())
}
