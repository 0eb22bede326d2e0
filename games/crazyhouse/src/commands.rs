//! `holdfast crazyhouse`: examines positions, and runs tournaments of bots. Each subcommand has its own file.

mod best;
mod moves;
mod perft;
mod show;
mod tournament;

use cli::{Failure, Program, output::Out};
use crazyhouse_rules::Position;

/// Examines positions of crazyhouse, and runs tournaments of bots.
///
/// A position is one argument: the board, a space, and w or b for the side to move. `start` is the start position.
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
    Best(best::Arguments),
    Show(show::Arguments),
    Tournament(tournament::Arguments),
}

pub(crate) fn run(program: &Program, arguments: &Arguments, out: &mut Out) -> Result<bool, Failure> {
    match &arguments.task {
        Task::Moves(arguments) => moves::run(arguments, out),
        Task::Perft(arguments) => perft::run(arguments, out),
        Task::Best(arguments) => best::run(arguments, out),
        Task::Show(arguments) => show::run(arguments, out),
        Task::Tournament(arguments) => tournament::run(program, arguments, out),
    }
}

/// Parses a position, or the word `start`.
fn position(text: &str) -> Result<Position, crazyhouse_rules::PositionError> {
    if text == "start" { Ok(Position::start()) } else { text.parse() }
}
