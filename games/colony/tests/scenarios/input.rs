//! Files and texts that are not scenarios give a clear error.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process,
};

use crate::BASE;

/// A folder for one test. Dropping it deletes the folder.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Self {
        let path = env::temp_dir().join(format!("holdfast-{}-{test}", process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str, content: &[u8]) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, content).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _best_effort = fs::remove_dir_all(&self.0);
    }
}

fn refusal(path: &Path) -> String {
    let path = path.to_str().unwrap();
    let error = colony::load(path).unwrap_err().to_string();
    error.strip_prefix(path).expect("the error names the file").to_owned()
}

/// The only problem of a text that is not JSON.
fn problem(text: &str) -> String {
    match &colony::check(text)[..] {
        [problem] => problem.to_string(),
        problems => panic!("{} problems", problems.len()),
    }
}

#[test]
fn files() {
    let folder = Folder::new("files");
    assert_eq!(refusal(&folder.0), ": not a regular file");
    assert_eq!(refusal(&folder.file("latin1", b"{\"name\": \"M\xe4rz\"}")), ": not UTF-8: byte 11 is wrong");
    assert_eq!(refusal(&folder.file("cut", "é".as_bytes().split_last().unwrap().1)), ": not UTF-8: byte 0 is wrong");
    let missing = folder.0.join("missing");
    let names = colony::scenario_names().collect::<Vec<_>>().join(", ");
    assert_eq!(refusal(&missing), format!(": no such file, and no scenario of that name; there are {names}"));
    assert_eq!(refusal(&folder.0.join("a\0b")), ": cannot be read: file name contained an unexpected NUL byte");
    assert!(refusal(&folder.file("plain", b"").join("below")).starts_with(": cannot be read: "));
}

#[test]
fn the_longest_file() {
    let folder = Folder::new("longest");
    let too_long = ": longer than a scenario may be, which is 262144 bytes";
    let longest = folder.file("longest", &[b' '; 262_144]);
    assert_eq!(colony::load(longest.to_str().unwrap()).unwrap().1.len(), 262_144);
    assert_eq!(refusal(&folder.file("longer", &[b' '; 262_145])), too_long);
    // A sparse file of 100 MB. Only its beginning is read.
    let huge = folder.file("huge", b"");
    fs::File::options().write(true).open(&huge).unwrap().set_len(100_000_000).unwrap();
    assert_eq!(refusal(&huge), too_long);
}

#[cfg(unix)]
#[test]
fn devices_are_not_opened() {
    assert_eq!(refusal(Path::new("/dev/zero")), ": not a regular file");
}

#[test]
fn names_and_paths() {
    let folder = Folder::new("names");
    let file = folder.file("first-night.json", BASE.as_bytes());
    let path = file.to_str().unwrap();
    assert_eq!(colony::load(path).unwrap(), (path.to_owned(), BASE.to_owned()));
    let (label, text) = colony::load("first-night").unwrap();
    assert_eq!((label.as_str(), Some(text.as_str())), ("first-night", colony::scenario("first-night")));
    assert_eq!(colony::scenario("first-night.json"), None);
    // A byte order mark is part of the text that `Config` carries, and no fault.
    let marked = folder.file("marked.json", format!("\u{feff}{BASE}").as_bytes());
    let (_, text) = colony::load(marked.to_str().unwrap()).unwrap();
    assert_eq!((text.strip_prefix('\u{feff}'), colony::check(&text)), (Some(BASE), Vec::new()));
    assert!(colony::scenario_names().is_sorted());
}

#[test]
fn texts() {
    for (text, expected) in [
        ("", "$: end of text: line 1, column 1: a value is expected here"),
        (" \n\n", "$: end of text: line 3, column 1: a value is expected here"),
        ("\0\0\0", r#"$: "\0": line 1, column 1: a value is expected here"#),
        ("{\"maxPlayers\": 1\0}", r#"$: "\0": line 1, column 17: `,` or `}` is expected here"#),
        ("maxPlayers: 1", r#"$: "m": line 1, column 1: a value is expected here"#),
        ("{} {}", r#"$: "{": line 1, column 4: the text should end here"#),
    ] {
        assert_eq!(problem(text), expected);
    }
    let deep = "[".repeat(200_000);
    let expected = r#"$: "[": line 1, column 65: lists and objects may be nested 64 deep, this is one more"#;
    assert_eq!(problem(&deep), expected);
    assert_eq!(problem(&"[".repeat(1_000_000)), "$: 1000000 bytes: a scenario has at most 262144 bytes");
}

/// Texts that are JSON, but not scenarios.
#[test]
fn other_documents() {
    for (text, expected) in [
        ("null", "$: null: must be an object"),
        ("3", "$: 3: must be an object"),
        ("[[[]]]", "$: [1 entry]: must be an object"),
    ] {
        assert_eq!(problem(text), expected);
    }
    assert_eq!(colony::check("{}").len(), 6, "a missing key each");
}

/// More entries than an index can count, and as many problems as fit into a text.
#[test]
fn many_problems() {
    let zeros = "0,".repeat(100_000) + "{\"fuel\": {\"identifier\": 7}}";
    let text = format!("{{\"cards\": [{zeros}], \"locations\": [{{\"cards\": [7, 7]}}]}}");
    let problems = colony::check(&text);
    let repeated = problems.iter().filter(|problem| problem.message == "the card is already in this stack").count();
    assert_eq!((problems.len(), repeated), (100_000 + 4 + 1 + 4 + 1, 1));

    let keys = "\"k\":0,".repeat(40_000);
    let text = format!("{{\"{}\": {{{keys}\"k\": 0}}}}", "long".repeat(1000));
    assert_eq!(colony::check(&text).len(), 6 + 1 + 40_000);
}
