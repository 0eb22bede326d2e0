//! `holdfast crazyhouse perft`: in how many ways a position can go on.

use std::time::Instant;

use cli::output::Out;
use crazyhouse_rules::{Position, divide, perft};

use super::position;

/// Counts in how many ways a position can go on for 1, 2 .. DEPTH moves, and how fast.
///
/// The moves at the end of each way are listed and counted, not made.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The board, a space, and w or b; or start.
    #[arg(value_parser = position)]
    position: Position,
    depth: u32,
    /// Also the ways behind each first move, in the order of their letters.
    #[arg(long)]
    divide: bool,
}

pub(super) fn run(Arguments { position, depth, divide }: &Arguments, out: &mut Out) -> Result<bool, String> {
    let before = if *divide { *depth } else { depth.saturating_add(1) };
    for depth in 1..before {
        if !count(depth, out, |_| perft(position, depth)) {
            return Ok(true);
        }
    }
    if *divide || *depth == 0 {
        count(*depth, out, |out| if *divide { divided(position, *depth, out) } else { perft(position, *depth) });
    }
    Ok(true)
}

/// A line as soon as it is known; false when nobody reads it.
fn count(depth: u32, out: &mut Out, count: impl FnOnce(&mut Out) -> u64) -> bool {
    let began = Instant::now();
    let nodes = count(out);
    let seconds = began.elapsed().as_secs_f64();
    let rate = nodes as f64 / seconds.max(1e-9) / 1e6;
    out.write(format!("depth {depth}: {nodes} nodes, {seconds:.3} s, {rate:.1} M nodes/s\n")) && out.flush()
}

fn divided(position: &Position, depth: u32, out: &mut Out) -> u64 {
    let mut first: Vec<(String, u64)> = Vec::new();
    if depth > 0 {
        first.extend(divide(position, depth).into_iter().map(|(first, nodes)| (first.to_string(), nodes)));
    }
    first.sort();
    for (text, nodes) in &first {
        out.write(format!("{text}: {nodes}\n"));
    }
    if depth == 0 { 1 } else { first.iter().map(|(_, nodes)| nodes).sum() }
}
