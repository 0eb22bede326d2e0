//! The command `holdfast check`.

use std::{
    fs,
    process::{Command, Output, Stdio},
};

use crate::holdfast;

fn lines(output: &Output) -> Vec<&str> {
    std::str::from_utf8(&output.stdout).expect("the output is text").lines().collect()
}

#[test]
fn sound_scenarios() {
    let output = holdfast(&["check", "first-night"]);
    assert_eq!(
        lines(&output),
        ["first-night: ok (group edition; 2 players, 3 rounds, 3 locations, 8 characters, 30 cards)"]
    );
    assert_eq!(output.status.code(), Some(0));
    for (name, edition) in
        [("winter", "equipment edition by its cards"), ("crossroads", "fate edition by its crossroads")]
    {
        let output = holdfast(&["check", name]);
        assert!(lines(&output)[0].starts_with(&format!("{name}: ok ({edition}; 5 players, 10 rounds, ")));
        assert_eq!(output.status.code(), Some(0));
    }
}

#[test]
fn broken_beside_sound_ones() {
    let path = std::env::temp_dir().join(format!("holdfast-check-{}.json", std::process::id()));
    let sound = colony::scenario("first-night").expect("it is built in");
    fs::write(&path, sound.replace("\"maxPlayers\": 2", "\"maxPlayers\": 0").replace("\"rounds\": 3", "\"rounds\": 5"))
        .expect("the folder takes files");
    let file = path.to_str().expect("the path is text");
    let output = holdfast(&["check", file, "first-night", "nowhere"]);
    let json = holdfast(&["check", file, "first-night", "nowhere", "--json"]);
    fs::remove_file(&path).expect("the file was there");

    let lines = lines(&output);
    assert_eq!(lines.len(), 5, "{lines:#?}");
    assert_eq!(lines[0], format!("{file}: $.maxPlayers: 0: must be a whole number from 1 to 2147483647"));
    let crises = "$.crises: [4 entries]: at least 5 crises are needed for 5 rounds, here are 4";
    assert_eq!(lines[1], format!("{file}: {crises}"));
    assert!(lines[2].starts_with("first-night: ok ("));
    assert!(lines[3].starts_with("nowhere: no such file, and no scenario of that name; there are "));
    assert_eq!(lines[4], "3 problems");
    assert_eq!(output.status.code(), Some(1));

    assert_eq!(json.status.code(), Some(1));
    let found: serde_json::Value = serde_json::from_slice(&json.stdout).expect("one JSON object");
    assert_eq!(found["problems"], 3);
    assert_eq!(found["scenarios"][0]["problems"][0]["path"], "$.maxPlayers");
    assert_eq!(found["scenarios"][1]["ok"], true);
    assert_eq!(found["scenarios"][1]["edition"], "group");
    assert_eq!(found["scenarios"][2]["problems"].as_array().map(Vec::len), Some(1));
}

#[test]
fn usage() {
    assert_eq!(holdfast(&["check"]).status.code(), Some(2));
    assert_eq!(holdfast(&["--help"]).status.code(), Some(0));
}

/// The reader closes the pipe before the program writes: no panic, and the exit code still is the verdict.
#[test]
fn closed_pipe() {
    for (scenario, code) in [("first-night", 0), ("nowhere", 1)] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_holdfast"))
            .args(["check", scenario])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("the program ends");
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(code), &b""[..]));
    }
}
