//! The proof that the pure crates need no standard library: `xtask/no_std`, a static library that links them all.

use crate::{
    project::{Package, Project},
    run::{self, Failure},
};

pub(crate) const MANIFEST: &str = "xtask/no_std/Cargo.toml";
const LOCK: &str = "xtask/no_std/Cargo.lock";
const SOURCE: &str = "xtask/no_std/src/lib.rs";

/// Makes the lock file anew with the workspace's versions: cargo keeps those it finds and drops what it does not need.
const MEND: &str = "cp Cargo.lock xtask/no_std/Cargo.lock && cargo tree --manifest-path xtask/no_std/Cargo.toml";

/// Builds the library after making sure that it says something about the workspace as it is.
pub(crate) fn check(project: &Project) -> Result<(), Failure> {
    let workspace = project.workspace()?;
    let mut findings = linked(&workspace.packages, &project.read(SOURCE)?);
    findings.extend(drift(&project.read(LOCK)?, &project.read("Cargo.lock")?));
    run::none(findings)?;

    // A directory of its own: the same crates are built here with other features and another way to panic.
    let target = workspace.target_directory.join("no_std");
    let target = target.to_string_lossy();
    run::cargo(project, ["build", "--locked", "--manifest-path", MANIFEST, "--target-dir", &target])
        .inspect_err(|_| println!("if cargo asks for a new lock file: {MEND}"))
}

/// Pure crates that the library does not link.
fn linked(packages: &[Package], source: &str) -> Vec<String> {
    let is_linked = |package: &Package| {
        let line = format!("pub extern crate {};", package.name);
        source.lines().any(|found| found.trim() == line)
    };
    let missing = packages.iter().filter(|package| package.is_pure() && !is_linked(package));
    missing.map(|package| format!("{} is pure, and {SOURCE} does not link it", package.name)).collect()
}

/// Packages whose version is not the one that the workspace uses.
fn drift(lock: &str, workspace: &str) -> Vec<String> {
    let known = packages(workspace);
    let locked = packages(lock);
    if locked.is_empty() {
        return vec![format!("{LOCK} has no package that we can read")];
    }
    let mut findings = Vec::new();
    for package in locked {
        // The library itself; the workspace cannot know it.
        if package.0 == "no_std" || known.contains(&package) {
            continue;
        }
        let (name, version) = package;
        findings.push(format!("{LOCK} has {name} {version}, and Cargo.lock has not; to mend it: {MEND}"));
    }
    findings
}

/// Name and version of every package in a lock file.
fn packages(lock: &str) -> Vec<(&str, &str)> {
    fn pair(table: &str) -> Option<(&str, &str)> {
        let value = |key| table.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = ")?.split('"').nth(1));
        Some((value("name")?, value("version")?))
    }
    lock.split("[[package]]").skip(1).filter_map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::{Package, drift, linked};

    #[test]
    fn every_pure_crate_is_linked() {
        fn check(source: &str, expected: &[&str]) {
            let packages = ["engine:", "games/colony: engine", "script: colony"].map(Package::from_row);
            assert_eq!(linked(&packages, source), expected, "{source:?}");
        }
        let engine = "engine is pure, and xtask/no_std/src/lib.rs does not link it";
        let colony = "colony is pure, and xtask/no_std/src/lib.rs does not link it";
        check("pub extern crate colony;\npub extern crate engine;", &[]);
        check("pub extern crate engine;", &[colony]);
        check("pub extern crate engine;\n// pub extern crate colony;", &[colony]);
        check("", &[engine, colony]);
    }

    #[test]
    fn lock_files_agree() {
        fn check(lock: &[&str], expected: &[&str]) {
            let text = |packages: &[&str]| {
                let table = |package: &&str| {
                    let (name, version) = package.split_once(' ').expect("a name and a version");
                    format!(
                        "[[package]]\nname = \"{name}\"\nversion = \"{version}\"\ndependencies = [\n \"serde\",\n]\n\n"
                    )
                };
                packages.iter().map(table).collect::<String>()
            };
            let found = drift(&text(lock), &text(&["serde 1.0.1", "syn 2.0.0", "syn 3.0.0"]));
            let facts: Vec<_> = found.iter().filter_map(|finding| finding.split(';').next()).collect();
            assert_eq!(facts, expected, "{lock:?}");
        }
        check(&[], &["xtask/no_std/Cargo.lock has no package that we can read"]);
        check(&["no_std 0.1.0", "serde 1.0.1", "syn 3.0.0"], &[]);
        check(&["serde 1.0.0"], &["xtask/no_std/Cargo.lock has serde 1.0.0, and Cargo.lock has not"]);
        check(&["rand 0.9.0"], &["xtask/no_std/Cargo.lock has rand 0.9.0, and Cargo.lock has not"]);
    }
}
