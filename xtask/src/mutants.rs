//! Mutants: faulty variants of the rules, and a copy of the workspace that can play with each of them.
//!
//! A game's mutants are rows of `games/NAME/mutants.txt`, so the rules themselves do not mention them. [`run()`] copies the
//! workspace, puts every wrong expression beside the right one (the crate `mutants`), and builds `systest` from the copy once. A
//! number that each thread chooses decides which of the two is evaluated (`engine::mutants`).
//!
//! `simulation/mutants.txt` has the mutants of the host. [`simulate()`] builds the simulation with them.

mod copy;
mod page;

use std::path::{Path, PathBuf};

use crate::{failure::Failure, project::Project, run, workspace::Workspace};

use ::mutants::{Row, plant};

/// The mutants of the host.
const OF_HOST: &str = "simulation/mutants.txt";

/// The function that chooses a mutant.
const IS_CHOSEN: &str = "::engine::mutants::is_chosen";

/// The mutants of one game, or of the host.
struct Table {
    game: String,
    /// The folder to which the files of the rows are relative.
    folder: PathBuf,
    rows: Vec<Row>,
}

/// The word that asks for the program alone.
const BUILD: &str = "--build";

/// How the program with all mutants is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Profile {
    Dev,
    Release,
}

/// Builds `systest` with all mutants, and returns its path.
pub(crate) fn build(project: &Project, profile: Profile) -> Result<PathBuf, Failure> {
    let target = Workspace::read(project)?.target_directory.join("mutants");
    let tree = target.join("tree");
    copy::write(project, &tables(project)?, &tree)?;
    let (manifest, target) = (tree.join("Cargo.toml"), target.join("target"));
    let (option, folder) = match profile {
        Profile::Dev => (None, "debug"),
        Profile::Release => (Some("--release"), "release"),
    };
    let program = target.join(folder).join("systest");
    let (manifest, target) = (manifest.to_string_lossy(), target.to_string_lossy());
    let words = ["build", "--locked", "--manifest-path", &manifest, "--target-dir", &target];
    let systest = ["-p", "holdfast-systemtests", "--features", "mutants", "--bin", "systest"];
    run::cargo(project, words.into_iter().chain(systest).chain(option))?;
    Ok(program)
}

/// Builds the copy and passes these words to its `systest mutants`. With `--build`, it only builds the program.
pub(crate) fn run(project: &Project, words: &[String]) -> Result<(), Failure> {
    if words == [BUILD] {
        let program = build(project, Profile::Dev)?;
        println!("{} has all mutants: `systest serve-mutant --list`, `systest mutants SCRIPTS`", program.display());
        return Ok(());
    }
    let target = Workspace::read(project)?.target_directory.join("mutants");
    let tree = target.join("tree");
    copy::write(project, &tables(project)?, &tree)?;
    let (manifest, target) = (tree.join("Cargo.toml"), target.join("target"));
    let (manifest, target) = (manifest.to_string_lossy(), target.to_string_lossy());
    let build = ["run", "--quiet", "--locked", "--manifest-path", &manifest, "--target-dir", &target];
    let systest = ["-p", "holdfast-systemtests", "--features", "mutants", "--bin", "systest", "--", "mutants"];
    run::cargo(project, build.into_iter().chain(systest).chain(words.iter().map(String::as_str)))
}

/// Builds a copy with the mutants of the host, and lets its simulation find every one.
pub(crate) fn simulate(project: &Project) -> Result<(), Failure> {
    let target = Workspace::read(project)?.target_directory.join("host-mutants");
    let tree = target.join("tree");
    copy::write(project, &[table_of_host(project)?], &tree)?;
    let (manifest, target) = (tree.join("Cargo.toml"), target.join("target"));
    let (manifest, target) = (manifest.to_string_lossy(), target.to_string_lossy());
    let build = ["run", "--quiet", "--locked", "--manifest-path", &manifest, "--target-dir", &target];
    let simulation =
        ["-p", "holdfast-simulation", "--profile", "simulation", "--features", "mutants", "--", "--mutants"];
    run::cargo(project, build.into_iter().chain(simulation))
}

