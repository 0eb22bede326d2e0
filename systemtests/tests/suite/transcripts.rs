//! The runner as people call it: the real binary on transcripts of our own, right ones and wrong ones.

use std::{
    fs,
    path::PathBuf,
    process::{Command, Output},
    sync::atomic::{AtomicU32, Ordering},
};

use serde_json::{Value, json};

/// A folder of its own for each test.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("systest-{}-{number}", std::process::id()));
        fs::create_dir_all(path.join("scenarios")).expect("a folder can be made");
        let scenario = resources::scenario("first-night").expect("it is built in");
        fs::write(path.join("scenarios/first-night.json"), scenario).expect("a file can be written");
        Self(path)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.0.join(name), text).expect("a file can be written");
    }

    fn run(&self, names: &[&str]) -> (Output, String) {
        let paths = names.iter().map(|name| self.0.join(name));
        let output = Command::new(env!("CARGO_BIN_EXE_systest")).arg("run").args(paths).output().expect("it starts");
        let text = String::from_utf8(output.stdout.clone()).expect("UTF-8");
        (output, text)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Not worth a second panic while a failed test unwinds.
        let _left_behind = fs::remove_dir_all(&self.0);
    }
}

/// Registration broken off by a command that has no place in it, worked out from the rules.
fn aborted() -> Value {
    json!({
        "name": "aborted", "edition": "group", "seed": -5, "clients": [1, 2, 3],
        "scenario": "scenarios/first-night.json",
        "steps": [
            [">", 2, "StartGame"], ["<", 2, "CommandFailed"],
            [">", 1, "Register", "Ana"], ["<", 1, "Config", "$SCENARIO"],
            [">", 1, "Register", "Ana"], ["<", 1, "*"],
            [">", 3, "Vote", true], ["<", 1, "RegistrationAborted"],
        ],
        "end": "ended",
    })
}

#[track_caller]
fn check(change: impl FnOnce(&mut Value), report: &str) {
    let folder = Folder::new();
    let mut transcript = aborted();
    change(&mut transcript);
    folder.write("t.json", &transcript.to_string());
    let (output, text) = folder.run(&["t.json"]);
    assert!(text.contains(report), "{text:?} does not say {report:?}");
    let passed = report == "1 passed, 0 failed";
    assert_eq!(output.status.code(), Some(if passed { 0 } else { 1 }), "{text}");
    assert_eq!(text.lines().last(), Some(if passed { "1 passed, 0 failed" } else { "0 passed, 1 failed" }));
}

#[test]
fn verdicts() {
    check(|_| (), "1 passed, 0 failed");
    check(
        |t| t["steps"][7] = json!(["<", 1, "GameStarted"]),
        "step 8 (< 1 GameStarted): expected GameStarted, but RegistrationAborted came",
    );
    check(
        |t| t["steps"][3] = json!(["<", 1, "Config", "another text"]),
        "step 4 (< 1 Config \"another text\"): expected Config \"another text\", but Config ",
    );
    check(|t| t["steps"][7] = json!(["<", 3, "*"]), "step 8 (< 3 *): expected *, but nothing came");
    check(
        |t| drop(t["steps"].as_array_mut().expect("steps").pop()),
        "after the last step: client 1 is told more: RegistrationAborted",
    );
    check(|t| t["steps"].as_array_mut().expect("steps").truncate(6), "after the last step: the game is not over");
    check(|t| t["steps"][6] = json!([">", 3, "Dance"]), "no command Dance: no message has this name");
    check(|t| t["clients"] = json!([1, 2]), "client 3 is not among the clients [1, 2]");
    check(|t| t["steps"][6] = json!([">", 3, "WrongArguments", 0, 0]), "no command WrongArguments: no message has");
    check(|t| t["edition"] = json!("golden"), "an edition is group, equipment, fate or auto");
    check(|t| t["edition"] = json!("fate"), "the fate edition needs a scenario with a crossroads list");
    check(|t| t["scenario"] = json!("nowhere.json"), "nowhere.json");
    check(|t| drop(t.as_object_mut().expect("an object").remove("seed")), "not a transcript: missing field `seed`");
}

/// A wrong number of arguments is an "other command" in registration.
#[test]
fn wrong_arguments_are_a_command() {
    check(|t| t["steps"][6] = json!([">", 3, "Register"]), "1 passed, 0 failed");
    check(|t| t["steps"][6] = json!([">", 3, "Register", "Bo", 1]), "1 passed, 0 failed");
}

#[test]
fn what_led_to_a_failure_is_shown() {
    let folder = Folder::new();
    let mut transcript = aborted();
    transcript["steps"][7] = json!(["<", 1, "GameStarted"]);
    folder.write("t.json", &transcript.to_string());
    let (_, text) = folder.run(&["t.json"]);
    assert!(text.contains("FAIL aborted ("), "{text}");
    assert!(text.contains("\n    < 1 *\n    > 3 Vote true\n"), "the steps before it: {text}");
}

/// Lines of `.jsonl` files and single files are found in folders; scenarios beside them are not taken for transcripts.
#[test]
fn folders() {
    let folder = Folder::new();
    folder.write("many.jsonl", &format!("{}\n\n{}\n", aborted(), aborted()));
    folder.write("one.json", &aborted().to_string());
    folder.write("notes.txt", "not for us");
    let (output, text) = folder.run(&[""]);
    assert_eq!((output.status.code(), text.as_str()), (Some(0), "3 passed, 0 failed\n"));

    folder.write("broken.jsonl", "{\"name\":\n");
    let (output, text) = folder.run(&["many.jsonl", "broken.jsonl", "missing.jsonl"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text.ends_with("2 passed, 2 failed\n"), "{text}");
    assert!(text.contains("broken.jsonl:1): not a transcript"), "{text}");
}

#[test]
fn nothing_to_run_is_a_failure() {
    let folder = Folder::new();
    let (output, text) = folder.run(&["scenarios"]);
    assert_eq!((output.status.code(), text.as_str()), (Some(1), "0 passed, 0 failed\n"));
}
