//! Which crates may depend on which, the purity of the core, and rules for all manifests and sources.
//!
//! The rules are data: [`CRATES`], [`PURE_USES`], [`NEVER_WRITTEN`]. [`crate::no_std`] proves that the core links without std;
//! here the same mistake is found at its cause, in a manifest.

use std::path::{Path, PathBuf};

use crate::{
    failure::Failure,
    project::Project,
    workspace::{Dependency, Kind, Package, Workspace},
};

/// Every crate and the workspace crates that it may depend on, for itself, its build script or its tests. `rules` are the pure
/// rules of all games, and `games` are their other crates. A game never depends on another game.
const CRATES: &[(&str, &[&str])] = &[
    ("engine", &[]),
    ("commlib", &[]),
    ("rules", &["engine"]),
    ("short", &["engine"]),
    ("script", &["engine"]),
    ("resources", &[]),
    ("xml", &[]),
    ("testkit", &[]),
    ("clients", &["commlib", "engine"]),
    ("server", &["commlib", "engine", "resources", "testkit"]),
    ("cli", &["commlib", "engine", "script", "resources", "clients", "server"]),
    ("mutants", &[]),
    ("runner", &["commlib", "engine", "mutants", "script", "resources", "clients", "server", "cli"]),
    ("games", &["commlib", "engine", "rules", "script", "resources", "xml", "clients", "server", "cli", "testkit"]),
    (
        "systemtests",
        &[
            "commlib",
            "engine",
            "rules",
            "script",
            "resources",
            "xml",
            "clients",
            "server",
            "cli",
            "runner",
            "games",
            "holdfast",
        ],
    ),
    ("simulation", &["commlib", "engine", "rules", "server", "cli", "games"]),
    (
        "holdfast",
        &[
            "commlib",
            "engine",
            "rules",
            "script",
            "resources",
            "xml",
            "clients",
            "server",
            "cli",
            "mutants",
            "runner",
            "short",
            "games",
            "systemtests",
            "testkit",
        ],
    ),
    ("xtask", &["mutants"]),
];

/// The external crates that a pure crate may use, all of them without std. Its tests may use more.
const PURE_USES: &[&str] = &["blake3", "postcard", "serde", "serde_json"];

/// Texts that no source file may contain, and why. Each is written in two parts, so that this file has no finding.
const NEVER_WRITTEN: &[(&str, &str)] = &[
    (concat!("todo", "!"), "it is finished or it is not there"),
    (concat!("unimplemented", "!"), "it is finished or it is not there"),
    (concat!("#[", "ignore"), "a test that does not run is no test; long ones ask for HOLDFAST_LONG"),
];

/// The project uses the installed compiler, which must be at least the `rust-version` of the workspace, so it has none of these
/// files.
const TOOLCHAIN_FILES: &[&str] = &["rust-toolchain", "rust-toolchain.toml"];

/// All findings.
pub(crate) fn check(project: &Project) -> Result<Vec<String>, Failure> {
    let packages = Workspace::read(project)?.packages;
    let files = project.files()?;

    let mut findings = edges(&packages);
    findings.extend(packages.iter().flat_map(pure_uses));
    findings.extend(toolchains(&files));
    for package in &packages {
        let path = package.directory.join("Cargo.toml");
        findings.extend(manifest(&path, &project.read(&path)?));
    }
    for package in packages.iter().filter(|package| package.is_pure()) {
        match package.targets.iter().find(|target| target.kind.iter().any(|kind| kind == "lib")) {
            Some(library) => findings.extend(declares_no_std(&package.name, &project.read(&library.src_path)?)),
            None => findings.push(format!("{} is pure and has no library", package.name)),
        }
    }
    for path in files.iter().filter(|path| path.extension().is_some_and(|extension| extension == "rs")) {
        findings.extend(source(path, &project.read(path)?));
    }
    Ok(findings)
}

