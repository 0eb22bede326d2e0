//! The command line of `systest`: exit codes, help, skipped files and JSON reports.

use std::process::Command;

use serde_json::Value;

use super::folder::{FIRST_NIGHT, Folder};

const SCRIPT: &str =
    "name: too early\nscenario: first-night\nseed: 1\nplayers: Ana\n\nAna: StartGame\n  Ana: CommandFailed\n";

/// Calls `systest`, and returns its exit code, standard output and standard error.
fn systest(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_systest")).args(arguments).output().expect("it starts");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// A mistyped path is wrong usage: exit code 2, one line, and nothing runs.
#[test]
fn mistyped_paths() {
    let folder = Folder::new();
    folder.write("good.script", SCRIPT);
    let path = |name: &str| folder.path(name).display().to_string();
    let (good, missing) = (path("good.script"), path("god.script"));
    for arguments in
        [&["run", &missing][..], &["run", &good, &missing], &["convert", &missing], &["fmt", "--check", &missing]]
    {
        let expected = format!("systest: there is no file or folder {missing}\n");
        assert_eq!(systest(arguments), (Some(2), String::new(), expected), "{arguments:?}");
    }
    for arguments in [&["record", &missing][..], &["seeds", "--script", &missing, "--want", "Bitten"]] {
        let expected = format!("systest: there is no file {missing}\n");
        assert_eq!(systest(arguments), (Some(2), String::new(), expected), "{arguments:?}");
    }
    assert_eq!(systest(&["run", "--no-such-option"]).0, Some(2));
    let (code, _, said) = systest(&["seeds", "--scenario", "winter", "--rulebook", "colnoy", "--want", "Bitten"]);
    assert_eq!(code, Some(2));
    assert!(said.contains("there are no scripts for a rulebook colnoy"), "{said}");
}

/// In a folder, scenarios are skipped silently, and other JSON files with a message.
#[test]
fn other_files() {
    let folder = Folder::new();
    folder.write("good.script", SCRIPT);
    folder.write("other.script", &SCRIPT.replace("first-night", "broken.json").replace("too early", "broken"));
    folder.write("broken.json", &FIRST_NIGHT.replacen('{', "{\"unknown\": 1, ", 1));
    folder.write("package.json", "{\"name\": \"steps\", \"scripts\": {}}");
    folder.write("verdicts.json", "[{\"message\": \"has no \\\"steps\\\"\"}]");
    folder.write("notes.txt", "not JSON");
    let (_, out, said) = systest(&["run", &folder.path("").display().to_string(), "--filter", "too early"]);
    assert_eq!(out, "1 passed, 0 failed\n");
    let skipped = |name: &str| {
        format!("systest: skipped {}: it is neither a transcript nor a scenario\n", folder.path(name).display())
    };
    assert_eq!(said, skipped("package.json") + &skipped("verdicts.json"));
    // A file that the command line names is never skipped.
    let (code, out, said) = systest(&["run", &folder.path("package.json").display().to_string()]);
    assert_eq!((code, said.as_str()), (Some(1), ""));
    assert!(out.contains("not a transcript: missing field"), "{out}");
}

/// Every subcommand that reports has `--json FILE`, and `-` is standard output, without any other text.
#[test]
fn json_reports() {
    let folder = Folder::new();
    folder.write("good.script", SCRIPT);
    folder.write("bad.script", "scenario:   first-night\nseed: 1\n\n\n");
    let path = |name: &str| folder.path(name).display().to_string();
    let json = |arguments: &[&str], expected_code: i32| -> Value {
        let (code, out, said) = systest(arguments);
        assert_eq!(code, Some(expected_code), "{said}");
        serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}"))
    };
    assert_eq!(json(&["run", &path("good.script"), "--json", "-"], 0)[0]["verdict"], "OK");
    assert_eq!(json(&["fmt", "--check", &path(""), "--json", "-"], 1)["changed"][0], path("bad.script"));
    let seeds = ["seeds", "--scenario", "winter", "--want", "dice 6", "--count", "2", "--json", "-"];
    let found = json(&seeds, 0);
    assert_eq!((found["seeds"].as_array().map(Vec::len), &found["want"]), (Some(2), &"dice 6".into()));
    let (code, out, said) = systest(&["run", &path("good.script"), "--tap", "-"]);
    assert_eq!((code, out.as_str()), (Some(0), "TAP version 13\n1..1\nok 1 - too early\n"));
    assert_eq!(said, "1 passed, 0 failed\n", "the text is on standard error");
}

/// Help begins with a description of the command, explains every option, and ends with the exit codes.
#[test]
fn help() {
    for (command, about) in [
        ("run", "Plays scripts and transcripts, in this process or against a server, and reports all differences"),
        ("fmt", "Formats scripts. Only white space changes; all words and comments stay"),
        ("convert", "Converts transcripts (.json, .jsonl) into scripts, or scripts into transcripts, without loss"),
        ("record", "Turns a game of a log file into a script that replays it"),
        ("grade", "Plays groups of tests against the servers of many teams, and writes a table with their points"),
        ("serve-mutant", "Serves one game by faulty rules, like the server of a team that made this mistake."),
        ("seeds", "Finds seeds whose games show what --want asks for, and writes the script of such a game"),
    ] {
        let (code, help, _) = systest(&[command, "--help"]);
        assert_eq!((code, help.lines().next()), (Some(0), Some(about)));
        assert!(help.contains("Exit codes:\n  0  success\n  1  "), "{help}");
        let lines: Vec<&str> = help.lines().collect();
        for (at, line) in lines.iter().enumerate().filter(|(_, line)| line.trim_start().starts_with("--")) {
            let after_option = line.trim_start().split_once("  ").map(|(_, words)| words.trim()).unwrap_or_default();
            let next = lines.get(at + 1).map(|line| line.trim()).unwrap_or_default();
            let sentence = if after_option.is_empty() { next } else { after_option };
            assert!(sentence.starts_with(char::is_uppercase), "{command}: {line:?} has no sentence");
        }
    }
    assert!(systest(&["--help"]).1.contains("Exit codes:\n"), "the program itself has them, too");
}
