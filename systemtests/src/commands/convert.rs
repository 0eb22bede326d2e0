//! `systest convert`: transcripts to scripts, and scripts to transcripts.

use std::{
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

use script::{ScenarioText, Script};
use systemtests::files;

/// Turns a file of transcripts (.json, .jsonl) into scripts, or scripts into transcripts; nothing is lost.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A .json or .jsonl file with transcripts, a .script file, or a folder.
    from: PathBuf,
    /// For scripts a folder, in which each has a file; for transcripts a .jsonl file. Without it, to standard output.
    #[arg(long, value_name = "PATH")]
    to: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    match convert(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("systest: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn convert(arguments: &Arguments) -> Result<(), String> {
    let found = files::find(&arguments.from);
    let mut scripts = Vec::new();
    for found in found {
        scripts.push(found.script.map_err(|problem| format!("{}:\n{problem}", found.place))?);
    }
    if scripts.is_empty() {
        return Err(format!("{}: there is nothing to convert", arguments.from.display()));
    }
    let (from_text, from_json): (Vec<Script>, Vec<Script>) =
        scripts.into_iter().partition(|script| script.file.ends_with(".script"));
    if !from_text.is_empty() {
        let lines: String = from_text.iter().map(|script| format!("{}\n", script.transcript.json())).collect();
        match &arguments.to {
            Some(file) => {
                write(file, &lines)?;
                from_text.iter().try_for_each(|script| bring_scenario(script, file))?;
            }
            None => print!("{lines}"),
        }
    }
    for script in from_json {
        let text = script::print(&script.transcript, &script.names);
        match &arguments.to {
            Some(folder) => {
                fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
                let file = free_name(folder, &script.transcript.name);
                write(&file, &text)?;
                bring_scenario(&script, &file)?;
            }
            None => println!("{text}"),
        }
    }
    Ok(())
}

/// Puts a scenario that is named by its path beside the new file as well, where it is looked for.
fn bring_scenario(script: &Script, file: &Path) -> Result<(), String> {
    let ScenarioText::File(name) = &script.transcript.scenario else { return Ok(()) };
    let path = file.parent().unwrap_or(Path::new("")).join(name);
    if resources::scenario(name).is_some() || path.exists() {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    write(&path, &script.scenario)
}

/// A file that is not there yet, named after a script.
fn free_name(folder: &Path, name: &str) -> PathBuf {
    let plain: String = name.chars().map(|c| if c.is_alphanumeric() || c == '-' { c } else { '_' }).collect();
    let paths = std::iter::once(folder.join(format!("{plain}.script")))
        .chain((2..).map(|number| folder.join(format!("{plain}-{number}.script"))));
    paths.into_iter().find(|path| !path.exists()).expect("numbers do not end")
}

fn write(file: &Path, text: &str) -> Result<(), String> {
    fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()))
}
