//! Finding scripts: `.script` files, transcripts in `.json` and `.jsonl` files, and folders of all of them.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use script::{Games, ScenarioText, Script, ScriptedGame, Sources, Transcript, is_fragment, suggest};

/// A script, or why there is none, and where it stands.
#[derive(Debug)]
pub struct Found {
    /// The file, and the line in it for `.jsonl`.
    pub place: String,
    pub script: Result<Script, String>,
}

/// All scripts of these games at a path, in the order of the files' names. Fragments in folders are passed over: others include them.
pub fn find(path: &Path, games: &Games) -> Vec<Found> {
    match files(path) {
        Ok(files) => files.iter().flat_map(|file| read(file, games)).collect(),
        Err(error) => vec![Found { place: path.display().to_string(), script: Err(unreadable(path, &error)) }],
    }
}

/// The text of a file that somebody has named.
pub fn text(file: &Path) -> Result<String, String> {
    fs::read_to_string(file).map_err(|error| unreadable(file, &error))
}

/// All files at a path that hold scripts, fragments or transcripts.
pub fn files(path: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    collect(path, true, &mut files)?;
    files.sort();
    Ok(files)
}

/// The files around a script, and the built-in scenarios.
#[derive(Debug)]
pub struct Beside<'a>(pub &'a Path);

impl Sources for Beside<'_> {
    fn scenario(&self, game: &dyn ScriptedGame, name: &str) -> Result<String, String> {
        if let Some(text) = game.built_in(name) {
            return Ok(text.to_owned());
        }
        let path = self.0.parent().unwrap_or(Path::new("")).join(name);
        fs::read_to_string(&path).map_err(|error| {
            let problem = unreadable(&path, &error);
            match suggest(name, game.scenario_names().into_iter()) {
                meant if meant.starts_with("did you mean") => format!("there is no scenario {name}; {meant}"),
                there_are => format!("scenario {name}: {problem}; built in {there_are}"),
            }
        })
    }

    fn include(&self, from: &str, name: &str) -> Result<(String, String), String> {
        let path = Path::new(from).parent().unwrap_or(Path::new("")).join(name);
        let text = text(&path)?;
        Ok((path.display().to_string(), text))
    }
}

/// In a folder, a `.json` file without steps is something else (a scenario, most likely) and passed over.
fn collect(path: &Path, named: bool, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if fs::metadata(path)?.is_dir() {
        for entry in fs::read_dir(path)? {
            collect(&entry?.path(), false, files)?;
        }
        return Ok(());
    }
    let wanted = match path.extension().and_then(|extension| extension.to_str()) {
        Some("jsonl") => true,
        Some("json") => named || fs::read_to_string(path)?.contains("\"steps\""),
        Some("script") => named || !is_fragment(&fs::read_to_string(path)?),
        _ => named,
    };
    if wanted {
        files.push(path.into());
    }
    Ok(())
}

fn read(file: &Path, games: &Games) -> Vec<Found> {
    let place = file.display().to_string();
    let text = match text(file) {
        Ok(text) => text,
        Err(problem) => return vec![Found { place, script: Err(problem) }],
    };
    match file.extension().and_then(|extension| extension.to_str()) {
        Some("jsonl") => {
            let lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
            let found = |(line, at): (&str, usize)| {
                let place = format!("{place}:{at}");
                let script = transcript(file, &place, line, games);
                Found { place, script }
            };
            lines.map(found).collect()
        }
        Some("script") => vec![Found { script: parse(file, &text, games), place }],
        Some("json") => vec![Found { script: transcript(file, &place, &text, games), place }],
        _ => vec![Found { place, script: Err("this file is neither .script, .json nor .jsonl".into()) }],
    }
}

/// Reads a script; an error shows every problem.
pub fn parse(file: &Path, text: &str, games: &Games) -> Result<Script, String> {
    if is_fragment(text) {
        return Err("this is a fragment; run a script that includes it".into());
    }
    script::parse(&file.display().to_string(), text, &Beside(file), games).map_err(|problems| {
        let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
        problems.join("\n")
    })
}

fn transcript(file: &Path, place: &str, text: &str, games: &Games) -> Result<Script, String> {
    let (transcript, game) = Transcript::parse(text, games).map_err(|error| error.to_string())?;
    let scenario = match &transcript.scenario {
        ScenarioText::Text(text) => text.clone(),
        ScenarioText::File(name) => Beside(file).scenario(game, name)?,
    };
    Ok(Script::of_transcript(game, transcript, scenario, place))
}

pub(crate) fn unreadable(path: &Path, error: &io::Error) -> String {
    if error.kind() == io::ErrorKind::NotFound {
        format!("there is no file {}", path.display())
    } else {
        format!("{}: {error}", path.display())
    }
}
