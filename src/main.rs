//! The command line. Each subcommand has its own file and gives back what it has to say; [`output`] says it.

mod check;
mod host;
mod logging;
mod one_game;
mod output;
mod rng;
mod simulate;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Hosts multiplayer games as pure folds over an append-only log.
///
/// Without a subcommand it serves one game, as a course does, and ends with it.
#[derive(Debug, Parser)]
#[command(name = "holdfast", version, args_conflicts_with_subcommands = true, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    one_game: Option<one_game::Arguments>,
}

#[derive(Debug, Subcommand)]
enum Command {
    Check(check::Arguments),
    Simulate(simulate::Arguments),
    Rng(rng::Arguments),
    Host(host::Arguments),
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
    match (arguments.command, arguments.one_game) {
        (Some(Command::Check(arguments)), _) => output::answer(&check::run(&arguments)),
        (Some(Command::Simulate(arguments)), _) => match simulate::run(&arguments) {
            Ok(answer) => output::answer(&answer),
            Err(problems) => output::verdict(Err(problems)),
        },
        (Some(Command::Rng(arguments)), _) => output::answer(&rng::run(&arguments)),
        (Some(Command::Host(arguments)), _) => output::verdict(host::run(&arguments)),
        (None, Some(arguments)) => output::verdict(one_game::run(&arguments)),
        (None, None) => output::verdict(Err("say what to do; --help lists it".into())),
    }
}
