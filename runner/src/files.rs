//! Finds scripts: `.script` files, transcripts in `.json` and `.jsonl` files, and folders with them.

use std::{
    fmt, fs, io,
    path::{Path, PathBuf},
};

use script::{
    Games, ScenarioText, Script, ScriptError, ScriptedGame, SourceError, Sources, Transcript, TranscriptError, Wanted,
    is_fragment, nearest,
};
use serde_json::Value;

/// A script and its place, or the reason why it cannot be read.
#[derive(Debug)]
pub struct Found {
    /// The path of the file. In a `.jsonl` file it includes the line.
    pub place: String,
    /// The script.
    pub script: Result<Script, FileError>,
}

/// Why a file is not a script.
#[derive(Debug)]
pub enum FileError {
    /// A file cannot be read.
    Source(SourceError),
    /// The file is a fragment, which only other scripts include.
    Fragment,
    /// The file's name does not end with `.script`, `.json` or `.jsonl`.
    UnknownKind,
    /// The script has mistakes.
    Script(Vec<ScriptError>),
    /// The JSON is not a transcript.
    Transcript(TranscriptError),
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Source(error) => error.fmt(f),
            Self::Fragment => f.write_str("this is a fragment; run a script that includes it"),
            Self::UnknownKind => f.write_str("this file is neither .script, .json nor .jsonl"),
            Self::Script(mistakes) => {
                let mistakes: Vec<String> = mistakes.iter().map(ToString::to_string).collect();
                f.write_str(&mistakes.join("\n"))
            }
            Self::Transcript(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for FileError {}

impl From<SourceError> for FileError {
    fn from(error: SourceError) -> Self {
        Self::Source(error)
    }
}

/// All scripts at a path, in the order of the file names. In folders, it skips fragments, and `.json` files that are not
/// transcripts.
pub fn find(path: &Path, games: &Games) -> Vec<Found> {
    match files(path) {
        Ok(files) => files.iter().flat_map(|file| read(file, games)).collect(),
        Err(error) => {
            let script = Err(SourceError::new(path, error).into());
            vec![Found { place: path.display().to_string(), script }]
        }
    }
}

/// The `.json` files in a folder that [`find`] skipped and that are not scenarios either: no found script names them, and no
/// game accepts them.
pub fn skipped(path: &Path, found: &[Found], games: &Games) -> Vec<PathBuf> {
    let real = |path: &Path| fs::canonicalize(path).ok();
    let scenario_of = |found: &Found| {
        let script = found.script.as_ref().ok()?;
        match &script.transcript.scenario {
            ScenarioText::File(name) => real(&beside(Path::new(&script.file), name)),
            ScenarioText::Text(_) => None,
        }
    };
    let scenarios: Vec<PathBuf> = found.iter().filter_map(scenario_of).collect();
    let mut files = Vec::new();
    // `find` reports a folder that cannot be read.
    let _unreadable = walk(path, true, &mut |file, named| {
        if !named && is_json(file) && !is_transcript(file)? {
            files.push(file.to_owned());
        }
        Ok(())
    });
    let is_scenario = |file: &PathBuf| {
        let Ok(scenario) = &text(file) else { return false };
        let wanted = Wanted { scenario, edition: None, timeout_ms: None };
        real(file).is_some_and(|file| scenarios.contains(&file)) || games.iter().any(|game| game.setup(&wanted).is_ok())
    };
    files.retain(|file| !is_scenario(file));
    files.sort();
    files
}

/// The text of a file.
///
/// # Errors
/// If the file cannot be read.
pub fn text(file: &Path) -> Result<String, SourceError> {
    fs::read_to_string(file).map_err(|error| SourceError::new(file, error))
}

/// All files at a path that contain scripts or transcripts.
///
/// # Errors
/// If the path, or a folder in it, cannot be read.
pub fn files(path: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    walk(path, true, &mut |file, named| {
        let wanted = match file.extension().and_then(|extension| extension.to_str()) {
            Some("jsonl") => true,
            Some("json") => named || is_transcript(file)?,
            Some("script") => named || !is_fragment(&fs::read_to_string(file)?),
            _ => named,
        };
        if wanted {
            files.push(file.to_owned());
        }
        Ok(())
    })?;
    files.sort();
    Ok(files)
}

/// Calls `visit` for each file at a path. The second argument of `visit` is whether the path itself names the file.
fn walk(path: &Path, named: bool, visit: &mut dyn FnMut(&Path, bool) -> io::Result<()>) -> io::Result<()> {
    if !fs::metadata(path)?.is_dir() {
        return visit(path, named);
    }
    for entry in fs::read_dir(path)? {
        walk(&entry?.path(), false, visit)?;
    }
    Ok(())
}

fn is_json(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "json")
}

/// Whether a `.json` file is intended as a transcript: an object with steps.
fn is_transcript(file: &Path) -> io::Result<bool> {
    let text = fs::read_to_string(file)?;
    // The first check is fast, because a scenario may be long.
    Ok(text.contains("\"steps\"")
        && serde_json::from_str::<Value>(&text).map_or(true, |json| json.get("steps").is_some()))
}

/// The files around a script, and the built-in scenarios.
#[derive(Debug)]
pub struct Beside<'a>(pub &'a Path);

