//! `holdfast log` with files that are not logs: each task prints the problem and names the file once.

use std::fs;

use crate::holdfast;

#[test]
fn files_that_are_not_logs() {
    let folder = std::env::temp_dir().join(format!("holdfast-not-logs-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let path = |name: &str| folder.join(name).display().to_string();
    fs::write(path("empty"), "").expect("a file");
    fs::write(path("text"), "this is not a log").expect("a file");
    // A file that begins like an SQLite database, but is not one.
    fs::write(path("broken"), [b"SQLite format 3\0".as_slice(), &[7; 5000]].concat()).expect("a file");
    let missing = format!("holdfast: there is no file {}\n", path("missing"));
    let whole = |name: &str, words: &str| format!("holdfast: {} {words}\n", path(name));
    for task in [
        &["list"][..],
        &["show"],
        &["verify"],
        &["replay"],
        &["stats"],
        &["diff", "b"],
        &["export", "game", "--format", "csv"],
        &["fork", "game", "--at", "1"],
        &["heads"],
        &["import", "/nowhere/other"],
        &["backup", "/nowhere/copy"],
        &["salvage", "/nowhere/copy"],
        &["prune", "--before", "2026-11-16"],
        &["archive", "/nowhere/archive", "--before", "2026-11-16"],
        &["delete", "game"],
        &["redact", "Ana"],
    ] {
        let check = |name: &str, expected: &str| {
            let file = path(name);
            let call = [&["log", task[0], &file], &task[1..]].concat();
            let output = holdfast(&call);
            let said = String::from_utf8_lossy(&output.stderr);
            assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{call:?}: {said}");
            assert!(said.starts_with(expected), "{call:?}: {said}");
            assert_eq!(said.matches(&file).count(), 1, "{call:?} names the file once: {said}");
        };
        check("missing", &missing);
        check("empty", &whole("empty", "is empty: nothing was stored in it"));
        check("text", &whole("text", "is not a log; `holdfast host --log games.log` writes one"));
        check("", &format!("holdfast: {} is a folder, not a file\n", path("")));
        check("broken", "holdfast: ");
    }
    fs::remove_dir_all(&folder).expect("the folder is there");
}
