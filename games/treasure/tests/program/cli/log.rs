//! `holdfast log` with games that are played on their own ports.

use std::{
    fs,
    io::{BufRead, BufReader},
    path::PathBuf,
    process::{Child, Command, Stdio},
};

use serde_json::Value;

use crate::{complains, holdfast, stdout};

/// A running server, and the folder that it writes to. Dropping this ends the server.
struct Serving {
    process: Child,
    folder: PathBuf,
}

impl Serving {
    /// Starts a server that prints its address. Returns the address, too.
    fn start(name: &str, arguments: &[&str], announces: &str) -> (Self, String) {
        let folder = std::env::temp_dir().join(format!("holdfast-log-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let mut program = Command::new(env!("CARGO_BIN_EXE_holdfast"));
        program.args(arguments).arg("--log").arg(folder.join("games.log")).stdin(Stdio::null()).stderr(Stdio::null());
        let mut serving = Self { process: program.stdout(Stdio::piped()).spawn().expect("the program starts"), folder };
        let mut lines = BufReader::new(serving.process.stdout.take().expect("it is piped")).lines();
        let address = lines.find_map(|line| Some(line.ok()?.strip_prefix(announces)?.to_owned()));
        (serving, address.expect("it says where it is"))
    }

    fn log(&self) -> String {
        self.folder.join("games.log").display().to_string()
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ended_already = self.process.kill();
        let _ended_already = self.process.wait();
        let _gone_already = fs::remove_dir_all(&self.folder);
    }
}

/// Two games of the built-in bot are listed, shown, replayed, compared, counted and exported.
#[test]
fn treasure() {
    let serve = ["treasure", "serve", "--listen", "127.0.0.1:0", "--http", "off"];
    let (serving, url) = Serving::start("treasure", &serve, "treasure on ");
    let player =
        |seed| format!("'{}' treasure player --protocol 2017 --quiet --seed {seed}", env!("CARGO_BIN_EXE_holdfast"));
    let out = serving.folder.join("out");
    let batch = ["treasure", "batch", "--url", &url, "--protocol", "2017", "--games", "2", "--out"];
    let clients = [&out.display().to_string(), "--client", &player(1), "--client", &player(2)];
    let played = holdfast(&[&batch[..], &clients].concat());
    assert!(played.status.success(), "{}{}", stdout(&played), String::from_utf8_lossy(&played.stderr));

    let log = &*serving.log();
    let listed = said(&["list", log, "--rulebook", "treasure", "--json"]);
    let games: Vec<Value> = listed.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let [first, second] = &games[..] else { panic!("two games: {listed}") };
    let [one, other] = [first, second].map(|game| game["name"].as_str().expect("a name"));
    assert_eq!([&first["edition"], &first["scenario"], &first["status"]], ["2017", "2017", "finished"], "{listed}");

    let (verified, replayed) = (said(&["verify", log]), said(&["replay", log]));
    assert!(verified.contains(": ok (2 games, ") && replayed.contains(": ok (2 games, "), "{verified}{replayed}");
    let story = said(&["show", log, one]);
    for words in [": You are the first player.", "visible to both.", "\nThe end: the "] {
        assert!(story.contains(words), "{words:?} is not in {story}");
    }
    let stats = said(&["stats", log]);
    assert!(stats.contains("treasure: 2 finished games") && stats.contains("\n  actions "), "{stats}");
    let csv = said(&["export", log, one, "--format", "csv"]);
    assert!(csv.starts_with("round,step,actions,") && csv.lines().count() > 20, "{csv}");
    let entries = first["entries"].as_u64().expect("a number");
    let jsonl = said(&["export", log, one, "--format", "jsonl"]);
    let told = jsonl.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    assert_eq!(told.filter(|line| line["entry"]["number"].is_u64()).count() as u64, entries, "{jsonl}");
    complains(&["log", "export", log, one, "--format", "script"], "the rulebook treasure has no scripts");

    // Both games begin alike, except for the secrets.
    let differ = stdout(&holdfast(&["log", "diff", &format!("{log}:{one}"), &format!("{log}:{other}")]));
    assert!(differ.contains("entry 1 differs:\n  A: Holdfast Player "), "{differ}");
    let fork = serving.folder.join("fork.log").display().to_string();
    assert!(said(&["fork", log, one, "--at", "10", "--into", &fork]).contains("goes on after entry 10"));
    assert!(said(&["verify", &fork]).contains(": ok (1 game, 10 entries)"));
}

/// The output of a `log` command that must succeed.
#[track_caller]
fn said(arguments: &[&str]) -> String {
    let output = holdfast(&[&["log"], arguments].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    stdout(&output)
}
