//! The table of mutants against the rules and the page that lists them.

extern crate std;

use alloc::{borrow::ToOwned, collections::BTreeMap, format, string::String, vec, vec::Vec};
use std::{
    env, fs,
    path::{Path, PathBuf},
};

use crate::mutants::MUTANTS;

#[test]
fn names() {
    let kebab =
        |name: &str| name.split('-').all(|word| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase()));
    let mut known = BTreeMap::new();
    for mutant in MUTANTS {
        assert!(kebab(mutant.name), "{} is not in kebab-case", mutant.name);
        assert_eq!(known.insert(mutant.name, ()), None, "{} is there twice", mutant.name);
    }
}

/// Every name stands for one expression.
#[test]
fn uses() {
    let mut uses: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for file in sources() {
        let text = fs::read_to_string(&file).expect("a source file can be read");
        for part in text.split("mutant!(").skip(1) {
            if let Some(part) = part.trim_start().strip_prefix('"') {
                let name = part.split('"').next().unwrap_or_default();
                uses.entry(name.to_owned()).or_default().push(file.clone());
            }
        }
    }
    for mutant in MUTANTS {
        assert_eq!(uses.remove(mutant.name).map(|files| files.len()), Some(1), "uses of {}", mutant.name);
    }
    assert_eq!(uses, BTreeMap::new(), "not in the table");
}

/// All of the crate but what is about mutants itself.
fn sources() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut files, mut folders) = (Vec::new(), vec![root.clone()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("the sources are there") {
            let path = entry.expect("the sources are there").path();
            if path.is_dir() {
                folders.push(path);
            } else if !path.ends_with("mutants.rs") {
                files.push(path);
            }
        }
    }
    assert!(files.len() > 30, "only {files:?} below {}", root.display());
    files
}

/// docs/mutants.md has the table between two lines; HOLDFAST_BLESS=1 writes it anew.
#[test]
fn golden_page() {
    const BEGIN: &str = "<!-- the table: cargo xtask bless -->\n";
    const END: &str = "<!-- the end of the table -->\n";
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/mutants.md");
    let page = fs::read_to_string(&file).expect("the page can be read");
    let (before, rest) = page.split_once(BEGIN).expect("the table has a beginning");
    let (_, after) = rest.split_once(END).expect("the table has an end");
    let expected = [before, BEGIN, &table(), END, after].concat();
    if env::var_os("HOLDFAST_BLESS").is_some() {
        fs::write(&file, &expected).expect("the page can be written");
    } else {
        assert!(page == expected, "docs/mutants.md has another table; `cargo xtask bless` writes it");
    }
}

fn table() -> String {
    let mut table = format!("\n{} mutants.\n", MUTANTS.len());
    let mut section = "";
    for mutant in MUTANTS {
        if mutant.section != section {
            section = mutant.section;
            table += &format!("\n### Section {section}\n\n| name | editions | mistake |\n|---|---|---|\n");
        }
        let equivalent = mutant.equivalent.map_or(String::new(), |reason| format!(" (equivalent: {reason})"));
        table += &format!("| `{}` | {} | {}{equivalent} |\n", mutant.name, mutant.editions, mutant.mistake);
    }
    table + "\n"
}
