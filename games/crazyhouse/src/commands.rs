//! `holdfast crazyhouse`: examines positions, and runs tournaments of bots. Each subcommand has its own file.

mod best;
mod moves;
mod perft;
mod pgn;
mod show;
mod tournament;

use std::{error::Error, fmt};

use cli::{Failure, Program, output::Out};
use crazyhouse_rules::{Position, PositionError};

use crate::chess::fen::{self, FenError};

/// Examines positions of crazyhouse, and runs tournaments of bots.
///
/// A position is one argument: the board, a space, and w or b for the side to move; or FEN. `start` is the start position.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    task: Task,
}

const EXAMPLES: &str = "\
Examples:
  holdfast crazyhouse show start
  holdfast crazyhouse moves 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/ w'
  holdfast crazyhouse moves < positions.txt
  holdfast crazyhouse best 'r4rk1/ppp2pp1/2nq1n1p/2b1p3/8/2P1BN2/PP3PPP/R2Q1RK1/BNPPbp w' --time 1s --verbose
  holdfast crazyhouse perft start 5 --divide
  holdfast crazyhouse tournament --log cup.log --bot 'mine=python3 mybot.py' --rounds 10";

#[derive(Debug, clap::Subcommand)]
enum Task {
    Moves(moves::Arguments),
    Perft(perft::Arguments),
    Pgn(pgn::Arguments),
    Best(best::Arguments),
    Show(show::Arguments),
    Tournament(tournament::Arguments),
}

pub(crate) fn run(program: &Program, arguments: &Arguments, out: &mut Out) -> Result<bool, Failure> {
    match &arguments.task {
        Task::Moves(arguments) => moves::run(arguments, out),
        Task::Perft(arguments) => perft::run(arguments, out),
        Task::Pgn(arguments) => pgn::run(arguments, out),
        Task::Best(arguments) => best::run(arguments, out),
        Task::Show(arguments) => show::run(arguments, out),
        Task::Tournament(arguments) => tournament::run(program, arguments, out),
    }
}

/// Parses a position, a FEN, or the word `start`.
fn position(text: &str) -> Result<Position, NotAPosition> {
    match text {
        "start" => Ok(Position::start()),
        _ if fen::is_fen(text) => fen::read(text).map_err(NotAPosition::Fen),
        _ => text.parse().map_err(NotAPosition::Own),
    }
}

/// The reasons why a text is not a position.
#[derive(Clone, Debug)]
enum NotAPosition {
    /// In the notation of the rules.
    Own(PositionError),
    Fen(FenError),
}

impl fmt::Display for NotAPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Own(error) => error.fmt(f),
            Self::Fen(error) => error.fmt(f),
        }
    }
}

impl Error for NotAPosition {}
