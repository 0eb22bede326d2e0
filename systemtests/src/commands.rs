//! The command line of `systest`. Each subcommand has its own file.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "this is the program's own output")]

mod convert;
mod fmt;
#[cfg(feature = "mutants")]
mod mutants;
mod output;
mod record;
mod run;
mod seeds;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use script::Games;

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
    Mutants(mutants::Arguments),
    Record(record::Arguments),
    Seeds(seeds::Arguments),
}

/// `systest` for these games: does what the command line of this process says.
pub fn main(games: &Games) -> ExitCode {
    match Arguments::parse().command {
        Task::Run(arguments) => run::run(&arguments, games),
        Task::Fmt(arguments) => fmt::run(&arguments),
        Task::Convert(arguments) => convert::run(&arguments, games),
        #[cfg(feature = "mutants")]
        Task::Mutants(arguments) => mutants::run(&arguments, games),
        Task::Record(arguments) => record::run(&arguments, games),
        Task::Seeds(arguments) => seeds::run(&arguments, games),
    }
}
