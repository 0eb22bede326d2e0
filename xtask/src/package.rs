//! Makes the packages: wheels for Python and packages for npm of the clients, a Debian package and a tarball of the program,
//! and a tarball with `systest`, all mutants and all scripts.

use std::{
    fs, io,
    path::Path,
    process::{Command, Stdio},
};

use crate::{
    failure::Failure,
    mutants::{self, Profile},
    project::Project,
    run,
    workspace::Workspace,
};

/// The scripts that make packages, each with its program and its arguments before the folder.
const SCRIPTS: &[(&str, &[&str])] =
    &[("python3", &["-B", "clients/python/build_wheels.py"]), ("node", &["clients/typescript/build.mjs", "--pack"])];

/// Makes all packages in `target/package`. Each script prints the names of its files.
pub(crate) fn make(project: &Project) -> Result<(), Failure> {
    Failure::unless_none(other_versions(project)?)?;
    let workspace = Workspace::read(project)?;
    let folder = workspace.target_directory.join("package");
    prepare(&folder).map_err(|cause| Failure::Unwritable { path: folder.clone(), cause })?;
    println!("in {}:", folder.display());
    for (program, arguments) in SCRIPTS {
        let mut script = Command::new(program);
        run::finish(script.args(*arguments).arg(&folder).current_dir(&project.root).stdin(Stdio::null()))?;
    }
    run::cargo(project, ["build", "--locked", "--release", "--package", "holdfast-app", "--bin", "holdfast"])?;
    let program = workspace.target_directory.join("release/holdfast");
    let systest = mutants::build(project, Profile::Release)?;
    let mut script = Command::new("packaging/build.sh");
    run::finish(script.arg(program).arg(&folder).arg(systest).current_dir(&project.root).stdin(Stdio::null()))
}

/// Makes the folder, and removes packages of earlier versions. `cargo package` may have put others there.
fn prepare(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for file in fs::read_dir(folder)? {
        let path = file?.path();
        if path.extension().is_some_and(|extension| ["whl", "tgz", "deb", "gz"].iter().any(|made| extension == *made)) {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}

/// The manifests of clients that have another version than the crates.
pub(crate) fn other_versions(project: &Project) -> Result<Vec<String>, Failure> {
    let version = version_in(&project.read("Cargo.toml")?).unwrap_or_default();
    let mut findings = Vec::new();
    for path in project.files()? {
        if path.ends_with("python/pyproject.toml") || path.ends_with("typescript/package.json") {
            let found = version_in(&project.read(&path)?);
            if found.as_ref() != Some(&version) {
                findings.push(format!("{} has version {found:?}, and the crates have {version}", path.display()));
            }
        }
    }
    Ok(findings)
}

/// The first version of a manifest in TOML or JSON.
fn version_in(manifest: &str) -> Option<String> {
    let line = manifest
        .lines()
        .map(str::trim_start)
        .find_map(|line| line.strip_prefix("version = \"").or_else(|| line.strip_prefix("\"version\": \"")))?;
    line.split('"').next().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::version_in;

    #[test]
    fn versions() {
        for (manifest, expected) in [
            ("[package]\nname = \"a\"\nversion = \"0.1.0\"\n", Some("0.1.0")),
            ("{\n  \"name\": \"a\",\n  \"version\": \"1.2.3\",\n}", Some("1.2.3")),
            ("rust-version = \"1.95\"", None),
            ("", None),
        ] {
            assert_eq!(version_in(manifest).as_deref(), expected, "{manifest}");
        }
    }
}
