//! Runs the tests of clients/typescript and of the games' TypeScript folders.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::built_typescript::{built, run};

const PROJECT: &str = env!("CARGO_MANIFEST_DIR");

const WEBSOCKET: &str = "--experimental-websocket";

#[test]
fn typescript() {
    let Some(built) = built() else { return };
    let mut folders = vec![Path::new(PROJECT).join("clients/typescript/tests")];
    for game in fs::read_dir(Path::new(PROJECT).join("games")).expect("the folder of games") {
        folders.push(game.expect("the folder can be read").path().join("typescript/tests"));
    }
    let tests: Vec<PathBuf> = folders.iter().flat_map(|folder| tests_of(folder)).collect();
    assert!(tests.len() > 3, "{tests:?}");
    let mut node = Command::new("node");
    // Node 20 has a WebSocket only with this flag. Without a WebSocket, one test is skipped.
    let is_known = Command::new("node").args([WEBSOCKET, "--version"]).output().is_ok_and(|it| it.status.success());
    node.args(is_known.then_some(WEBSOCKET)).arg("--test").args(tests).env("HOLDFAST_TYPESCRIPT", built);
    run(node.env("HOLDFAST_BIN", env!("CARGO_BIN_EXE_holdfast")));
}

/// The files with tests in a folder, if it is there.
fn tests_of(folder: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(folder).into_iter().flatten().map(|file| file.expect("the folder can be read").path());
    let is_test = |path: &PathBuf| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("test_"))
            && path.extension().is_some_and(|extension| extension == "mjs")
    };
    files.filter(is_test).collect()
}
