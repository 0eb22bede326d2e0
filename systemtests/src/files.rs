//! Finding transcripts: single files, `.jsonl` files with one per line, and folders of both.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use script::{ScenarioText, Transcript};

/// A transcript, or why there is none, and where it stands.
#[derive(Debug)]
pub struct Found {
    /// The file, and the line in it for `.jsonl`.
    pub place: String,
    /// The transcript and its scenario's text.
    pub transcript: Result<(Transcript, String), String>,
}

/// All transcripts at a path, in the order of the files' names.
pub fn find(path: &Path) -> Vec<Found> {
    let mut files = Vec::new();
    if let Err(error) = collect(path, true, &mut files) {
        return vec![Found { place: path.display().to_string(), transcript: Err(error.to_string()) }];
    }
    files.sort();
    files.iter().flat_map(|file| read(file)).collect()
}

/// In a folder, a `.json` file without steps is something else (a scenario, most likely) and passed over.
fn collect(path: &Path, named: bool, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if fs::metadata(path)?.is_dir() {
        for entry in fs::read_dir(path)? {
            collect(&entry?.path(), false, files)?;
        }
        return Ok(());
    }
    let extension = path.extension().and_then(|extension| extension.to_str());
    let wanted = match extension {
        Some("jsonl") => true,
        Some("json") => named || fs::read_to_string(path)?.contains("\"steps\""),
        _ => named,
    };
    if wanted {
        files.push(path.into());
    }
    Ok(())
}

fn read(file: &Path) -> Vec<Found> {
    let place = file.display().to_string();
    let text = match fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) => return vec![Found { place, transcript: Err(error.to_string()) }],
    };
    if file.extension().is_some_and(|extension| extension == "jsonl") {
        let lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
        return lines
            .map(|(line, at)| Found { place: format!("{place}:{at}"), transcript: parse(file, line) })
            .collect();
    }
    vec![Found { place, transcript: parse(file, &text) }]
}

fn parse(file: &Path, text: &str) -> Result<(Transcript, String), String> {
    let transcript = Transcript::parse(text).map_err(|error| error.to_string())?;
    let scenario = match &transcript.scenario {
        ScenarioText::Text(text) => text.clone(),
        ScenarioText::File(name) => {
            let path = file.parent().unwrap_or(Path::new("")).join(name);
            fs::read_to_string(&path).map_err(|error| format!("scenario {}: {error}", path.display()))?
        }
    };
    Ok((transcript, scenario))
}
