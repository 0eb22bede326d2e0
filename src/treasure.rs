//! `holdfast treasure`: the treasure game at its own port, and clients of it. Each task has its own file.

pub(crate) mod serve;

use std::process::ExitCode;

use crate::output;

/// Hosts the treasure game, and plays it.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, clap::Subcommand)]
enum Task {
    Serve(serve::Arguments),
}

pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    match &arguments.task {
        Task::Serve(arguments) => output::verdict(serve::run(arguments)),
    }
}
