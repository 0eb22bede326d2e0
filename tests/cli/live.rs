//! Live logs of the last landed program, which was killed in the middle of its games. `tests/live/make.py` made them. Today's
//! program opens them, the clients come back to their places, and the games end.

use std::{fs, net::TcpStream, path::PathBuf};

use rusqlite::Connection;
use serde_json::{Value, json};

use crate::{
    holdfast,
    host::{HostProcess, Lines, connect},
    stored::{open, wait},
    wait_until,
};

/// A copy of the log, and the places of its clients. Dropping it deletes the copy.
pub(crate) struct Live {
    folder: PathBuf,
    places: Value,
}

/// The path of a kept file.
pub(crate) fn kept(name: &str) -> String {
    format!("{}/tests/live/{name}", env!("CARGO_MANIFEST_DIR"))
}

impl Live {
    /// The log of a host.
    pub(crate) fn new(test: &str) -> Self {
        Self::of(test, "games.sql")
    }

    /// A kept log.
    pub(crate) fn of(test: &str, log: &str) -> Self {
        let read = |name: &str| {
            let path = kept(name);
            fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
        };
        let folder = std::env::temp_dir().join(format!("holdfast-live-{test}-{}", std::process::id()));
        let _left_behind = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder");
        let places = serde_json::from_str(&read("clients.json")).expect("JSON");
        let live = Self { folder, places };
        // The tables are in the order of their names, not in that of their references.
        let sql = format!("PRAGMA foreign_keys = OFF; {}", read(log));
        Connection::open(live.log()).and_then(|file| file.execute_batch(&sql)).expect("SQL that runs");
        live
    }

    /// The path of the log.
    pub(crate) fn log(&self) -> String {
        self.folder.join("games.db").to_str().expect("the path is text").to_owned()
    }

    /// What the clients of a rulebook's game know.
    pub(crate) fn places(&self, rulebook: &str) -> &Value {
        &self.places[rulebook]
    }

    /// The outcome of a game that is over, and the number of its entries.
    pub(crate) fn end(&self, game: &str) -> (Option<String>, u64) {
        let file = open(self.log().as_ref()).expect("a log");
        let record = wait(file.find(game)).expect("a search").expect("a game").record;
        (record.end.map(|end| end.outcome), record.tail.entries)
    }

    /// Waits for the end of a game, stops the host, and checks the log. Returns the outcome.
    pub(crate) fn check_end(&self, host: HostProcess, game: &str, entries: u64) -> String {
        wait_until("the end is stored", || self.end(game).0.is_some());
        host.stop();
        self.check_log(game, entries)
    }

    /// Checks the log that a program has left, and that the game went on to its end. Returns the outcome.
    pub(crate) fn check_log(&self, game: &str, entries: u64) -> String {
        for what in ["verify", "replay"] {
            let output = holdfast(&["log", what, &self.log()]);
            assert_eq!(output.status.code(), Some(0), "{what}: {output:?}");
        }
        let (outcome, after) = self.end(game);
        assert!(after > entries, "it went on");
        outcome.expect("it is over")
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        let _gone_already = fs::remove_dir_all(&self.folder);
    }
}

/// Resumes a place with its old token. The host must tell every event again as the landed program told it.
pub(crate) fn resume(host: &HostProcess, place: &Value) -> Lines<TcpStream, TcpStream> {
    let mut line = connect(host.games);
    let want = json!({"resume": {"token": place["token"], "seen": 0}});
    line.say(&json!({"hello": {"protocol": 3, "want": want, "game": place["game"], "board": true}}));
    let welcome = line.hear();
    assert_eq!(welcome["welcome"]["game"], place["game"], "{welcome}");
    let events = place["events"].as_array().expect("a list");
    assert!(!events.is_empty());
    for event in events {
        assert_eq!(line.hear()["event"], *event);
    }
    line
}
