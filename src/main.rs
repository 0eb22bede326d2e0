//! The command line. Each subcommand has its own file and gives back what it has to say; [`output`] says it.

mod check;
mod output;
mod rng;
mod simulate;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Hosts multiplayer games as pure folds over an append-only log.
#[derive(Debug, Parser)]
#[command(name = "holdfast", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Check(check::Arguments),
    Simulate(simulate::Arguments),
    Rng(rng::Arguments),
}

/// What a subcommand has to say, and whether all went well.
#[derive(Debug)]
struct Answer {
    text: String,
    ok: bool,
}

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(usage) => return output::usage(&usage),
    };
    match arguments.command {
        Command::Check(arguments) => output::answer(&check::run(&arguments)),
        Command::Simulate(arguments) => match simulate::run(&arguments) {
            Ok(answer) => output::answer(&answer),
            Err(problems) => output::failure(&problems),
        },
        Command::Rng(arguments) => output::answer(&rng::run(&arguments)),
    }
}
