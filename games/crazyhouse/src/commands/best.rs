//! `holdfast crazyhouse best`: prints the move of the bot `search`.

use std::{fmt::Write, time::Duration};

use cli::{
    Failure, duration,
    output::{Out, ReportArgs},
};
use crazyhouse_rules::Position;
use serde_json::json;

use super::position;
use crate::bots::{self, Budget, search::Search};

/// Prints the best move that the bot `search` finds. Prints nothing if there is no move.
///
/// The command can be given as a program to --bot, because the position is its last argument.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The position: the board, a space, and w or b; or start.
    #[arg(value_parser = position)]
    position: Position,
    /// How long to search; a number without a unit is milliseconds. [default: 500ms, or no limit with --nodes]
    #[arg(long, value_name = "TIME", value_parser = duration::in_milliseconds)]
    time: Option<Duration>,
    /// How many positions to search. Without --time, the same number always gives the same move.
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Search as many positions as the bot of this level, from 1 to 8.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=8), conflicts_with = "nodes")]
    level: Option<u8>,
    /// The seed that decides between moves that look equal at first.
    #[arg(long, default_value_t = 1, allow_negative_numbers = true, value_name = "N")]
    seed: i64,
    /// Also print the score for the side to move, the depth of the search, and the expected moves.
    #[arg(long)]
    verbose: bool,
    #[command(flatten)]
    report: ReportArgs,
}

pub(super) fn run(arguments: &Arguments, out: &mut Out) -> Result<bool, Failure> {
    let of_level = arguments.level.map(|level| bots::level_nodes(level.into()));
    let budget = match (arguments.time, arguments.nodes.or(of_level)) {
        (None, None) => Budget::USUAL,
        (time, nodes) => Budget { time, nodes },
    };
    let Some(found) = Search::new(budget, arguments.seed).think(&arguments.position) else {
        out.write(arguments.report.report(String::new, || json!({"move": null})));
        return Ok(true);
    };
    if arguments.report.json {
        let line: Vec<String> = found.line.iter().map(ToString::to_string).collect();
        let found = json!({
            "move": found.best.to_string(), "score": found.score.to_string(), "depth": found.depth, "nodes": found.nodes,
            "seconds": found.time.as_secs_f64(), "line": line,
        });
        out.write(format!("{found}\n"));
        return Ok(true);
    }
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