/// Runs the tests that need the copy: the tests of the matrix, and all scripts against all mutants.
pub(crate) fn test(project: &Project) -> Result<(), Failure> {
    for table in tables(project)? {
        run(project, &["--rulebook".to_owned(), table.game])?;
    }
    let target = Workspace::read(project)?.target_directory.join("mutants");
    let (manifest, target) = (target.join("tree/Cargo.toml"), target.join("target"));
    let (manifest, target) = (manifest.to_string_lossy(), target.to_string_lossy());
    let test = ["test", "--quiet", "--locked", "--manifest-path", &manifest, "--target-dir", &target];
    let suite = ["-p", "holdfast-systemtests", "-p", "holdfast-engine", "--features", "mutants", "mutants"];
    run::cargo(project, test.into_iter().chain(suite))
}

/// All problems of the tables and of the page that lists them.
pub(crate) fn check(project: &Project) -> Result<Vec<String>, Failure> {
    let (tables, of_host) = (tables(project)?, table_of_host(project)?);
    let mut findings = Vec::new();
    for table in tables.iter().chain([&of_host]) {
        for file in table.files() {
            let text = project.read(&file)?;
            findings.extend(plant(&text, &table.rows_of(&file), IS_CHOSEN).err().into_iter().flatten());
        }
    }
    if page::with_tables(&project.read(page::PATH)?, &tables).as_deref() != Some(&project.read(page::PATH)?) {
        findings.push(format!("{} does not list the mutants as they are; `cargo xtask bless` writes it", page::PATH));
    }
    Ok(findings)
}

/// Writes the page that lists the mutants.
pub(crate) fn bless(project: &Project) -> Result<(), Failure> {
    let before = project.read(page::PATH)?;
    let path = project.root.join(page::PATH);
    let page = page::with_tables(&before, &tables(project)?).ok_or_else(|| Failure::Surprise {
        what: page::PATH.into(),
        problem: "it has no place for the tables of mutants".into(),
    })?;
    copy::write_changed(&path, page.as_bytes()).map_err(|cause| Failure::Unwritable { path, cause })
}

/// The mutants of every game that has some.
fn tables(project: &Project) -> Result<Vec<Table>, Failure> {
    let mut tables = Vec::new();
    for path in project.files()? {
        let words: Vec<&str> = path.iter().filter_map(|word| word.to_str()).collect();
        let ["games", game, "mutants.txt"] = words[..] else { continue };
        let (game, folder) = (game.to_owned(), Path::new("games").join(game));
        tables.push(Table { game, folder, rows: rows(project, &path)? });
    }
    Ok(tables)
}

fn table_of_host(project: &Project) -> Result<Table, Failure> {
    Ok(Table { game: "host".into(), folder: PathBuf::new(), rows: rows(project, Path::new(OF_HOST))? })
}

fn rows(project: &Project, path: &Path) -> Result<Vec<Row>, Failure> {
    ::mutants::read(&project.read(path)?).map_err(|error| Failure::Surprise {
        what: format!("{}:{}", path.display(), error.line),
        problem: error.cause.to_string(),
    })
}

impl Table {
    /// The files that have mutants, relative to the root of the project.
    fn files(&self) -> Vec<PathBuf> {
        let mut files: Vec<PathBuf> = self.rows.iter().map(|row| self.path(row)).collect();
        files.sort();
        files.dedup();
        files
    }

    /// The mutants of a file with their numbers.
    fn rows_of(&self, file: &Path) -> Vec<(usize, &Row)> {
        self.rows.iter().enumerate().filter(|(_, row)| self.path(row) == file).collect()
    }

    fn path(&self, row: &Row) -> PathBuf {
        self.folder.join(&row.file)
    }
}
