//! `systest mutants`: which scripts catch which faulty rules.

use std::{
    fs,
    io::{IsTerminal, Write},
    path::PathBuf,
    process::ExitCode,
};

use script::Games;

use super::output::invalid;
use crate::mutants::{self, Mutant, html, matrix::Matrix, report, scripts};

/// Plays scripts by faulty rules and says which mistakes they notice. Succeeds when they notice all that can be noticed.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// What `systest run` takes; without any, the game's own scripts.
    paths: Vec<PathBuf>,
    /// The game; without it, the first one that has mutants.
    #[arg(long, value_name = "NAME")]
    rulebook: Option<String>,
    /// Only this mutant; may be given several times.
    #[arg(long, value_name = "NAME")]
    mutant: Vec<String>,
    /// Writes a page to look at.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Writes everything, every kill with its first difference.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments, games: &Games) -> ExitCode {
    match try_run(arguments, games) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(problems) => {
            problems.iter().for_each(|problem| eprintln!("systest: {problem}"));
            ExitCode::FAILURE
        }
    }
}

/// Whether the scripts notice every mutant that can be noticed.
fn try_run(arguments: &Arguments, games: &Games) -> Result<bool, Vec<String>> {
    let rulebook = arguments.rulebook.as_deref().or(mutants::games().next());
    let rulebook = rulebook.ok_or_else(|| vec!["no game has mutants; `cargo xtask mutants` builds them".into()])?;
    let game = games.find(Some(rulebook)).map_err(|none| vec![format!("{none}; {}", none.help)])?;
    let table = mutants::table(rulebook).ok_or_else(|| vec![format!("{rulebook} has no mutants")])?;
    let chosen: Vec<usize> = arguments.mutant.iter().map(|name| known(table, name)).collect();
    let own = [PathBuf::from("games").join(rulebook).join("scripts")];
    let scripts = scripts::find(if arguments.paths.is_empty() { &own } else { &arguments.paths }, game)?;
    if scripts.is_empty() {
        return Err(vec!["there are no scripts".into()]);
    }
    let all: Vec<usize> = (0..table.len()).collect();
    let chosen = if chosen.is_empty() { &all } else { &chosen };
    let count = scripts.len();
    let matrix = Matrix::of(scripts, table, chosen, &|done| show_progress(done, count)).map_err(|mut failed| {
        failed.insert(0, "these scripts do not pass on the rules as they are:".into());
        failed
    })?;
    print!("{}", report::text(&matrix));
    for (file, text) in [
        (&arguments.html, (|matrix| html::page(matrix)) as fn(&Matrix) -> String),
        (&arguments.json, |matrix| report::json(matrix).to_string()),
    ] {
        if let Some(file) = file {
            fs::write(file, text(&matrix)).map_err(|error| vec![format!("{}: {error}", file.display())])?;
        }
    }
    Ok(matrix.is_complete())
}

fn known(table: &[Mutant], name: &str) -> usize {
    let known = table.iter().position(|mutant| mutant.name == name);
    known.unwrap_or_else(|| invalid("--mutant <NAME>", name, "docs/mutants.md has all names"))
}

/// A line on standard error; nothing where no person is looking.
fn show_progress(done: usize, all: usize) {
    let mut error = std::io::stderr().lock();
    if error.is_terminal() {
        let end = if done == all { "\r\x1b[K" } else { "" };
        let _nobody_looks = write!(error, "\r{done} of {all} scripts\x1b[K{end}").and_then(|()| error.flush());
    }
}
