//! The scripts of a matrix.

use std::{fmt, path::PathBuf};

use script::{Games, ScriptedGame};

use crate::{
    files::{self, FileError},
    local::InProcess,
    play::Play,
    run,
};

/// The maximum number of characters of a difference, because an event may contain a whole scenario.
const LONGEST: usize = 300;

/// A script that can be played in this process.
#[derive(Debug)]
pub struct Script {
    /// The name of the script.
    pub name: String,
    /// The file of the script.
    pub place: String,
    script: script::Script,
}

/// A script that cannot be read.
#[derive(Debug)]
pub struct Unreadable {
    place: String,
    error: FileError,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.error)
    }
}

/// How the rules differ from a script.
#[derive(Debug)]
pub enum Differs {
    /// The first difference, in one line: the step, the expected event and the received one.
    Difference(String),
    /// The rules panicked with this message.
    Panicked(String),
}

impl fmt::Display for Differs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Difference(line) => f.write_str(line),
            Self::Panicked(message) => write!(f, "the rules panic: {message}"),
        }
    }
}

/// All scripts of a game at these paths.
///
/// # Errors
/// The scripts that cannot be read.
pub fn find(paths: &[PathBuf], game: &'static dyn ScriptedGame) -> Result<Vec<Script>, Vec<Unreadable>> {
    let games = Games::new([game]);
    let (mut scripts, mut unreadable) = (Vec::new(), Vec::new());
    for found in paths.iter().flat_map(|path| files::find(path, &games)) {
        match found.script {
            Ok(script) => {
                scripts.push(Script { name: script.transcript.name.clone(), place: found.place, script });
            }
            Err(error) => unreadable.push(Unreadable { place: found.place, error }),
        }
    }
    if unreadable.is_empty() { Ok(scripts) } else { Err(unreadable) }
}

impl Script {
    /// Plays the script by the rules, with the mutant that is chosen for this thread.
    ///
    /// # Errors
    /// The first difference.
    pub fn play(&self) -> Result<(), Differs> {
        // The script is prepared for every run, because the mutant may change how a scenario is read.
        run::run(&Play::new(&self.script), &InProcess).map_err(|failure| {
            let difference = failure.message.lines().next().unwrap_or_default();
            Differs::Difference(match difference.char_indices().nth(LONGEST) {
                Some((end, _)) => format!("{} ..", &difference[..end]),
                None => difference.to_owned(),
            })
        })
    }
}
