//! `systest mutants` of a program without mutants: plants them in a copy of the crate, builds the copy, and lets it play.

use std::{
    collections::BTreeMap,
    env, fs, io,
    path::{Path, PathBuf},
    process::Command,
};

use ::mutants::{Row, plant};

use super::{EXIT_CODES, check_paths, error::CommandError};

/// Plays scripts by faulty rules, and reports which faults the scripts catch. Succeeds if they catch all that can be caught.
///
/// The faults are rows of `mutants.txt` in the crate of the game. They are planted in a copy of the crate in its target folder, which is
/// built with the feature `mutants` of holdfast. Run it in the folder of the crate: `cargo run -- systest mutants`.
#[derive(clap::Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct Arguments {
    /// Scripts, as for `systest run`. Without any, the folder `scripts`.
    paths: Vec<PathBuf>,
    /// The game. Without it, the first one of the program.
    #[arg(long, value_name = "NAME")]
    rulebook: Option<String>,
    /// Plays only this mutant. May be given several times.
    #[arg(long, value_name = "NAME")]
    mutant: Vec<String>,
    /// Writes the report as an HTML page; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Writes the report as JSON, with the first difference of each kill; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

const TABLE: &str = "mutants.txt";
const MANIFEST: &str = "Cargo.toml";
/// The function that chooses a mutant, as an author's crate reaches it.
const IS_CHOSEN: &str = "::holdfast::engine::mutants::is_chosen";

/// Returns whether the scripts kill every mutant that is not equivalent.
pub(super) fn run(arguments: &Arguments) -> Result<bool, CommandError> {
    check_paths(&arguments.paths)?;
    let folder = env::current_dir().map_err(|error| CommandError::File(PathBuf::from("."), error))?;
    let table = folder.join(TABLE);
    if !table.is_file() || !folder.join(MANIFEST).is_file() {
        return Err(CommandError::NoTable(table));
    }
    let text = fs::read_to_string(&table).map_err(|error| CommandError::File(table.clone(), error))?;
    let rows = ::mutants::read(&text).map_err(|error| CommandError::Table(table.clone(), error))?;
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| folder.join("target"), |target| folder.join(target));
    let tree = target.join("mutants");
    write_copy(&folder, &target, &tree, &rows)?;

    // With the usual target folder, the crates of others are not built again.
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["run", "--quiet", "--features", "holdfast/mutants", "--manifest-path"]).arg(tree.join(MANIFEST));
    cargo.arg("--target-dir").arg(&target).args(["--", "systest", "mutants", "--table"]).arg(&table);
    for (option, file) in [("--html", &arguments.html), ("--json", &arguments.json)] {
        cargo.args(file.iter().flat_map(|file| [option.into(), file.clone().into_os_string()]));
    }
    cargo.args(arguments.rulebook.iter().flat_map(|name| ["--rulebook", name]));
    cargo.args(arguments.mutant.iter().flat_map(|name| ["--mutant", name]));
    let scripts = [PathBuf::from("scripts")];
    cargo.args(if arguments.paths.is_empty() { &scripts } else { &arguments.paths[..] });
    let status = cargo.status().map_err(|error| CommandError::File(PathBuf::from("cargo"), error))?;
    Ok(status.success())
}

