//! Checks that every game can be removed: its folder, its lines in the program's manifest, and the code behind its feature.
//!
//! For each game in turn, a copy of the tree loses that game and nothing else. The copy gets a new description of the protocol
//! and must pass its tests. Golden files are not written, because those of other games must not change.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{
    failure::Failure,
    project::{Project, remove_folder},
    run,
    workspace::Workspace,
};

/// The manifests outside of the games' folders that list games.
const MANIFESTS: &[&str] = &["Cargo.toml", "fuzz/Cargo.toml", "simulation/Cargo.toml"];

/// Removes each game from a copy, and tests the copy.
pub(crate) fn check(project: &Project) -> Result<(), Failure> {
    let folder = Workspace::read(project)?.target_directory.join("removal");
    // Every copy uses the same two folders, so that cargo reuses earlier builds.
    let copy = Project { root: folder.join("tree"), long: false, whole: project.whole };
    remove_folder(&copy.root)?;
    for game in project.games()? {
        println!("-- without {game}");
        remove_folder(&copy.root.join("games").join(&game))?;
        copy_without(project, &copy, &game)?;
        let cargo = |arguments: &[&str]| {
            let mut command = run::command(&copy, arguments.iter().copied());
            // These programs are only run once, so the builds are small and not incremental.
            command.env("CARGO_INCREMENTAL", "0").env("CARGO_PROFILE_DEV_DEBUG", "none");
            run::finish(command.env("CARGO_TARGET_DIR", folder.join("target")))
        };
        // The lock file drops crates that only this game used.
        cargo(&["update", "--workspace", "--offline"])?;
        cargo(&["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"])?;
        cargo(&["xtask", "protocol"])?;
        cargo(&["xtask", "commands"])?;
        cargo(&["xtask", "test", "tests"])?;
    }
    Ok(())
}

/// The files of the project, including new ones, without build output.
fn tracked(project: &Project) -> Result<Vec<PathBuf>, Failure> {
    let mut git = Command::new("git");
    git.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]).current_dir(&project.root);
    let output = git.output().map_err(|cause| Failure::NotStarted { command: "git ls-files".into(), cause })?;
    if !output.status.success() {
        return Err(Failure::Command { command: "git ls-files".into(), status: output.status });
    }
    let listed = String::from_utf8_lossy(&output.stdout);
    let listed = listed.split('\0').filter(|path| !path.is_empty()).map(PathBuf::from);
    // The list includes files that are deleted but not yet committed.
    Ok(listed.filter(|path| project.root.join(path).is_file()).collect())
}

/// Copies the tree without a game. Unchanged files are not written again, because cargo would build them again.
pub(crate) fn copy_without(project: &Project, copy: &Project, game: &str) -> Result<(), Failure> {
    let folder = Path::new("games").join(game);
    if !project.root.join(&folder).is_dir() {
        let problem = format!("games: {}", project.games()?.join(", "));
        return Err(Failure::Surprise { what: format!("there is no game `{game}`"), problem });
    }
    for path in tracked(project)?.into_iter().filter(|path| !path.starts_with(&folder)) {
        let from = project.root.join(&path);
        let bytes = fs::read(&from).map_err(|cause| Failure::Unreadable { path: from.clone(), cause })?;
        let bytes = match std::str::from_utf8(&bytes) {
            Ok(text) if MANIFESTS.iter().any(|manifest| path == Path::new(manifest)) => {
                manifest_without(text, game).into_bytes()
            }
            Ok(text) if path.extension().is_some_and(|extension| extension == "rs") => {
                source_without(text, game).into_bytes()
            }
            Ok(_) | Err(_) => bytes,
        };
        let to = copy.root.join(&path);
        if !fs::read(&to).is_ok_and(|there| there == bytes) {
            let permissions = fs::metadata(&from).map(|from| from.permissions());
            let written = to.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&to, bytes));
            let written = written.and_then(|()| fs::set_permissions(&to, permissions?));
            written.map_err(|cause| Failure::Unwritable { path: to, cause })?;
        }
    }
    Ok(())
}

