//! The command line of `systest`. Each subcommand has its own file. Only [`output`] prints.

mod broker;
mod convert;
mod error;
mod fmt;
mod golden;
mod grade;
#[cfg(feature = "mutants")]
mod mutants;
mod output;
#[cfg(not(feature = "mutants"))]
mod planting;
mod record;
mod run;
mod seeds;
mod serve_mutant;

use std::process::ExitCode;

use clap::{FromArgMatches, Parser, Subcommand};
use cli::progress::{self, ShowProgress};
use script::Games;

use self::error::CommandError;

/// Runs scripted games against a server, and reports which ones the server plays as the script says.
#[derive(Parser)]
#[command(name = "systest", version, after_help = EXIT_CODES)]
struct Arguments {
    #[command(subcommand)]
    command: Task,
    /// Shows the progress of long runs on standard error, with the time left.
    #[arg(long, value_enum, value_name = "WHEN", default_value_t, global = true)]
    progress: ShowProgress,
}

#[derive(Subcommand)]
enum Task {
    Run(run::Arguments),
    Broker(broker::Arguments),
    Fmt(fmt::Arguments),
    Golden(golden::Arguments),
    Grade(grade::Arguments),
    Convert(convert::Arguments),
    #[cfg(feature = "mutants")]
    Mutants(mutants::Arguments),
    #[cfg(not(feature = "mutants"))]
    Mutants(planting::Arguments),
    Record(record::Arguments),
    Seeds(seeds::Arguments),
    ServeMutant(serve_mutant::Arguments),
}

/// The exit codes of all subcommands, for their help.
const EXIT_CODES: &str = "\
Exit codes:
  0  success
  1  failure: a script failed, a seed was not found, a file is not formatted, ..
  2  wrong usage: an unknown option or value, or a path that does not exist";

/// Runs `systest` for these games, with the command line of this process.
pub fn main(games: &Games) -> ExitCode {
    let arguments = Arguments::parse();
    progress::choose(arguments.progress);
    arguments.command.run(games)
}

/// `systest` as a command of another program, which has the option `--progress` itself. [`run_command`] runs it.
pub fn command() -> clap::Command {
    Task::augment_subcommands(clap::Command::new("systest"))
        .about("Runs, records and formats scripted games: system tests of the rules")
        .subcommand_required(true)
        .arg_required_else_help(true)
}

/// Runs the arguments of [`command()`].
pub fn run_command(matches: &clap::ArgMatches, games: &Games) -> ExitCode {
    match Task::from_arg_matches(matches) {
        Ok(task) => task.run(games),
        Err(usage) => usage.exit(),
    }
}

impl Task {
    fn run(self, games: &Games) -> ExitCode {
        let done = match self {
            Self::Run(arguments) => run::run(&arguments, games),
            Self::Broker(arguments) => broker::run(&arguments, games),
            Self::Fmt(arguments) => fmt::run(&arguments),
            Self::Golden(arguments) => golden::run(&arguments, games),
            Self::Grade(arguments) => grade::run(&arguments, games),
            Self::Convert(arguments) => convert::run(&arguments, games).map(|()| true),
            #[cfg(feature = "mutants")]
            Self::Mutants(arguments) => mutants::run(&arguments, games),
            #[cfg(not(feature = "mutants"))]
            Self::Mutants(arguments) => planting::run(&arguments),
            Self::Record(arguments) => record::run(&arguments, games).map(|()| true),
            Self::Seeds(arguments) => seeds::run(&arguments, games),
            Self::ServeMutant(arguments) => serve_mutant::run(&arguments, games),
        };
        match done {
            Ok(true) => ExitCode::SUCCESS,
            Ok(false) => ExitCode::FAILURE,
            Err(error) => {
                output::complain(&error);
                if error.is_usage() { ExitCode::from(2) } else { ExitCode::FAILURE }
            }
        }
    }
}

/// Checks that the paths of a command line exist.
fn check_paths(paths: &[std::path::PathBuf]) -> Result<(), CommandError> {
    match paths.iter().find(|path| !path.exists()) {
        Some(missing) => Err(CommandError::NoSuchPath(missing.clone())),
        None => Ok(()),
    }
}
