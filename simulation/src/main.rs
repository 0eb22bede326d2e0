//! `simulation`: plays seeds, and prints the first that breaks a promise of the host.

use std::{
    fmt::Write,
    fs, io,
    path::{Path, PathBuf},
    process::ExitCode,
    time::Instant,
};

use clap::Parser;
use simulation::{Batch, Covered, Hosts, Outcome, Recording, simulate, simulate_all};

/// The seeds between two lines of progress.
const STEP: u64 = 1000;

/// Plays a whole host by seeds, with faults of its process, network and store.
#[derive(Debug, Parser)]
struct Args {
    /// Play this seed alone, twice, and print its last steps.
    #[arg(long, conflicts_with_all = ["seeds", "from", "next_file"])]
    seed: Option<u64>,
    /// Print so many of the last steps of a seed.
    #[arg(long, default_value_t = 60)]
    steps: usize,
    /// How many seeds to play.
    #[arg(long, default_value_t = 2000)]
    seeds: u64,
    /// The first seed.
    #[arg(long, default_value_t = 0)]
    from: u64,
    /// Play two or three hosts on one store, instead of one host.
    #[arg(long)]
    several_hosts: bool,
    /// Keeps the next seed in this file, and continues from there.
    #[arg(long)]
    next_file: Option<PathBuf>,
    /// Look for every mutant of the host.
    #[cfg(feature = "mutants")]
    #[arg(long)]
    mutants: bool,
    /// Look only for this mutant.
    #[cfg(feature = "mutants")]
    #[arg(long, requires = "mutants")]
    only: Vec<String>,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let hosts = if args.several_hosts { Hosts::Several } else { Hosts::One };
    cli::output::streamed(|out| {
        if let Some(seed) = args.seed {
            let (text, ok) = one(seed, hosts, args.steps);
            out.write(text);
            return Ok::<bool, io::Error>(ok);
        }
        #[cfg(feature = "mutants")]
        if args.mutants {
            let (text, ok) = mutants(args.from..args.from + args.seeds, &args.only);
            out.write(text);
            return Ok(ok);
        }
        let from = args.next_file.as_deref().map_or(Ok(args.from), |file| next_seed(file, args.from))?;
        let until = args.from + args.seeds;
        let (mut all, since) = (Batch::default(), Instant::now());
        let mut seed = from;
        while seed < until && all.failed.is_none() {
            let end = until.min(seed + STEP);
            let batch = simulate_all(seed..end, hosts, None);
            all.seeds += batch.seeds;
            all.coverage.add(&batch.coverage);
            all.failed = batch.failed;
            seed = end;
            if all.failed.is_none() {
                if let Some(file) = &args.next_file {
                    fs::write(file, seed.to_string())?;
                }
                out.write(format!("seeds {from} to {seed}: {:.1} a second\n", rate(all.seeds, since)));
                out.flush();
            }
        }
        let (text, ok) = report(&all, hosts, since, args.steps);
        out.write(text);
        Ok(ok)
    })
}

/// Looks for every mutant of the host.
#[cfg(feature = "mutants")]
fn mutants(seeds: std::ops::Range<u64>, only: &[String]) -> (String, bool) {
    let found = simulation::mutants::find_all(&seeds, only);
    let mut text = String::new();
    for found in &found {
        let by = found.by.as_ref().map_or("no seed".into(), |(seed, failure)| format!("seed {seed}: {failure}"));
        let _always_fits = writeln!(text, "{:<28}{by}", found.name);
    }
    let missed = found.iter().filter(|found| found.by.is_none()).count();
    let _always_fits = writeln!(text, "{} mutants of the host, {missed} of them not found", found.len());
    (text, missed == 0)
}

/// The seed to continue with.
fn next_seed(file: &Path, first: u64) -> io::Result<u64> {
    match fs::read_to_string(file) {
        Ok(text) => text.trim().parse().map_err(io::Error::other),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(first),
        Err(error) => Err(error),
    }
}

fn rate(seeds: u64, since: Instant) -> f64 {
    seeds as f64 / since.elapsed().as_secs_f64().max(0.001)
}

/// Plays a seed twice: both runs must be the same to the byte.
fn one(seed: u64, hosts: Hosts, steps: usize) -> (String, bool) {
    let (first, second) =
        (simulate(seed, hosts, None, Recording::Steps), simulate(seed, hosts, None, Recording::Digest));
    let mut text = told(seed, hosts, &first, steps);
    let same = first.digest == second.digest;
    let _always_fits = writeln!(text, "seed {seed}: digest {}", first.digest.to_hex());
    if !same {
        let _always_fits = writeln!(text, "a second run of the seed differs: {}", second.digest.to_hex());
    }
    (text, same && first.failure.is_none())
}

/// The steps and the failure of a seed.
fn told(seed: u64, hosts: Hosts, outcome: &Outcome, steps: usize) -> String {
    let last = outcome.steps.len().saturating_sub(steps);
    let mut text = outcome.steps[last..].iter().fold(String::new(), |text, step| text + step + "\n");
    if let Some(failure) = &outcome.failure {
        let _always_fits = writeln!(text, "seed {seed} fails: {failure}");
        let several = if hosts == Hosts::Several { " --several-hosts" } else { "" };
        let _always_fits =
            writeln!(text, "again: cargo run -p holdfast-simulation --profile simulation -- --seed {seed}{several}");
    }
    text
}

fn report(batch: &Batch, hosts: Hosts, since: Instant, steps: usize) -> (String, bool) {
    let mut text = String::new();
    if let Some((seed, outcome)) = &batch.failed {
        return (told(*seed, hosts, outcome, steps), false);
    }
    let is_several = hosts == Hosts::Several;
    for covered in Covered::ALL.iter().filter(|covered| is_several || !Covered::OF_CLUSTERS.contains(covered)) {
        let _always_fits = writeln!(text, "{:>9}  {}", batch.coverage.times(*covered), covered.name());
    }
    let missing: Vec<&str> = batch.coverage.missing(is_several).map(Covered::name).collect();
    if !missing.is_empty() {
        let _always_fits = writeln!(text, "never reached: {}", missing.join("; "));
    }
    let _always_fits = writeln!(text, "{} seeds hold, {:.1} a second", batch.seeds, rate(batch.seeds, since));
    (text, missing.is_empty())
}
