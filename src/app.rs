//! The command line for a list of games.

use std::process::ExitCode;

use cli::{Command, Game, Program, command, output};

use crate::{
    GAMES,
    completions::{self, Completions, Man},
    host, log, rng,
};

/// The program for a list of games: its commands are those that all games share, and those that games bring.
#[expect(missing_debug_implementations, reason = "a table of games has nothing to show")]
pub struct App {
    program: Program,
}

impl App {
    /// With these games; the first one is meant where a client names none.
    pub fn new(games: &'static [&'static dyn Game]) -> Self {
        Self { program: Program { games } }
    }

    /// With every game of this package's features.
    pub fn with_all_games() -> Self {
        Self::new(GAMES)
    }

    /// Does what the command line of this process says.
    pub fn run(&self) -> ExitCode {
        // One game of a course has options where everything else has a command.
        let is_option = |word: &String| word.starts_with("--") && word != "--help" && word != "--version";
        let first = std::env::args().nth(1);
        let course = self.program.games.iter().find_map(|game| game.course());
        if let Some(course) = course
            && first.as_ref().is_some_and(is_option)
        {
            return match course.clap.clone().try_get_matches() {
                Ok(matches) => course.run(&self.program, &matches),
                Err(usage) => output::usage(&usage),
            };
        }
        let commands = self.commands();
        let matches = match self.clap(&commands).try_get_matches() {
            Ok(matches) => matches,
            Err(usage) => return output::usage(&usage),
        };
        let chosen = matches
            .subcommand()
            .and_then(|(name, matches)| Some((commands.iter().find(|command| command.name() == name)?, matches)));
        match chosen {
            Some((command, matches)) => command.run(&self.program, matches),
            None => ExitCode::FAILURE,
        }
    }

    fn clap(&self, commands: &[Command]) -> clap::Command {
        clap::Command::new("holdfast")
            .version(env!("HOLDFAST_VERSION"))
            .about("Hosts multiplayer games as pure folds over an append-only log")
            .subcommand_required(true)
            .arg_required_else_help(true)
            .subcommands(commands.iter().map(|command| command.clap.clone()))
            .after_help(ONE_GAME)
    }

    /// The commands that describe the command line itself, of which they are a part.
    fn describing(&self, others: &[Command]) -> Vec<Command> {
        let names = [
            command::<Completions>("completions", |_, _| ExitCode::SUCCESS),
            command::<Man>("man", |_, _| ExitCode::SUCCESS),
        ];
        let whole = self.clap(others).subcommands(names.map(|command| command.clap));
        let (completed, described) = (whole.clone(), whole);
        vec![
            Command::with("completions", move |_, arguments| {
                output::streamed(|out| completions::complete(completed.clone(), arguments, out))
            }),
            Command::with("man", move |_, arguments| {
                output::streamed(|out| completions::write_pages(described.clone(), arguments, out))
            }),
        ]
    }

    fn commands(&self) -> Vec<Command> {
        let own = vec![
            command::<rng::Arguments>("rng", |_, arguments| output::answer(&rng::run(arguments))),
            host::command(self.program),
            command::<log::Arguments>("log", |program, arguments| {
                output::streamed(|out| log::run(program, arguments, out))
            }),
        ];
        let mut commands: Vec<Command> =
            own.into_iter().chain(self.program.games.iter().flat_map(|game| game.commands())).collect();
        commands.extend(self.describing(&commands));
        commands
    }
}

const ONE_GAME: &str = "\
Without a command it serves exactly one game, as a course does, and ends with it:
  holdfast --config FILE --port INT --seed LONG --timeout SECONDS [--edition E] [--log FILE]";
