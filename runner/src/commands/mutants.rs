//! `systest mutants`: shows which faulty rules the scripts detect.

use std::{
    fs,
    path::{Path, PathBuf},
};

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
    /// The table of the mutants. Without it, the table that was built into this program.
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
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
    let named = arguments.rulebook.as_deref();
    let (game, table) = match &arguments.table {
        Some(file) => (games.find(named).map_err(CommandError::NoScripts)?, read(file)?),
        None => {
            let rulebook = named.or(mutants::games().next()).ok_or(CommandError::NoMutants(None))?;
            let game = games.find(Some(rulebook)).map_err(CommandError::NoScripts)?;
            (game, mutants::table(rulebook).ok_or_else(|| CommandError::NoMutants(Some(rulebook.into())))?)
        }
    };
    let rulebook = game.name();
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

/// Reads the table of an author's game. It lives as long as the program, like the built-in ones.
fn read(file: &Path) -> Result<&'static [Mutant], CommandError> {
    let text = fs::read_to_string(file).map_err(|error| CommandError::File(file.into(), error))?;
    let rows = ::mutants::read(&text).map_err(|error| CommandError::Table(file.into(), error))?;
    let kept = |text: String| -> &'static str { Box::leak(text.into_boxed_str()) };
    let mutants = rows.into_iter().map(|row| Mutant {
        name: kept(row.name),
        section: kept(row.section),
        editions: kept(row.editions),
        mistake: kept(row.mistake),
        equivalent: row.equivalent.map(kept),
    });
    Ok(Box::leak(mutants.collect::<Vec<_>>().into_boxed_slice()))
}

fn known(table: &[Mutant], name: &str) -> usize {
    let known = table.iter().position(|mutant| mutant.name == name);
    known.unwrap_or_else(|| invalid("--mutant <NAME>", name, "docs/mutants.md lists all names"))
}
