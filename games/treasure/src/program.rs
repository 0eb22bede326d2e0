//! `holdfast treasure`: serves the treasure game, plays it, and runs many games. Each subcommand has its own file.

mod batch;
mod demo;
mod player;
mod serve;

use std::{process::ExitCode, time::Duration};

use clap::{Args as _, FromArgMatches as _};
use cli::{Failure, HostOptions, Opening, Program, command, output, serving::Serving};
use script::{ScriptedGame, ServedGame};
use server::{Erased, HostedGame};
use slog::Logger;

use crate::Treasure;

impl cli::Game for Treasure {
    fn hosted(&self) -> &'static dyn HostedGame {
        &Erased::<Self>::NEW
    }

    fn scripted(&self) -> Option<&'static dyn ScriptedGame> {
        Some(script::scripted::<Self>())
    }

    fn commands(&self) -> Vec<cli::Command> {
        vec![command::<Arguments>("treasure", run)]
    }

    fn demonstrate<'s>(&'s self, serving: &'s mut Serving, pace: Duration, logger: &'s Logger) -> Opening<'s> {
        Box::pin(demo::start(serving, pace, logger))
    }

    fn host_options(&self) -> Option<Box<dyn HostOptions>> {
        Some(Box::new(serve::TreasurePort))
    }
}

/// Serves the treasure game, plays it over HTTP, and runs many games between clients.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

const EXAMPLES: &str = "\
Examples:
  holdfast treasure serve --log treasure.log
  holdfast treasure player http://127.0.0.1:18235 Ss8Zc
  holdfast treasure player http://127.0.0.1:18235 --protocol 2017
  holdfast treasure batch --url http://127.0.0.1:18235 --games 100 --jobs 8 --client 'java -jar mine.jar TR' --dummy";

#[derive(Debug, clap::Subcommand)]
enum Task {
    Serve(serve::Arguments),
    Player(player::Arguments),
    Batch(batch::Arguments),
}

fn run(program: &Program, arguments: &Arguments) -> ExitCode {
    match &arguments.task {
        Task::Serve(arguments) => output::verdict(serve::run(program, arguments)),
        Task::Player(arguments) => player::run(arguments),
        Task::Batch(arguments) => output::streamed(|out| batch::run(arguments, out)),
    }
}

/// Serves games of one scenario and seed on a port of this machine, for scripts.
pub(crate) fn serve(served: &ServedGame<'_>) -> Result<(), Failure> {
    let (listen, seed) = (format!("127.0.0.1:{}", served.port), served.seed.to_string());
    let profile = served.config.display().to_string();
    let words = ["serve", "--listen", &listen, "--http", "off", "--seed", &seed, "--profile", &profile];
    let command = serve::Arguments::augment_args(clap::Command::new("serve"));
    let matches = command.try_get_matches_from(words.into_iter().chain(["--no-polling-delay"]))?;
    serve::run(&Program::new(vec![&Treasure]), &serve::Arguments::from_arg_matches(&matches)?)
}

/// A protocol of the treasure game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Protocol {
    /// Games with ids, and status requests.
    #[value(name = "2022")]
    Y2022,
    /// Two players make a game, and requests wait for their answers.
    #[value(name = "2017")]
    Y2017,
}

/// A seed that differs each time.
fn any_seed() -> i64 {
    let since = std::time::UNIX_EPOCH.elapsed().unwrap_or_default();
    i64::from(since.subsec_nanos())
        ^ i64::try_from(since.as_secs()).unwrap_or_default() << 20
        ^ i64::from(std::process::id())
}
