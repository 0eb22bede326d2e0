//! `systest`: runs scripted games and says which ones are played as written.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "this is the program's own output")]

#[cfg(feature = "mutants")]
mod commands;

use std::{
    num::NonZero,
    path::PathBuf,
    process::ExitCode,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use clap::{Parser, Subcommand};
use systemtests::{
    files::{self, Found},
    remote::ServerCommand,
    run,
};

/// Runs scripted games against a server that plays by the rulebooks.
#[derive(Parser)]
#[command(name = "systest", version)]
struct Arguments {
    #[command(subcommand)]
    command: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Plays transcripts, against the engine in process or a server, and reports every difference.
    Run {
        /// Transcripts: a .json file, a .jsonl file with one per line, or a folder with such files.
        #[arg(required = true)]
        paths: Vec<PathBuf>,
        /// Plays each against a server process of its own, e.g.
        /// "holdfast --config {config} --port {port} --seed {seed} --timeout {timeout} --edition {edition}".
        #[arg(long, value_parser = ServerCommand::parse)]
        server: Option<ServerCommand>,
    },
    #[cfg(feature = "mutants")]
    Mutants(commands::mutants::Arguments),
}

fn main() -> ExitCode {
    match Arguments::parse().command {
        Task::Run { paths, server } => play_all(&paths, server.as_ref()),
        #[cfg(feature = "mutants")]
        Task::Mutants(arguments) => commands::mutants::run(&arguments),
    }
}

fn play_all(paths: &[PathBuf], server: Option<&ServerCommand>) -> ExitCode {
    let found: Vec<Found> = paths.iter().flat_map(|path| files::find(path)).collect();
    let next = AtomicUsize::new(0);
    let verdicts = thread::scope(|scope| {
        let work = || {
            let mut verdicts = Vec::new();
            while let Some(found) = found.get(next.fetch_add(1, Ordering::Relaxed)) {
                verdicts.push((found, judge(found, server)));
            }
            verdicts
        };
        let threads = thread::available_parallelism().map_or(1, NonZero::get);
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("the runner never panics")).collect::<Vec<_>>()
    });
    let mut failures: Vec<String> = verdicts.iter().filter_map(|(_, verdict)| verdict.clone().err()).collect();
    failures.sort();
    failures.iter().for_each(|failure| println!("{failure}"));
    let (failed, passed) = (failures.len(), verdicts.len() - failures.len());
    println!("{passed} passed, {failed} failed");
    if failed == 0 && passed > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// A failure in full, with where the transcript stands.
fn judge(found: &Found, server: Option<&ServerCommand>) -> Result<(), String> {
    match &found.transcript {
        Ok((transcript, scenario)) => run::run(transcript, scenario, server)
            .map_err(|difference| format!("FAIL {} ({}): {difference}", transcript.name, found.place)),
        Err(problem) => Err(format!("FAIL unreadable ({}): {problem}", found.place)),
    }
}
