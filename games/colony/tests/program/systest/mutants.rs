//! The matrix of mutants, on transcripts for which the expected kills are worked out by hand.

use std::{fs, path::PathBuf, process::Command};

use serde_json::{Value, json};

use super::folder::FIRST_NIGHT;

/// A folder for each test.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str, scripts: &[Value]) -> Self {
        let path = std::env::temp_dir().join(format!("mutants-{}-{test}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder can be made");
        let lines: String = scripts.iter().map(|script| format!("{script}\n")).collect();
        fs::write(path.join("all.jsonl"), lines).expect("a file can be written");
        Self(path)
    }

    /// Runs `systest mutants`. Returns the exit code and the output, without the elapsed time.
    fn mutants(&self, arguments: &[&str]) -> (Option<i32>, String) {
        let mut systest = Command::new(env!("CARGO_BIN_EXE_systest"));
        let output = systest.arg("mutants").arg("all.jsonl").args(arguments).current_dir(&self.0).output();
        let output = output.expect("it starts");
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8(text).expect("UTF-8");
        (output.status.code(), text.rsplit_once(" in ").map_or(text.clone(), |(text, _)| text.to_owned()))
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).expect("it was written")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // An error here must not cause a second panic while a failed test unwinds.
        let _left_behind = fs::remove_dir_all(&self.0);
    }
}

fn script(name: &str, steps: &Value) -> Value {
    json!({
        "name": name, "edition": "group", "seed": 1, "clients": [1], "scenario_text": FIRST_NIGHT,
        "steps": steps, "end": "any",
    })
}

/// Registers twice, and checks both answers.
fn twice() -> Value {
    let register = json!([">", 1, "Register", "Ana"]);
    script("twice", &json!([register, ["<", 1, "Config", "$SCENARIO"], register, ["<", 1, "CommandFailed"]]))
}

/// Starts the game without a registration. A mutant that accepts this command makes the rules panic.
fn early() -> Value {
    script("early", &json!([[">", 1, "StartGame"], ["<", 1, "CommandFailed"]]))
}

#[test]
fn kills_and_survivors() {
    let folder = Folder::new("kills", &[twice(), early()]);
    let (code, text) = folder.mutants(&[
        "--mutant",
        "registering-twice-ignored",
        "--mutant",
        "stranger-starts",
        "--mutant",
        "tie-is-no",
    ]);
    let expected = "\
1 SURVIVED: no script catches them

tie-is-no (RULES.md#fate): a tied vote is a no
    no script reaches it

2 killed

registering-twice-ignored (RULES.md#registration): a second `Register` of a client gets no answer
    1 of 1: twice (all.jsonl:1)
    step 4 (< 1 CommandFailed): expected CommandFailed, but nothing came
stranger-starts (RULES.md#registration): `StartGame` of a client that is not registered starts the game
    1 of 1: early (all.jsonl:2)
    the rules panic: index out of bounds: the len is 0 but the index is 0

3 mutants: 2 killed, 0 equivalent, 1 survived; 2 scripts, 4 games";
    assert_eq!((code, text.as_str()), (Some(1), expected));
}

#[test]
fn all_killed_is_success_and_reports_are_written() {
    let folder = Folder::new("reports", &[twice()]);
    let arguments = ["--mutant", "registering-twice-ignored", "--json", "m.json", "--html", "m.html"];
    let (code, text) = folder.mutants(&arguments);
    assert_eq!(code, Some(0), "{text}");
    let report: Value = serde_json::from_str(&folder.read("m.json")).expect("it is JSON");
    assert_eq!(report["complete"], true);
    assert_eq!(report["mutants"][0]["fate"], "killed");
    assert_eq!(report["mutants"][0]["kills"][0]["script"], 0);
    assert_eq!(report["scripts"][0], json!({"name": "twice", "place": "all.jsonl:1", "kills": 1, "alone": 1}));
    let page = folder.read("m.html");
    assert!(page.contains("step 4 (&lt; 1 CommandFailed): expected CommandFailed, but nothing came"), "{page}");
    let loads = ["http:", "https:", "src=", "<link", "<script", "@import", "url("];
    assert_eq!(loads.iter().find(|load| page.contains(*load)), None, "it loads nothing");
}

#[test]
fn an_expected_survivor_is_no_failure() {
    let folder = Folder::new("expected", &[twice()]);
    let (code, text) = folder.mutants(&["--mutant", "colony-searched"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.starts_with("1 equivalent, as expected"), "{text}");
}

#[test]
fn mistakes() {
    let wrong = script("wrong", &json!([[">", 1, "StartGame"], ["<", 1, "GameStarted"]]));
    let folder = Folder::new("mistakes", &[wrong]);
    let (code, text) = folder.mutants(&[]);
    assert_eq!(code, Some(1));
    assert!(text.contains("do not pass on the rules as they are"), "{text}");
    assert!(text.contains("wrong (all.jsonl:1): step 2 (< 1 GameStarted)"), "{text}");
    let (code, text) = folder.mutants(&["--mutant", "no-such"]);
    assert_eq!(code, Some(2), "{text}");
    let (code, text) = Folder::new("empty", &[]).mutants(&[]);
    assert_eq!((code, text.as_str()), (Some(1), "systest: there are no scripts\n"));
}
