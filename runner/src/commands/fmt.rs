//! `systest fmt`: formats scripts.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::json;

use super::{
    EXIT_CODES, check_paths,
    error::CommandError,
    output::{is_standard_output, print, write, write_report},
};

/// Formats scripts. Only white space changes; all words and comments stay.
#[derive(clap::Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct Arguments {
    /// Scripts, or folders with scripts.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Changes nothing, and fails if a script is not formatted.
    #[arg(long)]
    check: bool,
    /// Writes the list of scripts that are not formatted as JSON; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// Returns whether all scripts are formatted now.
pub(super) fn run(arguments: &Arguments) -> Result<bool, CommandError> {
    check_paths(&arguments.paths)?;
    let quiet = arguments.json.as_deref().is_some_and(is_standard_output);
    let mut changed = Vec::new();
    for file in arguments.paths.iter().map(|path| scripts(path)).collect::<Result<Vec<_>, _>>()?.concat() {
        let text = fs::read_to_string(&file).map_err(|error| CommandError::File(file.clone(), error))?;
        let formatted = script::format(&text);
        if formatted != text {
            if !quiet {
                let what = if arguments.check { "not formatted:" } else { "formatted" };
                print(&format!("{what} {}\n", file.display()))?;
            }
            if !arguments.check {
                write(&file, &formatted)?;
            }
            changed.push(file.display().to_string());
        }
    }
    if let Some(file) = &arguments.json {
        write_report(file, &format!("{:#}\n", json!({ "check": arguments.check, "changed": changed })))?;
    }
    Ok(changed.is_empty() || !arguments.check)
}

/// All scripts at a path, including fragments.
fn scripts(path: &Path) -> Result<Vec<PathBuf>, CommandError> {
    let failed = |error| CommandError::File(path.into(), error);
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