/// Dependencies between workspace crates that [`CRATES`] does not allow.
fn edges(packages: &[Package]) -> Vec<String> {
    let mut findings = Vec::new();
    for package in packages {
        let Some((_, may_know)) = CRATES.iter().find(|(role, _)| *role == package.role()) else {
            findings.push(format!("{} has no place in the table of crates", package.name));
            continue;
        };
        for dependency in package.dependencies.iter().filter(|dependency| dependency.path.is_some()) {
            let known = packages.iter().find(|other| other.name == dependency.name);
            let is_another_game =
                |other: &Package| package.game().is_some() && other.game().is_some() && package.game() != other.game();
            if !known.is_some_and(|other| may_know.contains(&other.role()) && !is_another_game(other)) {
                findings.push(format!("{} knows {}, which it must not", package.name, dependency.name));
            } else if known.is_some_and(|other| other.role() == "testkit") && dependency.kind != Some(Kind::Dev) {
                findings.push(format!("{} knows {} outside of its tests", package.name, dependency.name));
            }
        }
    }
    findings
}

/// The forbidden dependencies of a pure crate. Dependencies of its tests are not linked into the library, so they are allowed.
fn pure_uses(package: &Package) -> Vec<String> {
    if !package.is_pure() {
        return Vec::new();
    }
    let name = &package.name;
    let uses = |dependency: &&Dependency| dependency.path.is_none() && dependency.kind != Some(Kind::Dev);

    let mut findings = Vec::new();
    for dependency in package.dependencies.iter().filter(uses) {
        let used = &dependency.name;
        if !PURE_USES.contains(&used.as_str()) {
            findings.push(format!("{name} is pure and uses {used}"));
        }
        if dependency.uses_default_features {
            findings.push(format!("{name} is pure and uses {used} with default features, which have std"));
        }
        if dependency.features.iter().any(|feature| feature == "std") {
            findings.push(format!("{name} is pure and uses {used} with std"));
        }
    }
    for (feature, switches) in &package.features {
        if switches.iter().any(|switched| switched.ends_with("/std")) {
            findings.push(format!("{name} is pure, and its feature {feature} switches std on"));
        }
    }
    findings
}

fn declares_no_std(name: &str, library: &str) -> Option<String> {
    let declared = library.lines().any(|line| line.trim() == "#![no_std]");
    (!declared).then(|| format!("{name} is pure and does not declare #![no_std]"))
}

fn toolchains(files: &[PathBuf]) -> Vec<String> {
    let names_one = |path: &&PathBuf| TOOLCHAIN_FILES.iter().any(|name| path.ends_with(name));
    files.iter().filter(names_one).map(|path| format!("{} pins a toolchain", path.display())).collect()
}

/// Checks a manifest: lints and versions come from the workspace, and each dependency is one line.
fn manifest(path: &Path, text: &str) -> Vec<String> {
    let path = path.display();
    let mut findings = Vec::new();
    let (mut section, mut has_lints) = ("", false);
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(header) = line.strip_prefix('[') {
            section = header.trim_end_matches(']');
            if let Some((table, name)) = section.rsplit_once('.')
                && is_dependency_section(table)
            {
                findings.push(format!("{path}: {name} has a table of its own; a dependency is one line"));
            }
        } else if section == "lints" {
            has_lints |= line == "workspace = true";
        } else if section == "package" {
            let key = line.split(['=', ' ']).next().unwrap_or(line);
            if ["version", "edition", "rust-version", "license"].contains(&key) {
                findings.push(format!("{path}: {key} does not come from the workspace"));
            }
        } else if is_dependency_section(section) && !line.contains("workspace = true") && !line.contains("path = ") {
            findings.push(format!("{path}: `{line}` does not take its version from the workspace"));
        }
    }
    if !has_lints {
        findings.push(format!("{path}: the lints are not the workspace's"));
    }
    findings
}

/// Whether a section is `dependencies`, `dev-dependencies` or `build-dependencies`, also for a single target. The workspace's
/// own table does not count, because it has the versions.
fn is_dependency_section(section: &str) -> bool {
    let last = section.rsplit('.').next().unwrap_or(section);
    ["dependencies", "dev-dependencies", "build-dependencies"].contains(&last) && section != "workspace.dependencies"
}

