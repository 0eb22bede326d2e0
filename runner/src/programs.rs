//! Tests that are programs, in Python or Java: finds them, runs them with their test kits, and reads their verdicts.

use std::{
    fs, io,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use serde::Deserialize;

use crate::{batch::Verdict, target::Outcome};

/// The variable that tells a test kit the command of its broker, as a JSON list.
pub const BROKER: &str = "SYSTEST_BROKER";

/// A file with tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The file.
    pub file: PathBuf,
    language: Language,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Language {
    Python,
    Java,
}

/// A verdict as a test kit prints it.
#[derive(Deserialize)]
struct Printed {
    test: String,
    verdict: String,
    #[serde(default)]
    message: String,
    seconds: f64,
}

/// The beginning of a line with a verdict. Tests may print other lines.
const PREFIX: &str = "systest: ";

/// The test programs at a path: `test_*.py` and `*Test.java`. In folders, only those that use a test kit.
///
/// # Errors
/// If a folder cannot be read.
pub fn find(path: &Path) -> io::Result<Vec<Program>> {
    let mut found = Vec::new();
    walk(path, true, &mut found)?;
    found.sort_by(|a, b| a.file.cmp(&b.file));
    Ok(found)
}

fn walk(path: &Path, named: bool, found: &mut Vec<Program>) -> io::Result<()> {
    if path.is_dir() {
        return fs::read_dir(path)?.try_for_each(|entry| walk(&entry?.path(), false, found));
    }
    let Some(language) = language(path) else { return Ok(()) };
    if named || uses_kit(&fs::read_to_string(path)?, language) {
        found.push(Program { file: path.into(), language });
    }
    Ok(())
}

/// Whether a file has tests of servers, and not other tests.
fn uses_kit(text: &str, language: Language) -> bool {
    match language {
        Language::Python => text.contains("from holdfast_") && text.contains(".testing import"),
        Language::Java => text.contains("import holdfast.commlib.testkit."),
    }
}

fn language(file: &Path) -> Option<Language> {
    let name = file.file_name()?.to_str()?;
    if name.starts_with("test_") && name.ends_with(".py") {
        Some(Language::Python)
    } else if name.ends_with("Test.java") {
        Some(Language::Java)
    } else {
        None
    }
}

impl Program {
    /// Runs all tests of the file, or those with this text in their names; `broker` is the command that plays their games.
    pub fn run(&self, broker: &[String], filter: Option<&str>) -> Vec<Verdict> {
        let since = Instant::now();
        let mut command = match self.language {
            Language::Python => {
                let mut python = Command::new("python3");
                python.args(["-B", "-m", "holdfast.testkit"]);
                python
            }
            Language::Java => {
                let mut java = Command::new("java");
                // The class path is that of the environment, CLASSPATH.
                java.args(["-XX:TieredStopAtLevel=1", "holdfast.commlib.testkit.Main"]);
                java
            }
        };
        command.arg(&self.file).args(filter).env(BROKER, serde_json::json!(broker).to_string()).stdin(Stdio::null());
        let place = self.file.display().to_string();
        let failed = |message: String| {
            let (name, tags) = ("tests of this file".to_owned(), Vec::new());
            Verdict { name, place: place.clone(), tags, outcome: Outcome::Fail, message, time: since.elapsed() }
        };
        let output = match command.output() {
            Ok(output) => output,
            Err(error) => return vec![failed(format!("{command:?} cannot be started: {error}"))],
        };
        let printed = String::from_utf8_lossy(&output.stdout);
        let read = |line: &str| serde_json::from_str::<Printed>(line.strip_prefix(PREFIX)?).ok();
        let mut verdicts: Vec<Verdict> =
            printed.lines().filter_map(read).map(|printed| verdict(&place, printed)).collect();
        // A program that ends in the middle has not run all of its tests.
        if !output.status.success() && verdicts.iter().all(|verdict| verdict.outcome == Outcome::Ok) {
            let said = String::from_utf8_lossy(&output.stderr);
            let end: Vec<&str> = said.lines().rev().take(20).collect();
            let said: Vec<&str> = end.into_iter().rev().collect();
            let help = match self.language {
                Language::Python => "the packages holdfast and holdfast_NAME belong on PYTHONPATH",
                Language::Java => "the classes of clients/java and of the game belong on CLASSPATH",
            };
            verdicts.push(failed(format!("{}\n{}\n{help}", output.status, said.join("\n"))));
        }
        verdicts
    }
}

fn verdict(place: &str, printed: Printed) -> Verdict {
    let outcome = Outcome::ALL.into_iter().find(|outcome| outcome.name() == printed.verdict).unwrap_or(Outcome::Fail);
    Verdict {
        name: printed.test,
        place: place.into(),
        tags: Vec::new(),
        outcome,
        message: printed.message,
        time: Duration::from_secs_f64(printed.seconds.clamp(0.0, 1e9)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_tests() {
        assert!(uses_kit("from holdfast_colony.testing import game", Language::Python));
        assert!(!uses_kit("import unittest\nfrom holdfast_colony import Board", Language::Python));
        assert!(uses_kit("import holdfast.commlib.testkit.GameTest;", Language::Java));
        assert!(!uses_kit("import org.junit.Test;", Language::Java));
    }

    #[test]
    fn names_of_files() {
        for (name, expected) in [
            ("a/test_moving.py", Some(Language::Python)),
            ("MovingTest.java", Some(Language::Java)),
            ("moving.py", None),
            ("Test.class", None),
            ("test_moving.script", None),
        ] {
            assert_eq!(language(Path::new(name)), expected, "{name}");
        }
    }
}
