//! The commands `systest seeds` and `systest record`.

use std::process::Command;

use super::folder::Folder;

/// Runs the program: a beginning from a script, seeds as comments, and a script that passes.
#[test]
fn the_program() {
    let folder = Folder::new();
    let systest = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_systest")).args(arguments).output().expect("it starts");
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    folder.write(
        "early.script",
        "scenario: first-night\nseed: 0\nplayers: Ana, Bo\n\nBo: Register Bo\nAna: Register Ana\n",
    );
    let beginning = folder.path("early.script").display().to_string();
    let (code, out, said) = systest(&["seeds", "--script", &beginning, "--want", "offered Bo: Maren and dice 6"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(out.starts_with("# seed "), "{out}");
    folder.write("found.script", &out);
    let found = folder.path("found.script").display().to_string();
    assert_eq!(systest(&["run", &found]).1, "1 passed, 0 failed\n");

    let each = folder.path("each").display().to_string();
    let asked = ["seeds", "--scenario", "winter", "--players", "3", "--want", "dice 6 6", "--count", "3", "-o", &each];
    let (code, out, said) = systest(&asked);
    assert_eq!((code, out.lines().count()), (Some(0), 3), "{said}");
    assert_eq!(systest(&["run", &each]).1, "3 passed, 0 failed\n");

    let (code, _, said) = systest(&["seeds", "--scenario", "winter", "--want", "dice 6 7"]);
    assert_eq!(code, Some(1));
    assert!(said.contains("1 | dice 6 7\n  |        ^ 1 to 6, or _"), "{said}");
    let (code, _, said) = systest(&["seeds", "--scenario", "winter", "--players", "9", "--want", "dice 6"]);
    assert_eq!((code, said.as_str()), (Some(1), "systest: 9 players: this scenario is for 1 to 5\n"));
}

/// Files that do not exist, or have the wrong content.
#[test]
fn wrong_files() {
    let folder = Folder::new();
    folder.write("notes.txt", "no log, and no script, either\n");
    let path = |name: &str| folder.path(name).display().to_string();
    let said = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_systest")).args(arguments).output().expect("it starts");
        (output.status.code(), String::from_utf8(output.stderr).expect("UTF-8"))
    };
    let missing = (Some(2), format!("systest: there is no file {}\n", path("nope")));
    assert_eq!(said(&["record", &path("nope")]), missing);
    assert_eq!(said(&["seeds", "--script", &path("nope"), "--want", "Bitten"]), missing);
    let no_log = "this is not a log of a host; `holdfast host --log games.log` writes one";
    let no_log = format!("systest: {}: {no_log}\n", path("notes.txt"));
    assert_eq!(said(&["record", &path("notes.txt")]), (Some(1), no_log));
    let meant = said(&["seeds", "--scenario", "wintre", "--want", "Bitten"]);
    assert_eq!(meant, (Some(2), "systest: there is no scenario wintre; did you mean winter?\n".into()));
    folder.write("f.script", "fragment\nAna: StartGame\n");
    let fragment = said(&["seeds", "--script", &path("f.script"), "--want", "Bitten"]);
    assert_eq!(fragment, (Some(1), "systest: this is a fragment; run a script that includes it\n".into()));
}
