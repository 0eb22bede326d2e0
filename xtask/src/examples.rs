//! Builds and tests the games of `examples/` as their authors would: each is a crate of its own that depends on Holdfast. Then
//! does the same with the crates that `holdfast new game` writes, and plays the examples over TCP.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use crate::{
    failure::Failure,
    project::{self, Project},
    run,
    workspace::Workspace,
};

/// The most lines of Rust in an example. A short game stays short.
const MOST_LINES: &[(&str, usize)] = &[("tictactoe", 80), ("highcard", 130), ("connect-four", 130)];
/// The widest line.
const WIDEST: usize = 120;

/// The crates that `holdfast new game` writes: a name, and an option.
const NEW: &[(&str, Option<&str>)] = &[("pebble", None), ("secret-dice", Some("--hidden-information"))];

pub(crate) fn check(project: &Project) -> Result<(), Failure> {
    let names = names(&project.files()?);
    let mut findings = Vec::new();
    for name in &names {
        findings.extend(shape(name, &sources(project, name)?));
    }
    Failure::unless_none(findings)?;

    let folders = Workspace::read(project)?.target_directory;
    let target = folders.join("examples");
    for name in &names {
        build(project, &project.root.join("examples").join(name), &target)?;
    }
    let programs = target.join("debug");
    // Not inside of `target`: of sources there, cargo notes the whole path, and crates of one name share these notes. So it would
    // miss changes of another `pebble`.
    let folder = folders.join("new");
    project::remove_folder(&folder)?;
    fs::create_dir_all(&folder).map_err(|cause| Failure::Unwritable { path: folder.clone(), cause })?;
    for (name, option) in NEW {
        let mut new = Command::new(programs.join("tictactoe"));
        new.args(["new", "game", name]).args(*option).current_dir(&folder).stdin(Stdio::null());
        run::finish(&mut new)?;
        build(project, &folder.join(name), &target)?;
    }
    let runs = [
        &["--test", "examples", "--", "--nocapture"][..],
        &["--test", "clients", "--", "languages::highcard"],
        &["--test", "web", "--", "browser::examples", "browser::dev"],
    ];
    for tests in runs {
        let arguments = ["test", "--workspace", "--locked"].into_iter().chain(tests.iter().copied());
        run::finish(run::command(project, arguments).env("HOLDFAST_EXAMPLES", &programs))?;
    }
    Ok(())
}

/// Builds the examples as their authors would for others, and returns their programs.
pub(crate) fn optimised(project: &Project) -> Result<Vec<PathBuf>, Failure> {
    let target = Workspace::read(project)?.target_directory.join("examples");
    let mut programs = Vec::new();
    for name in names(&project.files()?) {
        let folder = project.root.join("examples").join(&name);
        copy_lock(project, &folder)?;
        let manifest = folder.join("Cargo.toml");
        let arguments = ["build", "--release", "--manifest-path", &manifest.to_string_lossy()];
        run::finish(run::command(project, arguments).env("CARGO_TARGET_DIR", &target))?;
        programs.push(target.join("release").join(name));
    }
    Ok(programs)
}

/// Cargo keeps the versions of the project, and drops the crates that an example does not need.
fn copy_lock(project: &Project, folder: &Path) -> Result<(), Failure> {
    let lock = folder.join("Cargo.lock");
    fs::write(&lock, project.read("Cargo.lock")?).map_err(|cause| Failure::Unwritable { path: lock, cause })
}

/// Formats, tests and builds a crate. All crates share a target folder, so Holdfast is built once.
fn build(project: &Project, folder: &Path, target: &Path) -> Result<(), Failure> {
    copy_lock(project, folder)?;
    let manifest = folder.join("Cargo.toml");
    let manifest = manifest.to_string_lossy();
    for arguments in [&["fmt", "--check"][..], &["test"], &["build"]] {
        let mut command = run::command(project, arguments.iter().copied().chain(["--manifest-path", &manifest]));
        run::finish(command.env("CARGO_TARGET_DIR", target))?;
    }
    Ok(())
}

/// The names of all examples.
fn names(files: &[PathBuf]) -> BTreeSet<String> {
    let name = |path: &PathBuf| {
        let words: Vec<&str> = path.iter().filter_map(|word| word.to_str()).collect();
        if let ["examples", name, "Cargo.toml"] = words[..] { Some(name.to_owned()) } else { None }
    };
    files.iter().filter_map(name).collect()
}

/// All Rust of an example.
fn sources(project: &Project, name: &str) -> Result<Vec<String>, Failure> {
    let folder = Path::new("examples").join(name);
    let is_source = |path: &&PathBuf| path.starts_with(&folder) && path.extension().is_some_and(|form| form == "rs");
    project.files()?.iter().filter(is_source).map(|path| project.read(path)).collect()
}

/// The findings about the length of an example.
fn shape(name: &str, sources: &[String]) -> Vec<String> {
    let mut findings = Vec::new();
    let lines: usize = sources.iter().map(|text| text.lines().count()).sum();
    match MOST_LINES.iter().find(|(known, _)| *known == name) {
        Some((_, most)) if lines > *most => {
            findings.push(format!("examples/{name} has {lines} lines, more than {most}"))
        }
        Some(_) => {}
        None => findings.push(format!("examples/{name} has no limit in xtask/src/examples.rs")),
    }
    let wide = sources.iter().flat_map(|text| text.lines()).filter(|line| line.chars().count() > WIDEST);
    findings.extend(wide.map(|line| format!("examples/{name} has a line of more than {WIDEST} columns: {line}")));
    if sources.iter().any(|text| text.contains("macro_rules!")) {
        findings.push(format!("examples/{name} has a macro of its own"));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shape_of_an_example() {
        let check = |name: &str, text: String, expected: &[&str]| {
            let found = shape(name, &[text]);
            assert_eq!(found.len(), expected.len(), "{found:?}");
            found.iter().zip(expected).for_each(|(found, expected)| assert!(found.contains(expected), "{found}"));
        };
        check("tictactoe", "x\n".repeat(80), &[]);
        check("tictactoe", "x\n".repeat(81), &["81 lines, more than 80"]);
        check("highcard", "x".repeat(121), &["more than 120 columns"]);
        check("highcard", "macro_rules! m {}".into(), &["a macro of its own"]);
        check("chess", String::new(), &["has no limit"]);
    }

    #[test]
    fn names_of_examples() {
        let files = ["examples/go/Cargo.toml", "examples/go/src/main.rs", "examples/README.md", "Cargo.toml"];
        assert_eq!(names(&files.map(PathBuf::from)), BTreeSet::from(["go".to_owned()]));
    }
}
