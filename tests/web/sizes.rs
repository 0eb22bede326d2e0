//! What browsers load stays small. No browser is needed to weigh it.

use std::{collections::BTreeMap, fs, path::Path};

use crate::{show, site::Site};

/// The most bytes of all scripts, styles and pages, and of all pictures and sounds, of all games together, as they are served. The goal
/// of the first is 400 kB.
const MOST_TEXT: usize = 450_000;
const MOST_MEDIA: usize = 300_000;

/// Types for authors of drawings. No page loads them.
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

#[test]
fn pages_are_small() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    files(&root.join("resources/web"), "", &mut paths);
    for game in fs::read_dir(root.join("games")).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        let name = game.file_name().and_then(|name| name.to_str()).expect("UTF-8").to_owned();
        if game.join("web").is_dir() {
            files(&game.join("web"), &format!("{name}/"), &mut paths);
        }
    }
    let site = Site::host();
    let mut weights: BTreeMap<&str, usize> = BTreeMap::new();
    for path in paths.iter().filter(|path| *path != TYPES) {
        let answer = site.get(&format!("/web/{path}"));
        // Files of games that this program does not have are not served.
        if answer.status == 404 && path.contains('/') {
            continue;
        }
        assert_eq!(answer.status, 200, "{path}");
        let kind = match path.rsplit_once('.').map(|(_, ending)| ending) {
            Some("js" | "css" | "html") => "scripts, styles and pages",
            _ => "pictures and sounds",
        };
        *weights.entry(kind).or_default() += answer.body.len();
    }
    for (kind, bytes) in &weights {
        show(&format!("size: {kind} have {:.0} kB", *bytes as f64 / 1000.0));
    }
    assert!(weights["scripts, styles and pages"] < MOST_TEXT, "{weights:?}");
    assert!(weights["pictures and sounds"] < MOST_MEDIA, "{weights:?}");
}
