//! `systest mutants`: shows which faulty rules the scripts detect.

use std::path::PathBuf;

use cli::progress::Progress;
use script::Games;

use super::{
    EXIT_CODES, check_paths,
    error::CommandError,
    output::{invalid, is_standard_output, print, write_report},
};
use crate::mutants::{self, Mutant, html, matrix::Matrix, report, scripts};

/// Plays scripts by faulty rules, and reports which faults the scripts catch. Succeeds if they catch all that can be caught.
#[derive(clap::Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct Arguments {
    /// Scripts, as for `systest run`. Without any, the game's own scripts.
    paths: Vec<PathBuf>,
    /// The game. Without it, the first one that has mutants.
    #[arg(long, value_name = "NAME")]
    rulebook: Option<String>,
    /// Plays only this mutant. May be given several times.
    #[arg(long, value_name = "NAME")]
    mutant: Vec<String>,
    /// Writes the report as an HTML page; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Writes the report as JSON, with the first difference of each kill; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// Returns whether the scripts kill every mutant that is not equivalent.
pub(super) fn run(arguments: &Arguments, games: &Games) -> Result<bool, CommandError> {
    check_paths(&arguments.paths)?;
    let rulebook = arguments.rulebook.as_deref().or(mutants::games().next()).ok_or(CommandError::NoMutants(None))?;
    let game = games.find(Some(rulebook)).map_err(CommandError::NoScripts)?;
    let table = mutants::table(rulebook).ok_or_else(|| CommandError::NoMutants(Some(rulebook.into())))?;
    let chosen: Vec<usize> = arguments.mutant.iter().map(|name| known(table, name)).collect();
    let own = [PathBuf::from("games").join(rulebook).join("scripts")];
    let scripts = scripts::find(if arguments.paths.is_empty() { &own } else { &arguments.paths }, game)
        .map_err(CommandError::Unreadable)?;
    if scripts.is_empty() {
        return Err(CommandError::NothingToPlay);
    }
    let all: Vec<usize> = (0..table.len()).collect();
    let chosen = if chosen.is_empty() { &all } else { &chosen };
    let count = scripts.len();
    let progress = Progress::new("scripts", count as u64);
    let matrix = Matrix::play(scripts, table, chosen, &|done| progress.show(done as u64));
    drop(progress);
    let matrix = matrix.map_err(CommandError::FailedByTheRules)?;
    let files = [&arguments.html, &arguments.json];
    if !files.iter().any(|file| file.as_deref().is_some_and(is_standard_output)) {
        print(&report::text(&matrix))?;
    }
    if let Some(file) = &arguments.html {
        write_report(file, &html::page(&matrix))?;
    }
    if let Some(file) = &arguments.json {
        write_report(file, &format!("{}\n", report::json(&matrix)))?;
    }
    Ok(matrix.is_complete())
}

fn known(table: &[Mutant], name: &str) -> usize {
    let known = table.iter().position(|mutant| mutant.name == name);
    known.unwrap_or_else(|| invalid("--mutant <NAME>", name, "docs/mutants.md lists all names"))
}
