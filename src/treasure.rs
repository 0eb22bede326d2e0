//! `holdfast treasure`: players of the treasure game, and many games of them. Each task has its own file.

mod batch;
mod player;

use std::process::ExitCode;

use crate::output;

/// Plays the treasure game over its protocols, and lets clients play many games.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    task: Task,
}

const EXAMPLES: &str = "\
Examples:
  holdfast treasure player http://127.0.0.1:18235 Ss8Zc
  holdfast treasure player http://127.0.0.1:18235 --protocol 2017
  holdfast treasure batch --url http://127.0.0.1:18235 --games 100 --jobs 8 --client 'java -jar mine.jar TR' --dummy";

#[derive(Debug, clap::Subcommand)]
enum Task {
    Player(player::Arguments),
    Batch(batch::Arguments),
}

pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    match &arguments.task {
        Task::Player(arguments) => player::run(arguments),
        Task::Batch(arguments) => output::streamed(|out| batch::run(arguments, out)),
    }
}

/// Which protocol is spoken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Protocol {
    #[value(name = "2022")]
    Y2022,
    #[value(name = "2017")]
    Y2017,
}

/// A seed for somebody who does not care.
fn any_seed() -> i64 {
    let since = std::time::UNIX_EPOCH.elapsed().unwrap_or_default();
    i64::from(since.subsec_nanos())
        ^ i64::try_from(since.as_secs()).unwrap_or_default() << 20
        ^ i64::from(std::process::id())
}
