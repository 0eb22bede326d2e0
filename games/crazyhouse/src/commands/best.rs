//! `holdfast crazyhouse best`: the move of the bot `search`.

use std::{fmt::Write, time::Duration};

use cli::output::Out;
use crazyhouse_rules::Position;

use super::position;
use crate::bots::{Budget, search::Search};

/// Prints the best move that is found within a time or a number of positions; nothing where there is no move.
///
/// It is called as a bot of others is, so it can be one: the position is its last argument.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The board, a space, and w or b; or start.
    #[arg(value_parser = position)]
    position: Position,
    /// In milliseconds; 500 when nothing is said about nodes either.
    #[arg(long, value_name = "MS")]
    time: Option<u64>,
    /// How many positions are looked at. Without a time, the same number gives the same move.
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Decides among moves that look equal at first.
    #[arg(long, default_value_t = 1, allow_negative_numbers = true)]
    seed: i64,
    /// Also how good it is for whoever moves, how deep it looked, and how it expects the game to go on.
    #[arg(long)]
    verbose: bool,
}

pub(super) fn run(arguments: &Arguments, out: &mut Out) -> Result<bool, String> {
    let budget = match (arguments.time.map(Duration::from_millis), arguments.nodes) {
        (None, None) => Budget::USUAL,
        (time, nodes) => Budget { time, nodes },
    };
    let Some(found) = Search::new(budget, arguments.seed).think(&arguments.position) else { return Ok(true) };
    let mut text = format!("{}\n", found.best);
    if arguments.verbose {
        let line: Vec<String> = found.line.iter().map(ToString::to_string).collect();
        let rate = found.nodes as f64 / found.time.as_secs_f64().max(1e-9) / 1e6;
        let (nodes, seconds) = (found.nodes, found.time.as_secs_f64());
        write!(
            text,
            "score  {}\ndepth  {}\nnodes  {nodes} in {seconds:.3} s, {rate:.2} M nodes/s\nline   {}\n",
            found.score,
            found.depth,
            line.join(" ")
        )
        .expect("a string takes everything");
    }
    out.write(text);
    Ok(true)
}
