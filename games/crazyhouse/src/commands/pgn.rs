//! `holdfast crazyhouse pgn`: reads games that other programs have written.

use std::{
    error::Error,
    fmt, fs,
    io::{self, Read},
    path::PathBuf,
};

use cli::{
    Failure,
    output::{Out, ReportArgs},
};

use crate::{
    chess::pgn::{Pgn, PgnError},
    record::describe,
};

/// Reads games in PGN, checks every move by the rules, and prints the games again.
///
/// Comments, variations and marks are left out. The first mistake ends the command with exit code 1 before any output; standard error
/// names the line.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The file. If left out, standard input is read.
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Print one line per game: its moves like b3-c4 and r-c4.
    #[arg(long, conflicts_with = "json")]
    moves: bool,
    #[command(flatten)]
    report: ReportArgs,
}

/// The most bytes that are read.
const LONGEST: u64 = 64 << 20;

/// The reasons why games cannot be read.
#[derive(Debug)]
enum InputError {
    Unreadable { from: String, error: io::Error },
    TooLong,
    NotAGame(PgnError),
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable { from, error } => write!(f, "cannot read {from}: {error}"),
            Self::TooLong => write!(f, "there are more than {} MiB of games", LONGEST >> 20),
            Self::NotAGame(error) => error.fmt(f),
        }
    }
}

impl Error for InputError {}

pub(super) fn run(arguments: &Arguments, out: &mut Out) -> Result<bool, Failure> {
    for game in Pgn::read_all(&read(arguments)?).map_err(InputError::NotAGame)? {
        let moves = || {
            let moves: Vec<String> = game.moves.iter().map(ToString::to_string).collect();
            format!("{}\n", moves.join(" "))
        };
        let text = || if arguments.moves { moves() } else { format!("{game}\n") };
        if !out.write(arguments.report.report(text, || describe(&game))) {
            break;
        }
    }
    Ok(true)
}

fn read(arguments: &Arguments) -> Result<String, InputError> {
    let mut text = String::new();
    let (from, read) = match &arguments.file {
        Some(path) => {
            let file = fs::File::open(path);
            (path.display().to_string(), file.and_then(|file| file.take(LONGEST + 1).read_to_string(&mut text)))
        }
        None => ("standard input".into(), io::stdin().lock().take(LONGEST + 1).read_to_string(&mut text)),
    };
    let length = read.map_err(|error| InputError::Unreadable { from, error })?;
    if length as u64 > LONGEST { Err(InputError::TooLong) } else { Ok(text) }
}
