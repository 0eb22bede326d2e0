//! `systest convert`: converts transcripts to scripts, and scripts to transcripts.

use std::{
    collections::HashMap,
    fs,
    path::{Component, Path, PathBuf},
};

use script::{Games, ScenarioText, Script, Transcript};

use super::{
    EXIT_CODES, check_paths,
    error::CommandError,
    output::{print, write},
};
use crate::files;

/// Converts transcripts (.json, .jsonl) into scripts, or scripts into transcripts, without loss.
#[derive(clap::Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct Arguments {
    /// A .json or .jsonl file with transcripts, a .script file, or a folder with one kind of them.
    from: PathBuf,
    /// Where to write: for scripts a folder, with a file for each; for transcripts a .jsonl file. Without it, prints to standard
    /// output.
    #[arg(long, value_name = "PATH")]
    to: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments, games: &Games) -> Result<(), CommandError> {
    check_paths(std::slice::from_ref(&arguments.from))?;
    let mut scripts = Vec::new();
    for found in files::find(&arguments.from, games) {
        scripts.push(found.script.map_err(|error| CommandError::ScriptAt(found.place, error))?);
    }
    let (from_text, from_json): (Vec<Script>, Vec<Script>) =
        scripts.into_iter().partition(|script| script.file.ends_with(".script"));
    match (from_text.as_slice(), from_json.as_slice()) {
        ([], []) => Err(CommandError::NothingToConvert(arguments.from.clone())),
        (scripts, []) => to_transcripts(scripts, arguments.to.as_deref()),
        ([], transcripts) => to_scripts(transcripts, arguments.to.as_deref()),
        (_, _) => Err(CommandError::ScriptsAndTranscripts(arguments.from.clone())),
    }
}

fn to_transcripts(scripts: &[Script], file: Option<&Path>) -> Result<(), CommandError> {
    let lines: String = scripts.iter().map(|script| format!("{}\n", whole(script).json(script.game))).collect();
    let Some(file) = file else { return print(&lines) };
    if file.is_dir() || file.extension().is_none_or(|extension| extension != "jsonl") {
        return Err(CommandError::NeedsJsonlFile(file.into()));
    }
    write(file, &lines)?;
    print(&format!("{}: {} written\n", file.display(), counted(scripts.len(), "transcript")))
}

fn to_scripts(transcripts: &[Script], folder: Option<&Path>) -> Result<(), CommandError> {
    let Some(folder) = folder else {
        let texts: String =
            transcripts.iter().map(|script| script::print(script.game, &whole(script), &script.names) + "\n").collect();
        return print(&texts);
    };
    let is_a_file =
        folder.extension().is_some_and(|extension| ["script", "json", "jsonl"].iter().any(|&e| extension == e));
    if folder.is_file() || (is_a_file && !folder.is_dir()) {
        return Err(CommandError::NeedsFolder(folder.into()));
    }
    create_folder(folder)?;
    let mut scenarios = Scenarios { folder, written: HashMap::new() };
    for script in transcripts {
        let file = free_name(folder, &script.transcript.name);
        let transcript = Transcript { scenario: scenarios.beside(script, &file)?, ..script.transcript.clone() };
        write(&file, &script::print(script.game, &transcript, &script.names))?;
    }
    print(&format!("{}: {} written\n", folder.display(), counted(transcripts.len(), "script")))
}

fn create_folder(folder: &Path) -> Result<(), CommandError> {
    fs::create_dir_all(folder).map_err(|error| CommandError::File(folder.into(), error))
}

/// The transcript with the text of its scenario, unless the scenario is built in. A transcript alone cannot refer to a file.
fn whole(script: &Script) -> Transcript {
    let scenario = match &script.transcript.scenario {
        ScenarioText::File(name) if script.game.built_in(name).is_some() => ScenarioText::File(name.clone()),
        ScenarioText::File(_) | ScenarioText::Text(_) => ScenarioText::Text(script.scenario.clone()),
    };
    Transcript { scenario, ..script.transcript.clone() }
}

/// Writes the scenarios beside new scripts.
struct Scenarios<'s> {
    folder: &'s Path,
    /// The names of the written scenarios by their texts, because many scripts share one scenario.
    written: HashMap<&'s str, String>,
}

impl<'s> Scenarios<'s> {
    /// Writes the scenario of a script, unless it is built in, and returns its name for the script in `file`.
    fn beside(&mut self, script: &'s Script, file: &Path) -> Result<ScenarioText, CommandError> {
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
            return Err(CommandError::ScenarioExists { file: path, script: script.file.clone() });
        }
        if let Some(folder) = path.parent() {
            create_folder(folder)?;
        }
        write(&path, text)?;
        print(&format!("{}: scenario written\n", path.display()))?;
        let name = name.display().to_string();
        self.written.insert(text, name.clone());
        Ok(ScenarioText::File(name))
    }
}

/// The path, or only its last part if the path leads outside of the folder.
fn inside(path: &Path) -> PathBuf {
    let stays = path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if stays { path.to_owned() } else { path.file_name().map(PathBuf::from).unwrap_or_default() }
}

/// A path for a new script, at which no file exists yet.
fn free_name(folder: &Path, name: &str) -> PathBuf {
    let plain: String = name.chars().map(|c| if c.is_alphanumeric() || c == '-' { c } else { '_' }).collect();
    let paths = std::iter::once(folder.join(format!("{plain}.script")))
        .chain((2..).map(|number| folder.join(format!("{plain}-{number}.script"))));
    paths.into_iter().find(|path| !path.exists()).expect("numbers do not end")
}

fn counted(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}