fn source(path: &Path, text: &str) -> Vec<String> {
    let mut findings = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        for (word, why) in NEVER_WRITTEN {
            if line.contains(word) {
                findings.push(format!("{}:{number} has {word}: {why}", path.display()));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::{
        CRATES, NEVER_WRITTEN, Package, Path, declares_no_std, edges, manifest, pure_uses, source, toolchains,
    };

    #[test]
    fn who_knows_whom() {
        /// Checks the crate of this row beside all other crates, which have no dependencies here.
        fn check(row: &str, expected: &[&str]) {
            let others = CRATES.iter().map(|(role, _)| *role).filter(|role| !["games", "rules"].contains(role));
            let others = others.chain(["games/colony", "games/colony/rules", "games/project", "games/project/rules"]);
            let mut packages = vec![Package::from_row(row)];
            for directory in others {
                let package = Package::from_row(&format!("{directory}:"));
                if package.name != packages[0].name {
                    packages.push(package);
                }
            }
            assert_eq!(edges(&packages), expected, "{row}");
        }
        check("engine:", &[]);
        check("engine: serde without std", &[]);
        check("engine: colony-rules", &["engine knows colony-rules, which it must not"]);
        check("games/colony/rules: engine", &[]);
        check("games/colony/rules: engine, project-rules", &["colony-rules knows project-rules, which it must not"]);
        check("games/colony/rules: script", &["colony-rules knows script, which it must not"]);
        check("games/colony/rules: colony", &["colony-rules knows colony, which it must not"]);
        check("games/colony: engine, colony-rules, commlib, server, clients, cli, script, xml, resources", &[]);
        check("games/colony: project", &["colony knows project, which it must not"]);
        check("games/colony: project-rules", &["colony knows project-rules, which it must not"]);
        check("games/colony: holdfast", &["colony knows holdfast, which it must not"]);
        check("short: engine", &[]);
        check("short: server", &["short knows server, which it must not"]);
        check("games/colony: short", &["colony knows short, which it must not"]);
        check("script: engine", &[]);
        check("script: clients", &["script knows clients, which it must not"]);
        check("script: colony", &["script knows colony, which it must not"]);
        check("resources: script", &["resources knows script, which it must not"]);
        check("resources: colony-rules", &["resources knows colony-rules, which it must not"]);
        check("commlib: engine", &["commlib knows engine, which it must not"]);
        check("clients: commlib, engine", &[]);
        check("clients: server", &["clients knows server, which it must not"]);
        check("clients: colony", &["clients knows colony, which it must not"]);
        check("server: commlib, engine, resources", &[]);
        check("server: testkit", &["server knows testkit outside of its tests"]);
        check("server: script", &["server knows script, which it must not"]);
        check("server: clients", &["server knows clients, which it must not"]);
        check("server: colony", &["server knows colony, which it must not"]);
        check("cli: server, clients", &[]);
        check("cli: colony", &["cli knows colony, which it must not"]);
        check("systemtests: commlib, engine, colony, script, resources, clients, server, holdfast", &[]);
        check("simulation: commlib, engine, colony, colony-rules, server, cli", &[]);
        check("simulation: holdfast", &["simulation knows holdfast, which it must not"]);
        check("holdfast: commlib, engine, colony, project, script, resources, clients, server, systemtests", &[]);
        check("holdfast: xtask", &["holdfast knows xtask, which it must not"]);
        check("xtask: engine", &["xtask knows engine, which it must not"]);
        check("toolbox:", &["toolbox has no place in the table of crates"]);
        check("server: toolbox", &["server knows toolbox, which it must not"]);
    }

    #[test]
    fn what_a_pure_crate_uses() {
        fn check(row: &str, expected: &[&str]) {
            assert_eq!(pure_uses(&Package::from_row(row)), expected, "{row}");
        }
        check("engine: blake3 without std, postcard without std, serde without std, serde_json without std", &[]);
        check("engine: rand without std", &["engine is pure and uses rand"]);
        check("engine: rand without std for build", &["engine is pure and uses rand"]);
        check("engine: rand with default for dev", &[]);
        check("engine: serde with std", &["engine is pure and uses serde with std"]);
        check("engine: serde with std for dev", &[]);
        check("games/colony/rules: engine, serde without std", &[]);
        let default = "colony-rules is pure and uses serde with default features, which have std";
        check("games/colony/rules: engine, serde with default", &[default]);
        check("games/colony: engine, serde with default", &[]);
        check("script: rand with default, serde with std", &[]);
    }

    #[test]
    fn features_of_a_pure_crate() {
        fn check(row: &str, switches: &str, expected: &[&str]) {
            let mut package = Package::from_row(row);
            package.features.insert("loud".into(), vec![switches.into()]);
            assert_eq!(pure_uses(&package), expected, "{row} {switches}");
        }
        check("engine:", "serde/rc", &[]);
        check("engine:", "serde/std", &["engine is pure, and its feature loud switches std on"]);
        check("engine:", "serde?/std", &["engine is pure, and its feature loud switches std on"]);
        check("script:", "serde/std", &[]);
    }

    #[test]
    fn declaring_no_std() {
        fn check(library: &str, declared: bool) {
            let finding = declares_no_std("engine", library);
            let expected = (!declared).then_some("engine is pure and does not declare #![no_std]");
            assert_eq!(finding.as_deref(), expected, "{library:?}");
        }
        check("//! The kernel.\n#![no_std]\n", true);
        check("//! The kernel.\n", false);
        check("// #![no_std]\n", false);
        check("#![cfg_attr(not(test), no_std)]\n", false);
    }

    #[test]
    fn toolchain_files() {
        fn check(path: &str, expected: &[&str]) {
            assert_eq!(toolchains(&[path.into()]), expected);
        }
        check("Cargo.toml", &[]);
        check("docs/rust-toolchain.md", &[]);
        check("rust-toolchain", &["rust-toolchain pins a toolchain"]);
        check("rust-toolchain.toml", &["rust-toolchain.toml pins a toolchain"]);
        check("engine/rust-toolchain.toml", &["engine/rust-toolchain.toml pins a toolchain"]);
    }

    #[test]
    fn manifests() {
        fn check(text: &str, expected: &[&str]) {
            assert_eq!(manifest(Path::new("M"), text), expected, "{text:?}");
        }
        /// Checks a manifest that begins with the lints of every manifest.
        fn check_rest(text: &str, expected: &[&str]) {
            check(&format!("[lints]\nworkspace = true\n\n{text}"), expected);
        }
        let no_lints = "M: the lints are not the workspace's";
        check("[lints]\nworkspace = true", &[]);
        check("[lints]\nworkspace = false", &[no_lints]);
        check("[lints]\n# workspace = true", &[no_lints]);
        check("[lints.rust]\nworkspace = true", &[no_lints]);
        check("", &[no_lints]);

        check_rest("[package]\nname = \"a\"\nversion.workspace = true", &[]);
        check_rest("[package]\nversion = \"1.0.0\"", &["M: version does not come from the workspace"]);
        check_rest("[package]\nedition=\"2024\"", &["M: edition does not come from the workspace"]);
        check_rest("[workspace.package]\nversion = \"1.0.0\"", &[]);

        let own_version = ["M: `serde = \"1\"` does not take its version from the workspace"];
        check_rest("[dependencies]\nserde.workspace = true\nengine = { path = \"../engine\" }", &[]);
        check_rest("[dependencies]\nserde = { workspace = true, features = [\"std\"] }", &[]);
        check_rest("[dependencies]\nserde = \"1\"", &own_version);
        check_rest("[dev-dependencies]\nserde = \"1\"", &own_version);
        check_rest("[build-dependencies]\nserde = \"1\"", &own_version);
        check_rest("[target.'cfg(unix)'.dependencies]\nserde = \"1\"", &own_version);
        check_rest("[workspace.dependencies]\nserde = \"1\"", &[]);
        check_rest("[features]\nserde = []", &[]);
        let table = "M: serde has a table of its own; a dependency is one line";
        check_rest("[dependencies.serde]\nworkspace = true", &[table]);
        check_rest("[target.'cfg(unix)'.dependencies.serde]\nversion = \"1\"", &[table]);
    }

    #[test]
    fn what_is_never_written() {
        for (word, why) in NEVER_WRITTEN {
            let found = source(Path::new("a.rs"), &format!("fn a() {{\n    {word}\n}}"));
            assert_eq!(found, [format!("a.rs:2 has {word}: {why}")]);
        }
        assert_eq!(source(Path::new("a.rs"), "fn todo() -> bool { ignore(unimplemented) }"), [""; 0]);
    }
}
