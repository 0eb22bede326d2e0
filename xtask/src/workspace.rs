//! The crates of the project, from `cargo metadata`.

use std::{collections::BTreeMap, path::PathBuf};

use serde::Deserialize;

use crate::{failure::Failure, project::Project, run};

/// The parts of the output of `cargo metadata` that are used here.
#[derive(Debug, Deserialize)]
pub(crate) struct Workspace {
    pub(crate) packages: Vec<Package>,
    pub(crate) target_directory: PathBuf,
    workspace_root: PathBuf,
}

/// A crate of the workspace.
#[derive(Debug, Deserialize)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) dependencies: Vec<Dependency>,
    pub(crate) features: BTreeMap<String, Vec<String>>,
    pub(crate) targets: Vec<Target>,
    pub(crate) manifest_path: PathBuf,
    pub(crate) description: Option<String>,
    pub(crate) license: Option<String>,
    /// The registries that the crate may go to; `None` for all of them.
    pub(crate) publish: Option<Vec<String>>,
    /// The directory of the crate, relative to the workspace.
    #[serde(skip)]
    pub(crate) directory: PathBuf,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    pub(crate) kind: Option<Kind>,
    pub(crate) uses_default_features: bool,
    pub(crate) features: Vec<String>,
    /// The path of a workspace crate; `None` for other crates.
    pub(crate) path: Option<PathBuf>,
}

/// The kind of a dependency; normal dependencies have none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    Build,
    Dev,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Target {
    pub(crate) name: String,
    pub(crate) kind: Vec<String>,
    pub(crate) src_path: PathBuf,
}

impl Workspace {
    /// Reads the crates of the workspace, without their dependencies.
    pub(crate) fn read(project: &Project) -> Result<Self, Failure> {
        let json = run::read_cargo(project, ["metadata", "--format-version", "1", "--no-deps", "--locked"])?;
        let mut workspace: Self = serde_json::from_str(&json)
            .map_err(|cause| Failure::Surprise { what: "cargo metadata".into(), problem: cause.to_string() })?;
        for package in &mut workspace.packages {
            let directory = package.manifest_path.parent().unwrap_or(&package.manifest_path);
            package.directory = directory.strip_prefix(&workspace.workspace_root).unwrap_or(directory).to_owned();
        }
        Ok(workspace)
    }
}

impl Package {
    /// The name of a crate in the rules about crates: `holdfast` for the program, `rules` for the rules of all games, `games`
    /// for the other crates of games, and the folder for every other crate.
    pub(crate) fn role(&self) -> &str {
        let mut parts = self.directory.iter().filter_map(|part| part.to_str());
        match (parts.next(), parts.next(), parts.next()) {
            (None, _, _) => "holdfast",
            (Some("games"), Some(_), Some("rules")) => "rules",
            (Some(first), _, _) => first,
        }
    }

    /// The game to which the crate belongs.
    pub(crate) fn game(&self) -> Option<&str> {
        self.directory.strip_prefix("games").ok()?.iter().next()?.to_str()
    }

    /// The name of the library in Rust code.
    pub(crate) fn library(&self) -> String {
        let library = self.targets.iter().find(|target| target.kind.iter().any(|kind| kind == "lib"));
        library.map_or_else(|| self.name.replace('-', "_"), |library| library.name.clone())
    }

    /// Whether the crate is never published.
    pub(crate) fn is_internal(&self) -> bool {
        self.publish.as_ref().is_some_and(Vec::is_empty)
    }

    /// Whether the crate is part of the pure core, which has no std and therefore no clock, no disk and no socket.
    pub(crate) fn is_pure(&self) -> bool {
        matches!(self.role(), "engine" | "rules" | "short")
    }
}

#[cfg(test)]
impl Package {
    /// Creates a crate from a row like `games/colony/rules: engine, serde without std, serde_json with std, rand for dev`. A
    /// dependency without `with`, `without` or `for` is a workspace crate. `with std` enables that feature, and `with default`
    /// enables the default features.
    pub(crate) fn from_row(row: &str) -> Self {
        let (directory, dependencies) = row.split_once(':').expect("a row has a colon");
        Self {
            name: directory.trim_start_matches("games/").replace('/', "-"),
            dependencies: dependencies
                .split(',')
                .filter(|word| !word.trim().is_empty())
                .map(Dependency::from_row)
                .collect(),
            features: BTreeMap::new(),
            targets: Vec::new(),
            manifest_path: PathBuf::from(directory).join("Cargo.toml"),
            description: None,
            license: None,
            publish: None,
            directory: if directory == "holdfast" { PathBuf::new() } else { directory.into() },
        }
    }
}

#[cfg(test)]
impl Dependency {
    fn from_row(row: &str) -> Self {
        let words: Vec<_> = row.split_whitespace().collect();
        let (name, says) = words.split_first().expect("a dependency has a name");
        Self {
            name: (*name).to_owned(),
            kind: match says {
                [.., "for", "dev"] => Some(Kind::Dev),
                [.., "for", "build"] => Some(Kind::Build),
                _ => None,
            },
            uses_default_features: says.starts_with(&["with", "default"]),
            features: if says.starts_with(&["with", "std"]) { vec!["std".into()] } else { Vec::new() },
            path: says.is_empty().then(|| (*name).into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Package;

    fn check(row: &str, role: &str, pure: bool) {
        let package = Package::from_row(row);
        assert_eq!((package.role(), package.is_pure()), (role, pure), "{row}");
    }

    #[test]
    fn roles() {
        check("engine:", "engine", true);
        check("short:", "short", true);
        check("games/colony/rules:", "rules", true);
        check("games/colony:", "games", false);
        check("gamesome:", "gamesome", false);
        check("script:", "script", false);
        check("holdfast:", "holdfast", false);
        check("xtask:", "xtask", false);
    }
}
