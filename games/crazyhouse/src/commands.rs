//! `holdfast crazyhouse`: positions of crazyhouse, and tournaments of bots. Each task has its own file.

mod best;
mod moves;
mod perft;
mod show;
mod tournament;

use cli::{Program, output::Out};
use crazyhouse_rules::Position;

/// Looks at positions of crazyhouse: their moves, how they go on, and the best of them; and lets bots play each other.
///
/// A position is one argument: the board, a space, and w or b for whose move it is. `start` is the first one of a game.
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
  holdfast crazyhouse best 'r4rk1/ppp2pp1/2nq1n1p/2b1p3/8/2P1BN2/PP3PPP/R2Q1RK1/BNPPbp w' --time 1000 --verbose
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

pub(crate) fn run(program: &Program, arguments: &Arguments, out: &mut Out) -> Result<bool, String> {
    match &arguments.task {
        Task::Moves(arguments) => moves::run(arguments, out),
        Task::Perft(arguments) => perft::run(arguments, out),
        Task::Best(arguments) => best::run(arguments, out),
        Task::Show(arguments) => show::run(arguments, out),
        Task::Tournament(arguments) => tournament::run(program, arguments, out),
    }
}

/// A position as people write it.
fn position(text: &str) -> Result<Position, crazyhouse_rules::PositionError> {
    if text == "start" { Ok(Position::start()) } else { text.parse() }
}
