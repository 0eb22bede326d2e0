//! `systest mutants`: which scripts catch which faulty rules.

use std::{
    fs,
    io::{IsTerminal, Write},
    path::PathBuf,
    process::ExitCode,
};

use colony::mutants::MUTANTS;
use systemtests::mutants::{html, matrix::Matrix, report, scripts};

/// Plays scripts by faulty rules and says which mistakes they notice. Succeeds when they notice all that can be noticed.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// What `systest run` takes.
    #[arg(default_value = "systemtests/scripts")]
    paths: Vec<PathBuf>,
    /// Only this mutant; may be given several times.
    #[arg(long, value_name = "NAME", value_parser = known)]
    mutant: Vec<usize>,
    /// Writes a page to look at.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Writes everything, every kill with its first difference.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    match try_run(arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(problems) => {
            problems.iter().for_each(|problem| eprintln!("systest: {problem}"));
            ExitCode::FAILURE
        }
    }
}

/// Whether the scripts notice every mutant that can be noticed.
fn try_run(arguments: &Arguments) -> Result<bool, Vec<String>> {
    let scripts = scripts::find(&arguments.paths)?;
    if scripts.is_empty() {
        return Err(vec!["there are no scripts".into()]);
    }
    let all: Vec<usize> = (0..MUTANTS.len()).collect();
    let chosen = if arguments.mutant.is_empty() { &all } else { &arguments.mutant };
    let count = scripts.len();
    let matrix = Matrix::of(scripts, chosen, &|done| show_progress(done, count)).map_err(|mut failed| {
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

fn known(name: &str) -> Result<usize, String> {
    MUTANTS.iter().position(|mutant| mutant.name == name).ok_or_else(|| "docs/mutants.md has all names".into())
}

/// A line on standard error; nothing where no person is looking.
fn show_progress(done: usize, all: usize) {
    let mut error = std::io::stderr().lock();
    if error.is_terminal() {
        let end = if done == all { "\r\x1b[K" } else { "" };
        let _nobody_looks = write!(error, "\r{done} of {all} scripts\x1b[K{end}").and_then(|()| error.flush());
    }
}
