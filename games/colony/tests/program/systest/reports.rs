//! Reports for other programs, and the selection of scripts.

use std::{fs, process::Command};

use serde_json::Value;

use super::folder::Folder;

fn folder() -> Folder {
    let folder = Folder::new();
    let script = |name: &str, tags: &str, event: &str| {
        format!(
            "name: {name}\ntags: {tags}\nscenario: first-night\nseed: 1\nplayers: Ana\n\nAna: StartGame\n  Ana: {event}\n"
        )
    };
    folder.write("1.script", &script("good & <right>", "early, right", "CommandFailed"));
    folder.write("2.script", &script("\"wrong #1 \\u0007\"", "early", "GameStarted"));
    folder.write("3.script", &script("garbled", "", "GameStrated"));
    folder
}

fn run(folder: &Folder, arguments: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_systest"))
        .arg("run")
        .arg(folder.path(""))
        .args(arguments)
        .output()
        .expect("it starts");
    (output.status.code(), String::from_utf8(output.stdout).expect("UTF-8"))
}

#[test]
fn reports() {
    let folder = folder();
    let path = |name: &str| folder.path(name).display().to_string();
    let (junit, tap, json) = (path("junit.xml"), path("verdicts.tap"), path("verdicts.js"));
    assert_eq!(run(&folder, &["--junit", &junit, "--tap", &tap, "--json", &json]).0, Some(1));

    let read = |file: &str| fs::read_to_string(file).expect("it was written");
    let json: Value = serde_json::from_str(&read(&json)).expect("JSON");
    let verdicts: Vec<&str> = json.as_array().expect("a list").iter().filter_map(|v| v["verdict"].as_str()).collect();
    assert_eq!(verdicts, ["OK", "FAIL", "FAIL"]);
    assert_eq!(json[0]["tags"], serde_json::json!(["early", "right"]));

    let tap = read(&tap);
    assert!(tap.starts_with("TAP version 13\n1..3\nok 1 - good & <right>\nnot ok 2 - wrong 1 \u{7}\n  ---\n"), "{tap}");

    // An independent parser reads the file.
    let program = "import sys, xml.etree.ElementTree as e; r = e.parse(sys.argv[1]).getroot(); \
                   print(r.tag, r.get('tests'), r.get('failures'), [c.get('name') for c in r.iter('testcase')], \
                   [f.get('type') for f in r.iter('failure')])";
    match Command::new("python3").args(["-c", program, &junit]).output() {
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stdout);
            let names = "['good & <right>', 'wrong #1 ', 'unreadable']";
            assert_eq!(said.trim(), format!("testsuites 3 2 {names} ['FAIL', 'FAIL']"), "{output:?}");
        }
        Err(error) => println!("skipped: python3 cannot be started: {error}"),
    }
}

#[test]
fn choosing() {
    let folder = folder();
    // Options never skip an unreadable file, so it is removed first.
    fs::remove_file(folder.path("3.script")).expect("it was there");
    assert_eq!(run(&folder, &["--tag", "right"]), (Some(0), "1 passed, 0 failed\n".into()));
    assert_eq!(run(&folder, &["--without-tag", "right"]).1.lines().last(), Some("0 passed, 1 failed"));
    assert_eq!(
        run(&folder, &["--tag", "early", "--without-tag", "right"]).1.lines().last(),
        Some("0 passed, 1 failed")
    );
    assert_eq!(run(&folder, &["--tag", "early", "--tag", "right"]).1.lines().last(), Some("1 passed, 1 failed"));
    assert_eq!(run(&folder, &["--filter", "good"]), (Some(0), "1 passed, 0 failed\n".into()));
    assert_eq!(run(&folder, &["--filter", "good", "--repeat", "5"]), (Some(0), "5 passed, 0 failed\n".into()));
    assert_eq!(run(&folder, &["--filter", "nobody"]), (Some(1), "0 passed, 0 failed\n".into()));
    let (_, text) = run(&folder, &["--filter", "good", "--repeat", "3", "--shuffle", "-5", "--jobs", "1"]);
    assert_eq!(text, "in the order of --shuffle -5\n3 passed, 0 failed\n");
}

/// If there is nothing to play, or the report cannot be written, the error gives the reason.
#[test]
fn reasons() {
    let folder = folder();
    fs::remove_file(folder.path("3.script")).expect("it was there");
    let said = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_systest"));
        let output = command.arg("run").arg(folder.path("")).args(arguments).output().expect("it starts");
        assert_eq!(output.status.code(), Some(1));
        (String::from_utf8_lossy(&output.stdout).into_owned(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let nothing = |why: &str| ("0 passed, 0 failed\n".to_owned(), format!("systest: nothing to play: {why}\n"));
    assert_eq!(said(&["--tag", "nope"]), nothing("no script has the tag nope; there are early, right"));
    assert_eq!(said(&["--tag", "eraly"]), nothing("no script has the tag eraly; did you mean early?"));
    assert_eq!(said(&["--without-tag", "early"]), nothing("the tags leave no script"));
    let (_, warned) = said(&["--without-tag", "rihgt"]);
    assert_eq!(warned, "systest: no script has the tag rihgt; did you mean right?\n");
    let named = "\"zzz\" in its `name:` line";
    assert_eq!(said(&["--filter", "zzz"]), nothing(&format!("no script has {named}")));
    assert_eq!(said(&["--filter", "zzz", "--tag", "early"]), nothing(&format!("no script with the tag has {named}")));
    let nowhere = folder.path("nowhere/x.xml").display().to_string();
    let (out, why) = said(&["--junit", &nowhere]);
    assert_eq!((out.as_str(), why), ("", format!("systest: {nowhere}: No such file or directory (os error 2)\n")));
}

#[test]
fn a_misspelt_event_is_pointed_at() {
    let (_, text) = run(&folder(), &["--filter", "nobody"]);
    let words = "there is no event GameStrated\n";
    assert!(text.contains(words), "{text}");
    let words = "  8 |   Ana: GameStrated\n    |        ^^^^^^^^^^^ did you mean GameStarted?\n";
    assert!(text.contains(words), "{text}");
}