/// Removes the lines whose key names the game, and removes the game from lists.
fn manifest_without(text: &str, game: &str) -> String {
    let is_its_key = |line: &str| {
        let key = line.split(['=', '.', ' ']).next().unwrap_or_default();
        key == game || key.strip_prefix(game).is_some_and(|rest| rest == "-rules")
    };
    let mut kept = String::new();
    for line in text.lines().filter(|line| !is_its_key(line)) {
        match line.split_once(" = [").and_then(|(key, list)| Some((key, list.strip_suffix(']')?))) {
            Some((key, list)) => {
                let words = list.split(", ").filter(|word| !names(word.trim_matches('"'), game));
                kept += &format!("{key} = [{}]\n", words.collect::<Vec<_>>().join(", "));
            }
            None => kept += &format!("{line}\n"),
        }
    }
    kept
}

/// Whether a word of a list names a game: `chess`, `dep:chess`, `chess/x`, `chess?/x`, `games/chess/x`.
fn names(word: &str, game: &str) -> bool {
    let word = word.strip_prefix("dep:").or_else(|| word.strip_prefix("games/")).unwrap_or(word);
    word.split(['/', '?']).next() == Some(game)
}

/// Removes the items and rows behind the game's feature, and the modules in its folder. Each ends with the first line after its
/// attribute that ends in a semicolon or a comma.
fn source_without(text: &str, game: &str) -> String {
    let (feature, folder) = (format!("feature = \"{game}\""), format!("games/{game}/"));
    let mut kept = String::new();
    let mut removing = false;
    for line in text.lines() {
        let code = line.trim();
        removing |= code.starts_with("#[cfg(") && code.contains(&feature);
        removing |= code.starts_with("#[path = ") && code.contains(&folder);
        if !removing {
            kept += line;
            kept.push('\n');
        }
        removing &= !code.ends_with([';', ',']);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::{manifest_without, source_without};

    #[test]
    fn manifests() {
        fn check(text: &str, expected: &str) {
            assert_eq!(manifest_without(text, "chess"), expected, "{text:?}");
        }
        check("chess = { workspace = true, optional = true }\n", "");
        check("chess-rules.workspace = true\n", "");
        check("chess.workspace = true\n", "");
        check("chess = [\"dep:chess\"]\n", "");
        check("chessboard.workspace = true\n", "chessboard.workspace = true\n");
        check("go = { path = \"games/go\" }\n", "go = { path = \"games/go\" }\n");
        check("games = [\"chess\", \"go\"]\n", "games = [\"go\"]\n");
        check("games = [\"go\", \"chess\"]\n", "games = [\"go\"]\n");
        check("fast = [\"chess?/fast\"]\n", "fast = []\n");
        check("exclude = [\"games/chess/bench\"]\n", "exclude = []\n");
        check("members = [\"games/*\", \"xml\"]\n", "members = [\"games/*\", \"xml\"]\n");
        check("# chess is a game\n\n[package]\n", "# chess is a game\n\n[package]\n");
    }

    #[test]
    fn sources() {
        fn check(text: &str, expected: &str) {
            assert_eq!(source_without(text, "chess"), expected, "{text:?}");
        }
        let module = "#[cfg(feature = \"chess\")]\n#[path = \"../games/chess/tests/mod.rs\"]\nmod chess;\n";
        check(module, "");
        check(&format!("mod a;\n{module}mod b;\n"), "mod a;\nmod b;\n");
        check("#[path = \"../games/chess/tests/mod.rs\"]\nmod chess;\nmod b;\n", "mod b;\n");
        check("&[\n    #[cfg(feature = \"chess\")]\n    &chess::Chess,\n    &b,\n]\n", "&[\n    &b,\n]\n");
        check("#[cfg(all(feature = \"chess\", feature = \"x\"))]\nmod chess;\n", "");
        let other = "#[cfg(feature = \"go\")]\nmod go;\n// feature = \"chess\"\n";
        check(other, other);
    }
}
