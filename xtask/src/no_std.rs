//! Proves that the pure crates need no standard library, by building a static library that links them all. Its source is
//! `xtask/no_std/lib.rs`; the list of crates and their versions comes from the workspace.

use std::{fs, path::Path};

use crate::{
    failure::Failure,
    project::Project,
    run,
    workspace::{Package, Workspace},
};

/// The parts of the library besides the crates: a panic handler and an allocator.
pub(crate) const SOURCE: &str = "xtask/no_std/lib.rs";

/// The manifest of a separate workspace. In the project's workspace, cargo would unify the features of all crates and enable
/// std.
const MANIFEST: &str = r#"[package]
name = "no_std"
version = "0.1.0"
edition = "2024"

[workspace]

[lib]
path = "lib.rs"
crate-type = ["staticlib"]
test = false
doctest = false

# Nothing unwinds without the standard library.
[profile.dev]
panic = "abort"
debug = false

[lints.rust]
warnings = "deny"

[dependencies]
"#;

/// Writes the library into cargo's target directory and builds it.
pub(crate) fn check(project: &Project) -> Result<(), Failure> {
    let workspace = Workspace::read(project)?;
    let pure: Vec<&Package> = workspace.packages.iter().filter(|package| package.is_pure()).collect();
    let folder = workspace.target_directory.join("no_std");
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::create_dir_all(&folder)
            .and_then(|()| fs::write(&path, text))
            .map_err(|cause| Failure::Unwritable { path, cause })
    };
    write("Cargo.toml", &manifest(&pure, &project.root))?;
    write("lib.rs", &source(&pure, &project.read(SOURCE)?))?;
    // Cargo keeps these versions and drops the crates that it does not need.
    write("Cargo.lock", &project.read("Cargo.lock")?)?;

    // A separate target directory, because the same crates are built with other features and another panic strategy.
    let (manifest, target) = (folder.join("Cargo.toml"), folder.join("target"));
    run::cargo(
        project,
        ["build", "--manifest-path", &manifest.to_string_lossy(), "--target-dir", &target.to_string_lossy()],
    )
}

/// The manifest. Each dependency has the crate's own name.
fn manifest(pure: &[&Package], root: &Path) -> String {
    let line = |package: &&Package| format!("{} = {{ path = {:?} }}\n", package.name, root.join(&package.directory));
    MANIFEST.to_owned() + &pure.iter().map(line).collect::<String>()
}

/// The source. `pub extern crate` links a crate even if nothing uses it.
fn source(pure: &[&Package], rest: &str) -> String {
    let line = |package: &&Package| format!("pub extern crate {};\n", package.library());
    rest.replacen("#![no_std]\n", &format!("#![no_std]\n\n{}", pure.iter().map(line).collect::<String>()), 1)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Package, manifest, source};

    #[test]
    fn every_pure_crate_is_linked() {
        let packages = ["engine:", "games/colony/rules: engine", "script: engine"].map(Package::from_row);
        let pure: Vec<&Package> = packages.iter().filter(|package| package.is_pure()).collect();
        let manifest = manifest(&pure, Path::new("/home"));
        assert!(manifest.ends_with(
            "\n[dependencies]\nengine = { path = \"/home/engine\" }\ncolony-rules = { path = \"/home/games/colony/rules\" }\n"
        ));
        let expected = "#![no_std]\n\npub extern crate engine;\npub extern crate colony_rules;\n\nfn rest() {}\n";
        assert_eq!(source(&pure, "#![no_std]\n\nfn rest() {}\n"), expected);
    }
}
