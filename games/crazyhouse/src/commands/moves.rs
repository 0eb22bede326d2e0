//! `holdfast crazyhouse moves`: the legal moves of positions, as many as come.

use std::io::{self, BufRead, BufReader, Read};

use cli::output::Out;
use crazyhouse_rules::Position;

use super::position;

/// Prints the legal moves of positions, a line for each.
///
/// The moves of a line are sorted by their letters, with a space between; the line is empty where there is no move. Without
/// an argument, positions are read from standard input, one in each line, and every answer is written before the next
/// line is waited for.
///
/// The first line that is no position ends it: line and column are said on standard error, the answers to all lines before
/// it have been written, and the exit code is 1. A wrong argument is found before anything is written (exit code 2).
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Each one argument; standard input when left out.
    #[arg(value_name = "POSITION", value_parser = position)]
    positions: Vec<Position>,
}

/// More than any position has, and its line end.
const LONGEST: u64 = 70_000;

pub(super) fn run(Arguments { positions }: &Arguments, out: &mut Out) -> Result<bool, String> {
    if positions.is_empty() {
        return answer(&mut BufReader::with_capacity(1 << 16, io::stdin().lock()), out);
    }
    let _enough = positions.iter().all(|position| out.write(position.moves_text()) && out.write("\n"));
    Ok(true)
}

fn answer(lines: &mut BufReader<impl Read>, out: &mut Out) -> Result<bool, String> {
    let mut line = Vec::new();
    for number in 1_u64.. {
        line.clear();
        // Whoever writes the lines may wait for the answers to those before.
        if !lines.buffer().contains(&b'\n') && !out.flush() {
            break;
        }
        let read = lines.by_ref().take(LONGEST).read_until(b'\n', &mut line);
        if read.map_err(|error| format!("cannot read standard input: {error}"))? == 0 {
            break;
        }
        let position = read_line(&line).map_err(|problem| format!("line {number}, {problem}"))?;
        if !out.write(position.moves_text()) || !out.write("\n") {
            break;
        }
    }
    Ok(true)
}

fn read_line(line: &[u8]) -> Result<Position, String> {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    match str::from_utf8(line) {
        Ok(text) => position(text).map_err(|error| error.to_string()),
        Err(error) => Err(format!("column {}: this is no text", error.valid_up_to() + 1)),
    }
}
