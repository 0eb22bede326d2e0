//! `holdfast crazyhouse perft`: counts the sequences of moves from a position.

use std::time::Instant;

use cli::{
    Failure,
    output::{Out, ReportArgs},
};
use crazyhouse_rules::{Position, divide, perft};
use serde_json::{Value, json};

use super::position;

/// Counts the sequences of 1, 2 .. DEPTH legal moves from a position, and prints how fast.
///
/// The last moves of each sequence are counted and not made.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The position: the board, a space, and w or b; or start.
    #[arg(value_parser = position)]
    position: Position,
    /// The longest sequence, in moves.
    depth: u32,
    /// At DEPTH, also print the number of sequences after each first move, sorted by their letters.
    #[arg(long)]
    divide: bool,
    #[command(flatten)]
    report: ReportArgs,
}

pub(super) fn run(arguments: &Arguments, out: &mut Out) -> Result<bool, Failure> {
    let depth = arguments.depth;
    let all_written = (1..depth).all(|depth| count(arguments, depth, false, out));
    if all_written {
        count(arguments, depth, arguments.divide, out);
    }
    Ok(true)
}

/// Counts the sequences of one depth, and prints the result at once. False if the output is closed.
fn count(arguments: &Arguments, depth: u32, is_divided: bool, out: &mut Out) -> bool {
    let began = Instant::now();
    let first = if is_divided { first_moves(&arguments.position, depth) } else { Vec::new() };
    let nodes = match is_divided && depth > 0 {
        true => first.iter().map(|(_, nodes)| nodes).sum(),
        false => perft(&arguments.position, depth),
    };
    let seconds = began.elapsed().as_secs_f64();
    let text = || {
        let rate = nodes as f64 / seconds.max(1e-9) / 1e6;
        let first: String = first.iter().map(|(text, nodes)| format!("{text}: {nodes}\n")).collect();
        format!("{first}depth {depth}: {nodes} nodes, {seconds:.3} s, {rate:.1} M nodes/s\n")
    };
    let json = || {
        let mut report = json!({"depth": depth, "nodes": nodes, "seconds": seconds});
        if is_divided {
            report["moves"] = first.iter().map(|(text, nodes)| (text.clone(), Value::from(*nodes))).collect();
        }
        report
    };
    out.write(arguments.report.report(text, json)) && out.flush()
}

/// The first moves, and the number of sequences after each.
fn first_moves(position: &Position, depth: u32) -> Vec<(String, u64)> {
    if depth == 0 {
        return Vec::new();
    }
    let mut first: Vec<(String, u64)> =
        divide(position, depth).into_iter().map(|(first, nodes)| (first.to_string(), nodes)).collect();
    first.sort();
    first
}
