//! The command line. Each subcommand has its own file and gives back what it has to say; [`output`] says it.

mod arena;
mod bot;
mod check;
mod counted;
mod crazyhouse;
mod demo;
mod games;
mod host;
mod load;
mod log;
mod logging;
mod one_game;
mod opponents;
mod output;
mod paint;
mod play;
mod project;
mod rng;
mod seats;
mod shares;
mod simulate;
mod treasure;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use one_game::OneGame;

/// Hosts multiplayer games as pure folds over an append-only log.
#[derive(Debug, Parser)]
#[command(name = "holdfast", version, after_help = ONE_GAME)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

const ONE_GAME: &str = "\
Without a command it serves exactly one game, as a course does, and ends with it:
  holdfast --config FILE --port INT --seed LONG --timeout SECONDS [--edition E] [--log FILE]";

#[derive(Debug, Subcommand)]
enum Command {
    Demo(demo::Arguments),
    Check(check::Arguments),
    Simulate(simulate::Arguments),
    Arena(arena::Arguments),
    Rng(rng::Arguments),
    Host(host::Arguments),
    Load(load::Arguments),
    Bot(bot::Arguments),
    Log(log::Arguments),
    Play(play::Arguments),
    Crazyhouse(crazyhouse::Arguments),
    Treasure(treasure::Arguments),
    Project(project::Arguments),
}

/// What a subcommand has to say, and whether all went well.
#[derive(Debug)]
struct Answer {
    text: String,
    ok: bool,
}

fn main() -> ExitCode {
    // The one game has options where everything else has a command.
    let is_option = |word: String| word.starts_with("--") && word != "--help" && word != "--version";
    if std::env::args().nth(1).is_some_and(is_option) {
        return match OneGame::try_parse() {
            Ok(arguments) => output::verdict(one_game::run(&arguments)),
            Err(usage) => output::usage(&usage),
        };
    }
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(usage) => return output::usage(&usage),
    };
    match arguments.command {
        Command::Demo(arguments) => output::verdict(demo::run(&arguments)),
        Command::Check(arguments) => output::answer(&check::run(&arguments)),
        Command::Simulate(arguments) => output::answer_or(simulate::run(&arguments)),
        Command::Arena(arguments) => output::answer_or(arena::run(&arguments)),
        Command::Log(arguments) => output::streamed(|out| log::run(&arguments, out)),
        Command::Crazyhouse(arguments) => output::streamed(|out| crazyhouse::run(&arguments, out)),
        Command::Treasure(arguments) => treasure::run(&arguments),
        Command::Project(arguments) => project::run(&arguments),
        Command::Play(arguments) => output::verdict(play::run(&arguments)),
        Command::Rng(arguments) => output::answer(&rng::run(&arguments)),
        Command::Load(arguments) => output::answer_or(load::run(&arguments)),
        Command::Bot(arguments) => output::answer_or(bot::run(&arguments)),
        Command::Host(arguments) => output::verdict(host::run(&arguments)),
    }
}
