//! The location of the project, and its files.

use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
};

use crate::failure::Failure;

/// The location of the project, and how it is tested.
#[derive(Debug)]
pub(crate) struct Project {
    pub(crate) root: PathBuf,
    /// Whether the long tests run too.
    pub(crate) long: bool,
    /// Whether a test fails if this machine lacks a program that it needs.
    pub(crate) whole: bool,
}

impl Project {
    pub(crate) fn find(long: bool) -> Result<Self, Failure> {
        let here = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
        match here.as_deref().and_then(Path::parent) {
            Some(root) => Ok(Self { root: root.to_owned(), long, whole: std::env::var_os("HOLDFAST_CI").is_some() }),
            None => Err(Failure::Surprise {
                what: "CARGO_MANIFEST_DIR is not set".into(),
                problem: "start the chores with `cargo xtask`".into(),
            }),
        }
    }

    /// The text of a file. The path is absolute, or relative to the project's directory.
    pub(crate) fn read(&self, path: impl AsRef<Path>) -> Result<String, Failure> {
        let path = self.root.join(path);
        fs::read_to_string(&path).map_err(|cause| Failure::Unreadable { path, cause })
    }

    /// The names of the games, which are the names of their folders.
    pub(crate) fn games(&self) -> Result<Vec<String>, Failure> {
        let game = |path: &PathBuf| {
            let words: Vec<&str> = path.iter().filter_map(|word| word.to_str()).collect();
            if let ["games", game, "Cargo.toml"] = words[..] { Some(game.to_owned()) } else { None }
        };
        let games: BTreeSet<String> = self.files()?.iter().filter_map(game).collect();
        Ok(games.into_iter().collect())
    }

    /// For each game that has a folder of this name: the game and the folder.
    pub(crate) fn folders_of_games(&self, name: &str) -> Result<Vec<(String, String)>, Failure> {
        let folders = self.games()?.into_iter().map(|game| (format!("games/{game}/{name}"), game));
        let there = folders.filter(|(folder, _)| self.root.join(folder).is_dir());
        Ok(there.map(|(folder, game)| (game, folder)).collect())
    }

    /// The games whose rules have a benchmark in a separate workspace, each with its manifest.
    pub(crate) fn benches(&self) -> Result<Vec<(String, String)>, Failure> {
        let game = |path: &PathBuf| {
            let words: Vec<&str> = path.iter().filter_map(|word| word.to_str()).collect();
            match words[..] {
                ["games", game, "bench", "Cargo.toml"] => Some((game.to_owned(), words.join("/"))),
                _ => None,
            }
        };
        Ok(self.files()?.iter().filter_map(game).collect())
    }

    /// All files, relative to the project's directory, without hidden files and cargo's output.
    pub(crate) fn files(&self) -> Result<Vec<PathBuf>, Failure> {
        let (mut files, mut directories) = (Vec::new(), vec![PathBuf::new()]);
        while let Some(directory) = directories.pop() {
            let path = self.root.join(&directory);
            let unreadable = |cause| Failure::Unreadable { path: path.clone(), cause };
            for entry in fs::read_dir(&path).map_err(unreadable)? {
                let entry = entry.map_err(unreadable)?;
                let name = entry.file_name();
                let file = directory.join(&name);
                if name.to_string_lossy().starts_with('.') || name == "target" || name == "node_modules" {
                    continue;
                }
                if entry.file_type().map_err(unreadable)?.is_dir() {
                    directories.push(file);
                } else {
                    files.push(file);
                }
            }
        }
        files.sort();
        Ok(files)
    }
}

/// Deletes a folder of a chore, if it exists.
pub(crate) fn remove_folder(folder: &Path) -> Result<(), Failure> {
    match fs::remove_dir_all(folder) {
        Err(cause) if cause.kind() != io::ErrorKind::NotFound => {
            Err(Failure::Unreadable { path: folder.into(), cause })
        }
        Ok(()) | Err(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::{Path, Project};

    #[test]
    fn games_with_a_benchmark() {
        let project = Project { root: Path::new(env!("CARGO_MANIFEST_DIR")).join(".."), long: false, whole: false };
        let benches = project.benches().expect("a folder that can be read");
        for (game, manifest) in benches {
            assert!(project.read(&manifest).is_ok_and(|text| text.contains("\n[workspace]\n")), "{game}: {manifest}");
        }
    }
}
