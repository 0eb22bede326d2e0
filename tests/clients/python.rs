//! Runs the tests of clients/python and of the games' Python folders, as their developers do.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// The package that all games share.
pub(crate) const SHARED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/clients/python");

/// Checks the Python version that the package requires.
const AT_LEAST: &str = "import sys; sys.exit(sys.version_info < (3, 11))";

#[test]
fn the_python_client() {
    if is_there() {
        check(Path::new(SHARED));
    }
}

#[test]
fn the_packages_of_games() {
    if !is_there() {
        return;
    }
    let games = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("games")).expect("the folder of games");
    let folders = games.map(|game| game.expect("the folder can be read").path().join("python"));
    let folders: Vec<PathBuf> = folders.filter(|folder| folder.join("tests").is_dir()).collect();
    folders.iter().for_each(|folder| check(folder));
}

/// Runs all tests of a folder.
fn check(folder: &Path) {
    let tests = Command::new("python3")
        .args(["-m", "unittest", "discover", "-s", "tests", "-t", "."])
        .current_dir(folder)
        .env("HOLDFAST_BIN", env!("CARGO_BIN_EXE_holdfast"))
        // No bytecode is written into the source tree.
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .stdin(Stdio::null())
        .output()
        .expect("python3 can be called");
    let said = String::from_utf8_lossy(&tests.stderr);
    assert!(tests.status.success(), "{said}{}", String::from_utf8_lossy(&tests.stdout));
    // A run that finds no tests is a failure.
    assert!(!said.contains("Ran 0 tests"), "{said}");
}

/// Whether Python can be called; in a full test run it must be.
pub(crate) fn is_there() -> bool {
    let found = Command::new("python3")
        .args(["-c", AT_LEAST])
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    assert!(
        found || std::env::var_os("HOLDFAST_CI").is_none(),
        "no python3 of 3.11 or later here, and HOLDFAST_CI asks for it"
    );
    if !found {
        // Written past the captured output, so that a skipped test is visible.
        writeln!(std::io::stderr(), "skipped: no python3 of 3.11 or later here, the Python client was not tested")
            .expect("stderr is there");
    }
    found
}
