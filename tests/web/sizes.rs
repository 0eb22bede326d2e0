//! What browsers load stays small, and means what its sources mean. No browser is needed to weigh it.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{
    Scratch,
    built_typescript::{is_there, run},
    show,
    site::Site,
};

/// The most bytes of all scripts, styles and pages, and of all pictures and sounds, of all games together, as they are served.
const MOST_TEXT: usize = 400_000;
const MOST_MEDIA: usize = 300_000;

/// Types for editors, in comments. No page loads them.
const TYPES: &str = "types.js";

/// The files below a folder, by their path in it.
fn files(folder: &Path, within: &str, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry")) {
        let name = format!("{within}{}", entry.file_name().to_str().expect("UTF-8"));
        if entry.path().is_dir() {
            files(&entry.path(), &format!("{name}/"), found);
        } else {
            found.push(name);
        }
    }
}

/// The files of all pages by their path below `/web/`, with their sources.
fn sources() -> Vec<(String, PathBuf)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    files(&root.join("resources/web"), "", &mut paths);
    for game in fs::read_dir(root.join("games")).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        let name = game.file_name().and_then(|name| name.to_str()).expect("UTF-8").to_owned();
        if game.join("web").is_dir() {
            files(&game.join("web"), &format!("{name}/"), &mut paths);
        }
    }
    let source = |path: &String| match path.split_once('/') {
        Some((game, file)) if root.join("games").join(game).is_dir() => root.join(format!("games/{game}/web/{file}")),
        _ => root.join("resources/web").join(path),
    };
    paths.into_iter().map(|path| (path.clone(), source(&path))).collect()
}

/// What the host serves of these files. Files of games that this program does not have are not served.
fn served(site: &Site) -> Vec<(String, PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    for (path, source) in sources() {
        let answer = site.get(&format!("/web/{path}"));
        if answer.status == 404 && path.contains('/') {
            continue;
        }
        assert_eq!(answer.status, 200, "{path}");
        found.push((path, source, answer.body.into_bytes()));
    }
    found
}

#[test]
fn pages_are_small() {
    let mut weights: BTreeMap<&str, usize> = BTreeMap::new();
    for (path, source, body) in served(&Site::host()) {
        if path.rsplit('/').next() == Some(TYPES) {
            // It was not shortened, because it has nothing but comments.
            assert_eq!(body, fs::read(source).expect("a file"), "{path}");
            continue;
        }
        let kind = match path.rsplit_once('.').map(|(_, ending)| ending) {
            Some("js" | "css" | "html") => "scripts, styles and pages",
            _ => "pictures and sounds",
        };
        *weights.entry(kind).or_default() += body.len();
    }
    for (kind, bytes) in &weights {
        show(&format!("size: {kind} have {:.0} kB", *bytes as f64 / 1000.0));
    }
    assert!(weights["scripts, styles and pages"] < MOST_TEXT, "{weights:?}");
    assert!(weights["pictures and sounds"] < MOST_MEDIA, "{weights:?}");
}

/// The host leaves out what means nothing, and shortens names. TypeScript compares what is left with the sources.
#[test]
fn served_scripts_mean_the_same() {
    if !(is_there("node") && is_there("tsc")) {
        return;
    }
    let scratch = Scratch::new("served");
    for (path, source, body) in served(&Site::host()).into_iter().filter(|(path, ..)| path.ends_with(".js")) {
        for (folder, bytes) in [("source", fs::read(source).expect("a file")), ("served", body)] {
            let file = scratch.path(folder).join(&path);
            fs::create_dir_all(file.parent().expect("a folder")).expect("a folder can be made");
            fs::write(file, bytes).expect("a file can be written");
        }
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("resources/web-tests/same-meaning.mjs");
    run(Command::new("node").arg(script).args([scratch.path("source"), scratch.path("served")]));
}
