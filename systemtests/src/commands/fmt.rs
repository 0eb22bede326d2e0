//! `systest fmt`: one form for all scripts.

use std::{fs, path::PathBuf, process::ExitCode};

/// Formats scripts; every word and every comment stays.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Scripts, or folders with scripts.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Changes nothing, and fails if something would be changed.
    #[arg(long)]
    check: bool,
}

pub(super) fn run(arguments: &Arguments) -> ExitCode {
    match format_all(arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(problem) => {
            eprintln!("systest: {problem}");
            ExitCode::FAILURE
        }
    }
}

/// Whether all is well.
fn format_all(arguments: &Arguments) -> Result<bool, String> {
    let mut changed = 0;
    for file in arguments.paths.iter().map(|path| scripts(path)).collect::<Result<Vec<_>, _>>()?.concat() {
        let failed = |error: std::io::Error| format!("{}: {error}", file.display());
        let text = fs::read_to_string(&file).map_err(failed)?;
        let formatted = script::format(&text);
        if formatted != text {
            changed += 1;
            println!("{} {}", if arguments.check { "not formatted:" } else { "formatted" }, file.display());
            if !arguments.check {
                fs::write(&file, formatted).map_err(failed)?;
            }
        }
    }
    Ok(changed == 0 || !arguments.check)
}

/// Fragments are formatted, too.
fn scripts(path: &std::path::Path) -> Result<Vec<PathBuf>, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    if !fs::metadata(path).map_err(failed)?.is_dir() {
        return Ok(vec![path.into()]);
    }
    let mut files = Vec::new();
    for entry in fs::read_dir(path).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.is_dir() {
            files.extend(scripts(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "script") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
