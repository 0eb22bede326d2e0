//! `systest`: runs scripted games and says which ones are played as written. Each subcommand has its own file.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "this is the program's own output")]

mod commands;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use commands::{convert, fmt, record, run, seeds};

/// Runs scripted games against a server that plays by the rulebooks.
#[derive(Parser)]
#[command(name = "systest", version)]
struct Arguments {
    #[command(subcommand)]
    command: Task,
}

#[derive(Subcommand)]
enum Task {
    Run(run::Arguments),
    Fmt(fmt::Arguments),
    Convert(convert::Arguments),
    #[cfg(feature = "mutants")]
    Mutants(commands::mutants::Arguments),
    Record(record::Arguments),
    Seeds(seeds::Arguments),
}

fn main() -> ExitCode {
    match Arguments::parse().command {
        Task::Run(arguments) => run::run(&arguments),
        Task::Fmt(arguments) => fmt::run(&arguments),
        Task::Convert(arguments) => convert::run(&arguments),
        #[cfg(feature = "mutants")]
        Task::Mutants(arguments) => commands::mutants::run(&arguments),
        Task::Record(arguments) => record::run(&arguments),
        Task::Seeds(arguments) => seeds::run(&arguments),
    }
}
