//! `systest`: runs scripted games and says which ones are played as written.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "this is the program's own output")]

use std::{path::PathBuf, process::ExitCode};

use clap::{Parser, Subcommand};
use systemtests::{files, run};

/// Runs scripted games against a server that plays by the rulebooks.
#[derive(Parser)]
#[command(name = "systest", version)]
struct Arguments {
    #[command(subcommand)]
    command: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Plays transcripts against the engine in process and reports every difference.
    Run {
        /// Transcripts: a .json file, a .jsonl file with one per line, or a folder with such files.
        #[arg(required = true)]
        paths: Vec<PathBuf>,
    },
}

fn main() -> ExitCode {
    let Arguments { command: Task::Run { paths } } = Arguments::parse();
    let (mut passed, mut failed) = (0, 0);
    for found in paths.iter().flat_map(|path| files::find(path)) {
        let (name, verdict) = match &found.transcript {
            Ok((transcript, scenario)) => (transcript.name.as_str(), run::run(transcript, scenario)),
            Err(problem) => ("unreadable", Err(problem.clone())),
        };
        match verdict {
            Ok(()) => passed += 1,
            Err(difference) => {
                failed += 1;
                println!("FAIL {name} ({}): {difference}", found.place);
            }
        }
    }
    println!("{passed} passed, {failed} failed");
    if failed == 0 && passed > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
