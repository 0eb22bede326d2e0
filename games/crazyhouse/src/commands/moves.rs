//! `holdfast crazyhouse moves`: prints the legal moves of positions.

use std::{
    error::Error,
    fmt,
    io::{self, BufRead, BufReader, Read},
};

use cli::{
    Failure,
    output::{Out, ReportArgs},
};
use crazyhouse_rules::Position;
use serde_json::json;

use super::{NotAPosition, position};

/// Prints the legal moves of positions, one line per position.
///
/// The moves of a line are sorted by their letters and separated by spaces. The line is empty if there is no move. Without an
/// argument, the command reads positions from standard input, one per line, and answers each line before it waits for the next.
///
/// The first line that is not a position ends the command with exit code 1, after all answers to earlier lines. Standard error names
/// line and column. A bad argument ends it with exit code 2 before any answer.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The positions, one argument each. If left out, they are read from standard input.
    #[arg(value_name = "POSITION", value_parser = position)]
    positions: Vec<Position>,
    /// Print each list as `[a2-a3,a2-a4]`, the form of the course. An empty list is `[]`.
    #[arg(long, conflicts_with = "json")]
    brackets: bool,
    #[command(flatten)]
    report: ReportArgs,
}

/// The reasons why standard input is not a list of positions.
#[derive(Debug)]
enum InputError {
    Unreadable(io::Error),
    NotText { line: u64, column: usize },
    NotAPosition { line: u64, error: NotAPosition },
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(error) => write!(f, "cannot read standard input: {error}"),
            Self::NotText { line, column } => write!(f, "line {line}, column {column}: this is not UTF-8 text"),
            Self::NotAPosition { line, error } => write!(f, "line {line}, {error}"),
        }
    }
}

impl Error for InputError {}

/// More bytes than any position and its line end have.
const LONGEST: u64 = 70_000;

pub(super) fn run(arguments: &Arguments, out: &mut Out) -> Result<bool, Failure> {
    if arguments.positions.is_empty() {
        answer_lines(&mut BufReader::with_capacity(1 << 16, io::stdin().lock()), arguments, out)?;
    } else {
        let _all_written = arguments.positions.iter().all(|position| answer(position, arguments, out));
    }
    Ok(true)
}

/// Writes the moves of one position. False if the output is closed.
fn answer(position: &Position, arguments: &Arguments, out: &mut Out) -> bool {
    let moves = position.moves_text();
    let text = || if arguments.brackets { in_brackets(&moves) } else { format!("{moves}\n") };
    let json = || json!({"position": position.to_string(), "moves": moves.split_whitespace().collect::<Vec<_>>()});
    out.write(arguments.report.report(text, json))
}

fn in_brackets(moves: &str) -> String {
    format!("[{}]\n", moves.replace(' ', ","))
}

fn answer_lines(lines: &mut BufReader<impl Read>, arguments: &Arguments, out: &mut Out) -> Result<(), InputError> {
    let mut line = Vec::new();
    for number in 1_u64.. {
        line.clear();
        // The process that writes the lines may wait for the answers to earlier lines.
        if !lines.buffer().contains(&b'\n') && !out.flush() {
            break;
        }
        let read = lines.by_ref().take(LONGEST).read_until(b'\n', &mut line);
        if read.map_err(InputError::Unreadable)? == 0 {
            break;
        }
        if !answer(&read_line(&line, number)?, arguments, out) {
            break;
        }
    }
    Ok(())
}

fn read_line(bytes: &[u8], line: u64) -> Result<Position, InputError> {
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
    match str::from_utf8(bytes) {
        Ok(text) => position(text).map_err(|error| InputError::NotAPosition { line, error }),
        Err(error) => Err(InputError::NotText { line, column: error.valid_up_to() + 1 }),
    }
}
