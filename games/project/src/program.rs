//! `holdfast project`: the programs of the project game. Each subcommand has its own file.

mod arena;
mod config;
mod cs;
mod demo;
mod error;
mod gm;
mod player;
mod serve;

use std::{fmt, path::Path, sync::Arc, time::Duration};

use clap::{Args as _, FromArgMatches as _};
use cli::{Command, Failure, Game, Opening, Program, command, output, serving::Serving};
use project_rules::DEFAULT_PORT;
use script::{ScriptedGame, ServedGame};
use server::{Erased, HostedGame, World};
use slog::Logger;

use crate::{Guid, Project, TraceError, TraceFile};

impl Game for Project {
    fn hosted(&self) -> &'static dyn HostedGame {
        const { &Erased::<Self>::NEW }
    }

    fn scripted(&self) -> Option<&'static dyn ScriptedGame> {
        Some(script::scripted::<Self>())
    }

    fn demonstrate<'s>(&'s self, serving: &'s mut Serving, pace: Duration, logger: &'s Logger) -> Opening<'s> {
        Box::pin(async move {
            demo::start(serving, pace, logger);
            Ok(())
        })
    }

    /// Its Game Master is in the same process, and no seat is free.
    fn is_demonstrated_whole(&self) -> bool {
        true
    }

    fn commands(&self) -> Vec<Command> {
        vec![
            command::<Arguments>("project", run),
            // `holdfast arena --rulebook project`: with the players of the game, which has a wire of its own.
            command::<arena::Arguments>("arena", |_, arguments| output::answer_or(arena::run(arguments))),
        ]
    }
}

/// Runs a Communication Server and a Game Master on a port of this machine, for scripts.
pub(crate) fn serve(served: &ServedGame<'_>) -> Result<(), Failure> {
    let (listen, seed) = (format!("127.0.0.1:{}", served.port), served.seed.to_string());
    let config = served.config.display().to_string();
    let words = ["serve", "--listen", &listen, "--http", "off", "--seed", &seed, "--config", &config];
    let silent = ["--trace-file", "off", "--cs-trace-file", "off"];
    let command = serve::Arguments::augment_args(clap::Command::new("serve"));
    let matches = command.try_get_matches_from(words.into_iter().chain(silent))?;
    serve::run(&Program::new(vec![&Project]), &serve::Arguments::from_arg_matches(&matches)?)
}

/// Runs the programs of the project game: a Communication Server, a Game Master, players, an arena for strategies, and whole games to watch.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

const EXAMPLES: &str = "\
Watch whole games in a browser:
  holdfast project demo --open
Start the server and the Game Master, each in its own terminal:
  holdfast project cs
  holdfast project gm --config classic --log game.log
or both in one process:
  holdfast project serve --config classic --log game.log
Then start a player for each seat, or all of them:
  holdfast project player --connect localhost:8000 --team blue --strategy team
  holdfast project player --connect localhost:8000 --team blue --strategy team --count 20
Compare strategies without a server:
  holdfast project arena --strategies solo,team";

#[derive(Debug, clap::Subcommand)]
enum Task {
    Cs(cs::Arguments),
    Gm(gm::Arguments),
    Serve(serve::Arguments),
    Player(player::Arguments),
    Arena(arena::Arguments),
    Demo(demo::Arguments),
}

fn run(program: &Program, arguments: &Arguments) -> std::process::ExitCode {
    match &arguments.task {
        Task::Cs(arguments) => output::verdict(cs::run(arguments)),
        Task::Gm(arguments) => output::verdict(gm::run(program, arguments)),
        Task::Serve(arguments) => output::verdict(serve::run(program, arguments)),
        Task::Player(arguments) => output::verdict(player::run(arguments)),
        Task::Demo(arguments) => output::verdict(demo::run(program, arguments)),
        Task::Arena(arguments) => output::answer_or(arena::run(arguments)),
    }
}

/// The port of the Communication Server if an address has no port.
const PORT: u16 = DEFAULT_PORT;

fn parse_hash(text: &str) -> Result<Guid, InvalidHash> {
    Guid::parse(text).ok_or(InvalidHash)
}

/// The text is not a hash.
#[derive(Debug)]
struct InvalidHash;

impl fmt::Display for InvalidHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no UUID of version 4 like 2707d2ff-e818-4ea9-be4b-fbce3486431e")
    }
}

impl std::error::Error for InvalidHash {}

/// Opens the trace file of a program; `off` means no trace.
fn open_trace(world: Arc<dyn World>, file: &Path) -> Result<TraceFile, TraceError> {
    if is_off(file) { Ok(TraceFile::off()) } else { TraceFile::open(world, file, TraceFile::MAX_BYTES) }
}

fn is_off(file: &Path) -> bool {
    file.as_os_str() == "off"
}

/// Prints the name of the trace file. It is the first line that a program prints.
fn announce_trace<'f>(files: impl IntoIterator<Item = &'f Path>) {
    let names: Vec<String> =
        files.into_iter().filter(|file| !is_off(file)).map(|file| file.display().to_string()).collect();
    match names.as_slice() {
        [] => {}
        [name] => output::announce(&format!("trace file: {name}")),
        [..] => output::announce(&format!("trace files: {}", names.join(", "))),
    }
}
