//! The real `systest` binary on this project's own transcripts, right ones and wrong ones.

use std::process::{Command, Output};

use serde_json::{Value, json};

use super::folder::Folder;

fn run(folder: &Folder, names: &[&str]) -> (Output, String) {
    let paths = names.iter().map(|name| folder.path(name));
    let output = Command::new(env!("CARGO_BIN_EXE_systest")).arg("run").args(paths).output().expect("it starts");
    let text = String::from_utf8(output.stdout.clone()).expect("UTF-8");
    (output, text)
}

/// A registration that is aborted by another command. The expected events are worked out from the rules.
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
    let (output, text) = run(&folder, &["t.json"]);
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
        "t.json, step 8: Ana: GameStarted\n  Ana received something else\n    expected: GameStarted\n    came:     RegistrationAborted",
    );
    check(
        |t| t["steps"][7] = json!(["<", 1, "...", "NextRound", 9]),
        "    came:     no such event; 1 other event was skipped\n        RegistrationAborted\n    this line would match:\n        Ana: RegistrationAborted\n    Ana received before:\n        Config\n",
    );
    check(
        |t| t["steps"][7] = json!(["<", 3, "...", "NextRound", 9]),
        "    came:     nothing\n    this line would match:\n        Client3: nothing more\n",
    );
    check(
        |t| t["steps"][3] = json!(["<", 1, "Config", "another text"]),
        "    expected: Config \"another text\"\n    came:     Config\n",
    );
    check(
        |t| t["steps"][7] = json!(["<", 3, "*"]),
        "step 8: Client3: *\n  Client3 received something else\n    expected: *\n    came:     nothing\n",
    );
    check(
        |t| drop(t["steps"].as_array_mut().expect("steps").pop()),
        "after the last step: Ana receives more\n    this line would match:\n        Ana: RegistrationAborted\n",
    );
    check(|t| t["steps"].as_array_mut().expect("steps").truncate(6), "after the last step: the game is not over");
    check(|t| t["steps"][6] = json!([">", 3, "Dance"]), "there is no command Dance: no message has this name");
    check(|t| t["clients"] = json!([1, 2]), "client 3 is not among the clients");
    check(
        |t| t["steps"][6] = json!([">", 3, "WrongArguments", 0, 0]),
        "there is no command WrongArguments: no message has",
    );
    check(|t| t["edition"] = json!("golden"), "an edition is group, equipment, fate or auto");
    check(|t| t["edition"] = json!("fate"), "the fate edition needs a scenario with a crossroads list");
    check(|t| t["scenario"] = json!("nowhere.json"), "nowhere.json");
    check(|t| drop(t.as_object_mut().expect("an object").remove("seed")), "not a transcript: missing field `seed`");
}

/// During registration, a command with a wrong number of arguments aborts the game as any other command does.
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
    let (_, text) = run(&folder, &["t.json"]);
    assert!(text.contains("FAIL aborted ("), "{text}");
    let led = "    Ana received before:\n        Config\n        CommandFailed \"You are ";
    assert!(text.contains(led), "the events before it: {text}");
    assert!(text.contains("\n    after Client3: Vote true\n"), "{text}");
}

/// In folders, transcripts are found as lines of `.jsonl` files and as single files. Scenarios beside them are ignored.
#[test]
fn folders() {
    let folder = Folder::new();
    folder.write("many.jsonl", &format!("{}\n\n{}\n", aborted(), aborted()));
    folder.write("one.json", &aborted().to_string());
    folder.write("notes.txt", "not for us");
    let (output, text) = run(&folder, &[""]);
    assert_eq!((output.status.code(), text.as_str()), (Some(0), "3 passed, 0 failed\n"));

    folder.write("broken.jsonl", "{\"name\":\n");
    let (output, text) = run(&folder, &["many.jsonl", "broken.jsonl"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text.ends_with("2 passed, 1 failed\n"), "{text}");
    assert!(text.contains("broken.jsonl:1)\n  not a transcript"), "{text}");
}

#[test]
fn nothing_to_run_is_a_failure() {
    let folder = Folder::new();
    let (output, text) = run(&folder, &["scenarios"]);
    assert_eq!((output.status.code(), text.as_str()), (Some(1), "0 passed, 0 failed\n"));
    let said = format!("systest: nothing to play: there are no scripts in {}\n", folder.path("scenarios").display());
    assert_eq!(String::from_utf8_lossy(&output.stderr), said);
}
