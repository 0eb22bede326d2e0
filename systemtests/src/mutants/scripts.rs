//! What the matrix needs of the runner.

use std::path::PathBuf;

use script::{Games, ScriptedGame};

use crate::{files, local::InProcess, play::Play, run};

/// How much of a difference is kept: a `Config` has a whole scenario in it.
const LONGEST: usize = 300;

/// A script that can be played in this process.
#[derive(Debug)]
pub struct Script {
    pub name: String,
    /// Where it is written.
    pub place: String,
    script: script::Script,
}

/// All scripts of a game at some paths, or which of them cannot be read.
pub fn find(paths: &[PathBuf], game: &'static dyn ScriptedGame) -> Result<Vec<Script>, Vec<String>> {
    let games = Games::new([game]);
    let (mut scripts, mut problems) = (Vec::new(), Vec::new());
    for found in paths.iter().flat_map(|path| files::find(path, &games)) {
        match found.script {
            Ok(script) => {
                scripts.push(Script { name: script.transcript.name.clone(), place: found.place, script });
            }
            Err(problem) => problems.push(format!("{}: {problem}", found.place)),
        }
    }
    if problems.is_empty() { Ok(scripts) } else { Err(problems) }
}

impl Script {
    /// Plays it by the rules as this thread has them at the moment. An error is the first difference: the step, what it
    /// expects and what came.
    pub fn play(&self) -> Result<(), String> {
        // Made ready anew each time: a mistake may be in how a scenario is read.
        run::run(&Play::new(&self.script), &InProcess).map_err(|failure| {
            let difference = failure.message.lines().next().unwrap_or_default();
            match difference.char_indices().nth(LONGEST) {
                Some((end, _)) => format!("{} ..", &difference[..end]),
                None => difference.to_owned(),
            }
        })
    }
}