impl Sources for Beside<'_> {
    fn scenario(&self, game: &dyn ScriptedGame, name: &str) -> Result<String, SourceError> {
        if let Some(text) = game.built_in(name) {
            return Ok(text.to_owned());
        }
        text(&beside(self.0, name)).map_err(|error| {
            let built_in = game.scenario_names();
            let nearest = nearest(name, built_in.iter().copied());
            SourceError::UnknownScenario { name: name.into(), nearest, built_in, file: Box::new(error) }
        })
    }

    fn include(&self, from: &str, name: &str) -> Result<(String, String), SourceError> {
        let path = beside(Path::new(from), name);
        let text = text(&path)?;
        Ok((path.display().to_string(), text))
    }
}

/// A path relative to the folder of a file.
fn beside(file: &Path, name: &str) -> PathBuf {
    file.parent().unwrap_or(Path::new("")).join(name)
}

fn read(file: &Path, games: &Games) -> Vec<Found> {
    let place = file.display().to_string();
    let text = match text(file) {
        Ok(text) => text,
        Err(error) => return vec![Found { place, script: Err(error.into()) }],
    };
    match file.extension().and_then(|extension| extension.to_str()) {
        Some("jsonl") => {
            let lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
            let found = |(line, at): (&str, usize)| {
                let place = format!("{place}:{at}");
                let script = read_transcript(file, &place, line, games);
                Found { place, script }
            };
            lines.map(found).collect()
        }
        Some("script") => vec![Found { script: parse(file, &text, games), place }],
        Some("json") => vec![Found { script: read_transcript(file, &place, &text, games), place }],
        _ => vec![Found { place, script: Err(FileError::UnknownKind) }],
    }
}

/// Parses the text of a script.
///
/// # Errors
/// If the text is a fragment, or has mistakes.
pub fn parse(file: &Path, text: &str, games: &Games) -> Result<Script, FileError> {
    if is_fragment(text) {
        return Err(FileError::Fragment);
    }
    script::parse(&file.display().to_string(), text, &Beside(file), games).map_err(FileError::Script)
}

fn read_transcript(file: &Path, place: &str, text: &str, games: &Games) -> Result<Script, FileError> {
    let (transcript, game) = Transcript::parse(text, games).map_err(FileError::Transcript)?;
    let scenario = match &transcript.scenario {
        ScenarioText::Text(text) => text.clone(),
        ScenarioText::File(name) => Beside(file).scenario(game, name)?,
    };
    Ok(Script::of_transcript(game, transcript, scenario, place))
}
