//! `holdfast crazyhouse`.

mod tournament;

use std::process::ExitCode;

use crate::output;

/// Positions, bots and tournaments of crazyhouse.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Tournament(tournament::Arguments),
}

pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    match &arguments.command {
        Command::Tournament(arguments) => output::answer_or(tournament::run(arguments)),
    }
}
