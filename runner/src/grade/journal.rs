//! The results of a run, each written as soon as it is there.

use std::{
    collections::BTreeMap,
    fmt,
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use serde_json::{Value, json};

use crate::target::Outcome;

/// The result of one test for one team.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The team.
    pub team: String,
    /// The place of the script.
    pub test: String,
    /// The outcome.
    pub verdict: Outcome,
    /// Why it failed.
    pub message: String,
    /// How long it took.
    pub seconds: f64,
    /// The most memory of a sample, in bytes.
    pub memory: u64,
}

/// The file cannot be written.
#[derive(Debug)]
pub struct JournalError {
    file: PathBuf,
    error: io::Error,
}

impl fmt::Display for JournalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.file.display(), self.error)
    }
}

impl std::error::Error for JournalError {}

/// All results of a run, and the file that has them.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    /// How many results were there at the start.
    resumed: usize,
    inner: Mutex<Inner>,
}

#[derive(Debug)]
struct Inner {
    file: File,
    /// By team and test.
    rows: BTreeMap<(String, String), Row>,
}

impl Journal {
    /// Opens the journal of a run. Results of an earlier run with the same fingerprint stay, unless the run is to be a fresh one.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn open(path: &Path, fingerprint: &str, fresh: bool) -> Result<Self, JournalError> {
        let failed = |error| JournalError { file: path.into(), error };
        let kept = if fresh { Vec::new() } else { read(path, fingerprint) };
        // A killed run may have left half a line, so the file is written again.
        let next = path.with_extension("new");
        let mut file = File::create(&next).map_err(failed)?;
        let mut text = format!("{}\n", json!({ "fingerprint": fingerprint }));
        kept.iter().for_each(|row| text.push_str(&format!("{}\n", write_row(row))));
        file.write_all(text.as_bytes()).map_err(failed)?;
        fs::rename(&next, path).map_err(failed)?;
        let resumed = kept.len();
        let rows = kept.into_iter().map(|row| ((row.team.clone(), row.test.clone()), row)).collect();
        Ok(Self { path: path.into(), resumed, inner: Mutex::new(Inner { file, rows }) })
    }

    /// How many results an earlier run had left.
    pub fn resumed(&self) -> usize {
        self.resumed
    }

    /// Adds a result. Returns how many there are.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&self, row: Row) -> Result<usize, JournalError> {
        let mut inner = self.lock();
        let line = format!("{}\n", write_row(&row));
        inner.file.write_all(line.as_bytes()).map_err(|error| JournalError { file: self.path.clone(), error })?;
        inner.rows.insert((row.team.clone(), row.test.clone()), row);
        Ok(inner.rows.len())
    }

    /// Whether a result is there.
    pub fn has(&self, team: &str, test: &str) -> bool {
        self.lock().rows.contains_key(&(team.to_owned(), test.to_owned()))
    }

    /// How long the tests of a team have taken so far.
    pub fn seconds_of(&self, team: &str) -> f64 {
        self.lock().rows.values().filter(|row| row.team == team).map(|row| row.seconds).sum()
    }

    /// All results, by team and test. The file is removed: the run is complete.
    pub fn finish(self) -> BTreeMap<(String, String), Row> {
        let _left_behind = fs::remove_file(&self.path);
        self.inner.into_inner().unwrap_or_else(PoisonError::into_inner).rows
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The results in a file; none if it belongs to another run.
fn read(path: &Path, fingerprint: &str) -> Vec<Row> {
    let text = String::from_utf8_lossy(&fs::read(path).unwrap_or_default()).into_owned();
    let mut lines = text.split_inclusive('\n');
    let head: Option<Value> = lines.next().and_then(|line| serde_json::from_str(line).ok());
    if head.is_none_or(|head| head["fingerprint"] != fingerprint) {
        return Vec::new();
    }
    lines.filter(|line| line.ends_with('\n')).map_while(read_row).collect()
}

fn write_row(row: &Row) -> Value {
    let Row { team, test, verdict, message, seconds, memory } = row;
    json!({
        "team": team, "test": test, "verdict": verdict.name(), "message": message, "seconds": seconds, "memory": memory,
    })
}

fn read_row(line: &str) -> Option<Row> {
    let row: Value = serde_json::from_str(line).ok()?;
    let text = |key: &str| row[key].as_str().map(str::to_owned);
    let verdict = row["verdict"].as_str()?;
    Some(Row {
        team: text("team")?,
        test: text("test")?,
        verdict: Outcome::ALL.into_iter().find(|outcome| outcome.name() == verdict)?,
        message: text("message")?,
        seconds: row["seconds"].as_f64()?,
        memory: row["memory"].as_u64()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(test: &str, verdict: Outcome) -> Row {
        let message = "line 1\nline \"2\"".into();
        Row { team: "a".into(), test: test.into(), verdict, message, seconds: 0.5, memory: 7 }
    }

    #[test]
    fn a_killed_run_goes_on() {
        let path = std::env::temp_dir().join(format!("journal-{}.jsonl", std::process::id()));
        let journal = Journal::open(&path, "f1", false).expect("a file");
        assert_eq!(journal.add(row("x", Outcome::Ok)).expect("written"), 1);
        assert_eq!(journal.add(row("y", Outcome::Fail)).expect("written"), 2);
        drop(journal);
        // The kill came in the middle of a line.
        let text = fs::read_to_string(&path).expect("a file");
        fs::write(&path, format!("{text}{{\"team\":\"a\",\"te")).expect("a file");
        let journal = Journal::open(&path, "f1", false).expect("a file");
        assert_eq!((journal.resumed(), journal.has("a", "y"), journal.has("a", "z")), (2, true, false));
        assert!((journal.seconds_of("a") - 1.0).abs() < 1e-9);
        journal.add(row("z", Outcome::TimeOut)).expect("written");
        drop(journal);
        assert_eq!(Journal::open(&path, "f1", false).expect("a file").resumed(), 3);
        // Another plan, or a fresh run, begins from the start.
        assert_eq!(Journal::open(&path, "f2", false).expect("a file").resumed(), 0);
        assert_eq!(Journal::open(&path, "f2", true).expect("a file").resumed(), 0);
        let rows = Journal::open(&path, "f2", false).expect("a file").finish();
        assert!(rows.is_empty() && !path.exists());
    }
}
