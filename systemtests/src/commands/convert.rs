//! `systest convert`: transcripts to scripts, and scripts to transcripts.

use std::{
    collections::HashMap,
    fs,
    path::{Component, Path, PathBuf},
    process::ExitCode,
};

use script::{Games, ScenarioText, Script, Transcript};

use super::output::{print, write};
use crate::files;

/// Turns a file of transcripts (.json, .jsonl) into scripts, or scripts into transcripts; nothing is lost.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A .json or .jsonl file with transcripts, a .script file, or a folder.
    from: PathBuf,
    /// For scripts a folder, in which each has a file; for transcripts a .jsonl file. Without it, to standard output.
    #[arg(long, value_name = "PATH")]
    to: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments, games: &Games) -> ExitCode {
    match convert(arguments, games) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("systest: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn convert(arguments: &Arguments, games: &Games) -> Result<(), String> {
    let mut scripts = Vec::new();
    for found in files::find(&arguments.from, games) {
        scripts.push(found.script.map_err(|problem| format!("{}:\n{problem}", found.place))?);
    }
    let (from_text, from_json): (Vec<Script>, Vec<Script>) =
        scripts.into_iter().partition(|script| script.file.ends_with(".script"));
    let from = arguments.from.display();
    match (from_text.as_slice(), from_json.as_slice()) {
        ([], []) => Err(format!("{from}: there is nothing to convert")),
        (scripts, []) => to_transcripts(scripts, arguments.to.as_deref()),
        ([], transcripts) => to_scripts(transcripts, arguments.to.as_deref()),
        (_, _) => Err(format!("{from} has scripts and transcripts: convert one kind at a time")),
    }
}

fn to_transcripts(scripts: &[Script], file: Option<&Path>) -> Result<(), String> {
    let lines: String = scripts.iter().map(|script| format!("{}\n", whole(script).json(script.game))).collect();
    let Some(file) = file else { return print(&lines) };
    if file.is_dir() || file.extension().is_none_or(|extension| extension != "jsonl") {
        return Err(format!("{}: transcripts go to a .jsonl file, all to one", file.display()));
    }
    write(file, &lines)?;
    print(&format!("{}: {} written\n", file.display(), counted(scripts.len(), "transcript")))
}

fn to_scripts(transcripts: &[Script], folder: Option<&Path>) -> Result<(), String> {
    let Some(folder) = folder else {
        let texts: String =
            transcripts.iter().map(|script| script::print(script.game, &whole(script), &script.names) + "\n").collect();
        return print(&texts);
    };
    let is_a_file =
        folder.extension().is_some_and(|extension| ["script", "json", "jsonl"].iter().any(|&e| extension == e));
    if folder.is_file() || (is_a_file && !folder.is_dir()) {
        return Err(format!("{}: scripts go to a folder, each to a file of its own", folder.display()));
    }
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut scenarios = Scenarios { folder, written: HashMap::new() };
    for script in transcripts {
        let file = free_name(folder, &script.transcript.name);
        let transcript = Transcript { scenario: scenarios.beside(script, &file)?, ..script.transcript.clone() };
        write(&file, &script::print(script.game, &transcript, &script.names))?;
    }
    print(&format!("{}: {} written\n", folder.display(), counted(transcripts.len(), "script")))
}

/// With its scenario, unless that is built in: a transcript on its own finds no file.
fn whole(script: &Script) -> Transcript {
    let scenario = match &script.transcript.scenario {
        ScenarioText::File(name) if script.game.built_in(name).is_some() => ScenarioText::File(name.clone()),
        ScenarioText::File(_) | ScenarioText::Text(_) => ScenarioText::Text(script.scenario.clone()),
    };
    Transcript { scenario, ..script.transcript.clone() }
}

/// The scenarios beside new scripts.
struct Scenarios<'s> {
    folder: &'s Path,
    /// What was written under which name: many scripts share one.
    written: HashMap<&'s str, String>,
}

impl<'s> Scenarios<'s> {
    /// How a script in `file` names its scenario, which is in the folder now if it is not built in.
    fn beside(&mut self, script: &'s Script, file: &Path) -> Result<ScenarioText, String> {
        let text = script.scenario.as_str();
        let name = match &script.transcript.scenario {
            ScenarioText::File(name) if script.game.built_in(name).is_some() => {
                return Ok(ScenarioText::File(name.clone()));
            }
            ScenarioText::File(name) => inside(Path::new(name)),
            ScenarioText::Text(_) => file.with_extension("json").file_name().map(PathBuf::from).unwrap_or_default(),
        };
        if let Some(name) = self.written.get(text) {
            return Ok(ScenarioText::File(name.clone()));
        }
        let path = self.folder.join(&name);
        if fs::read(&path).is_ok_and(|there| there != text.as_bytes()) {
            return Err(format!(
                "{} is another scenario than that of {}: nothing is written over it",
                path.display(),
                script.file
            ));
        }
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        }
        write(&path, text)?;
        print(&format!("{}: scenario written\n", path.display()))?;
        let name = name.display().to_string();
        self.written.insert(text, name.clone());
        Ok(ScenarioText::File(name))
    }
}

/// The path, or only its last part if it leads elsewhere.
fn inside(path: &Path) -> PathBuf {
    let stays = path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if stays { path.to_owned() } else { path.file_name().map(PathBuf::from).unwrap_or_default() }
}

/// A file that is not there yet, named after a script.
fn free_name(folder: &Path, name: &str) -> PathBuf {
    let plain: String = name.chars().map(|c| if c.is_alphanumeric() || c == '-' { c } else { '_' }).collect();
    let paths = std::iter::once(folder.join(format!("{plain}.script")))
        .chain((2..).map(|number| folder.join(format!("{plain}-{number}.script"))));
    paths.into_iter().find(|path| !path.exists()).expect("numbers do not end")
}

fn counted(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}