/// Copies the crate, with all mutants in its sources.
fn write_copy(folder: &Path, target: &Path, tree: &Path, rows: &[Row]) -> Result<(), CommandError> {
    let mut by_file: BTreeMap<&str, Vec<(usize, &Row)>> = BTreeMap::new();
    for (number, row) in rows.iter().enumerate() {
        by_file.entry(&row.file).or_default().push((number, row));
    }
    let mut findings = Vec::new();
    for missing in by_file.keys().filter(|file| !folder.join(file).is_file()) {
        findings.push(format!("there is no file {missing}"));
    }
    let files = list_files(folder, target).map_err(|error| CommandError::File(folder.into(), error))?;
    remove_others(tree, &files).map_err(|error| CommandError::File(tree.into(), error))?;
    for file in files {
        let (from, to) = (folder.join(&file), tree.join(&file));
        let failed = |error| CommandError::File(from.clone(), error);
        let mut bytes = fs::read(&from).map_err(failed)?;
        let name = file.to_str().unwrap_or_default();
        if let Some(rows) = by_file.get(name) {
            match plant(&String::from_utf8_lossy(&bytes), rows, IS_CHOSEN) {
                Ok(text) => bytes = text.into_bytes(),
                Err(more) => findings.extend(more),
            }
        } else if name == MANIFEST {
            bytes = manifest(&String::from_utf8_lossy(&bytes), folder).into_bytes();
        }
        // Unchanged files keep their time, so that cargo builds only what changed.
        if !fs::read(&to).is_ok_and(|before| before == bytes) {
            let written = to.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&to, bytes));
            written.map_err(|error| CommandError::File(to, error))?;
        }
    }
    if findings.is_empty() { Ok(()) } else { Err(CommandError::Findings(findings)) }
}

/// Removes files of an earlier copy that the crate does not have any more: cargo would build them.
fn remove_others(tree: &Path, files: &[PathBuf]) -> io::Result<()> {
    if !tree.exists() {
        return Ok(());
    }
    let is_other = |file: &PathBuf| !files.contains(file) && file.extension().is_some_and(|ending| ending == "rs");
    list_files(tree, &tree.join("target"))?
        .iter()
        .filter(|file| is_other(file))
        .try_for_each(|file| fs::remove_file(tree.join(file)))
}

/// The files of a crate, relative to its folder: neither hidden ones nor what cargo has built.
fn list_files(folder: &Path, target: &Path) -> io::Result<Vec<PathBuf>> {
    let (mut files, mut folders) = (Vec::new(), vec![PathBuf::new()]);
    while let Some(inner) = folders.pop() {
        for entry in fs::read_dir(folder.join(&inner))? {
            let name = entry?.file_name();
            let path = inner.join(&name);
            let whole = folder.join(&path);
            let is_built = whole == target || inner.as_os_str().is_empty() && name == "target";
            if name.to_string_lossy().starts_with('.') || is_built {
                continue;
            }
            if whole.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    Ok(files)
}

/// The manifest of the copy: another name, so that its program replaces no other, and whole paths to other crates.
fn manifest(text: &str, folder: &Path) -> String {
    let mut written = String::new();
    let (mut section, mut is_renamed) = (String::new(), false);
    for line in text.lines() {
        if line.trim_start().starts_with('[') {
            section = line.trim().into();
        }
        let mut line = line.to_owned();
        let name = line.strip_prefix("name").map(str::trim_start).and_then(|rest| rest.strip_prefix('='));
        if section == "[package]"
            && !is_renamed
            && let Some(name) = name
        {
            line = format!("name = \"{}-mutants\"", name.trim().trim_matches('"'));
            is_renamed = true;
        }
        if let Some((before, rest)) = line.split_once("path = \"")
            && let Some((path, after)) = rest.split_once('"')
            && folder.join(path).join(MANIFEST).is_file()
        {
            line = format!("{before}path = \"{}\"{after}", folder.join(path).display());
        }
        written.push_str(&line);
        written.push('\n');
    }
    // Each planted expression has parentheses, needed or not.
    if !text.contains("[lints") {
        written.push_str("\n[lints.rust]\nunused_parens = \"allow\"\n");
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manifest_of_a_copy() {
        // This crate has a neighbour.
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let text = "[package]\nname = \"go\"\n\n[dependencies]\nholdfast = { path = \"../mutants\", default-features = false }\n\n[[bin]]\nname = \"go\"\npath = \"src/go.rs\"\n";
        let whole = folder.join("../mutants");
        let expected = text
            .replacen("name = \"go\"", "name = \"go-mutants\"", 1)
            .replace("\"../mutants\"", &format!("\"{}\"", whole.display()));
        assert_eq!(manifest(text, folder), format!("{expected}\n[lints.rust]\nunused_parens = \"allow\"\n"));
    }
}
