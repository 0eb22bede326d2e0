//! Checks the dependencies: known crates, one version of each, with allowed licences.
//!
//! Licences and versions are checked for every crate that is built on this machine. `xtask/dependencies.txt` is the table of
//! direct dependencies, with a reason for each.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    failure::Failure,
    licence,
    project::Project,
    run,
    workspace::{Package, Workspace},
};

const TABLE: &str = "xtask/dependencies.txt";

/// The allowed licences. Each requires only that its notice is kept; BSD-3-Clause also forbids advertising with its authors'
/// names.
const LICENCES: &[&str] = &["Apache-2.0", "BSD-3-Clause", "ISC", "MIT", "MIT-0", "Unicode-3.0", "Zlib"];

/// The manifest of the fuzz targets, a workspace of its own.
const FUZZ: &str = "fuzz/Cargo.toml";

/// Crates that may be present in two versions, and why.
const TWICE: &[(&str, &str)] = &[
    (
        "cpufeatures",
        "asks the processor what it can and does nothing else: sha1 (of the handshake of a WebSocket) still uses 0.2, \
         blake3 uses 0.3; a blake3 without that is four releases back",
    ),
    ("fallible-iterator", "a trait of a hundred lines: tokio-postgres still uses 0.2, rusqlite uses 0.3"),
    ("getrandom", "asks the system for random bytes: ring (of rustls) still uses 0.2, we and all others use 0.3"),
    (
        "syn",
        "runs at build time only: strum_macros (of jsonschema) still uses 2, the other derive macros use 3; \
         a jsonschema without that is 14 minor releases back and brings the tables of Unicode domain names along",
    ),
];

/// All findings.
pub(crate) fn check(project: &Project) -> Result<Vec<String>, Failure> {
    let tree = run::read_cargo(
        project,
        ["tree", "--workspace", "--locked", "-e", "normal,build,dev", "--prefix", "none", "-f", "{p}|{l}"],
    )?;
    let built = read_tree(&tree)?;
    let table = project.read(TABLE)?;
    let table = read_table(&table)?;

    let mut findings = licences(&built, LICENCES);
    findings.extend(versions(&built, TWICE));
    findings.extend(direct(&Workspace::read(project)?.packages, &built, &table));
    // Nothing else in the usual run builds the fuzz targets, whose lock file follows the dependencies of our crates.
    if run::read_cargo(project, ["tree", "--locked", "--depth", "0", "--manifest-path", FUZZ]).is_err() {
        findings.push(format!("the lock file beside {} is out of date: `cargo update --workspace` there", FUZZ));
    }
    Ok(findings)
}

fn malformed(what: &str, problem: String) -> Failure {
    Failure::Surprise { what: what.into(), problem }
}

/// A crate that is built.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Built {
    name: String,
    version: String,
    licence: String,
}

/// Parses lines like `syn v3.0.9 (proc-macro)|MIT OR Apache-2.0 (*)`. The star marks a repeated crate.
fn read_tree(tree: &str) -> Result<BTreeSet<Built>, Failure> {
    let read = |line: &str| {
        let (package, licence) = line.split_once('|')?;
        let mut words = package.split_whitespace();
        let (name, version) = (words.next()?, words.next()?.strip_prefix('v')?);
        let licence = licence.strip_suffix("(*)").unwrap_or(licence).trim();
        Some(Built { name: name.into(), version: version.into(), licence: licence.into() })
    };
    let lines = tree.lines().filter(|line| !line.trim().is_empty());
    lines
        .map(|line| read(line).ok_or_else(|| malformed("cargo tree", format!("cannot read the line `{line}`"))))
        .collect()
}

fn licences(built: &BTreeSet<Built>, allowed: &[&str]) -> Vec<String> {
    let problem = |Built { name, version, licence }: &Built| {
        if licence.is_empty() {
            return Some(format!("{name} {version} names no licence"));
        }
        match licence::is_allowed(licence, allowed) {
            Ok(true) => None,
            Ok(false) => Some(format!("{name} {version} is under `{licence}`, which our list does not allow")),
            Err(malformed) => Some(format!("{name} {version} has the licence `{licence}`: {malformed}")),
        }
    };
    built.iter().filter_map(problem).collect()
}

fn versions(built: &BTreeSet<Built>, twice: &[(&str, &str)]) -> Vec<String> {
    let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for Built { name, version, .. } in built {
        versions.entry(name).or_default().insert(version);
    }
    let excused = |name: &str| twice.iter().any(|(excused, _)| *excused == name);

    let mut findings = Vec::new();
    for (name, versions) in &versions {
        if versions.len() > if excused(name) { 2 } else { 1 } {
            let versions: Vec<_> = versions.iter().copied().collect();
            findings.push(format!("{name} is built in several versions: {}", versions.join(", ")));
        }
    }
    for (name, _) in twice {
        if versions.get(name).is_none_or(|versions| versions.len() < 2) {
            findings.push(format!("{name} is excused for two versions and does not need it: take it off the list"));
        }
    }
    findings
}

/// A crate that workspace crates may depend on directly.
#[derive(Debug)]
struct Known<'a> {
    name: &'a str,
    users: Vec<&'a str>,
    licence: &'a str,
}

/// Parses rows of `crate | who may use it | licence | why`. A line that starts with `#` is a comment.
fn read_table(text: &str) -> Result<Vec<Known<'_>>, Failure> {
    let rows = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    rows.map(|row| match row.split('|').map(str::trim).collect::<Vec<_>>()[..] {
        [name, users, licence, why] if ![name, users, licence, why].contains(&"") => {
            Ok(Known { name, users: users.split(',').map(str::trim).collect(), licence })
        }
        _ => Err(malformed(TABLE, format!("`{row}` has not the form `crate | who may use it | licence | why`"))),
    })
    .collect()
}

fn direct(packages: &[Package], built: &BTreeSet<Built>, table: &[Known<'_>]) -> Vec<String> {
    let mut findings = BTreeSet::new();
    let mut used = BTreeSet::new();
    for package in packages {
        for dependency in package.dependencies.iter().filter(|dependency| dependency.path.is_none()) {
            let (user, name) = (&package.name, dependency.name.as_str());
            used.insert(name);
            match table.iter().find(|known| known.name == name) {
                None => findings.insert(format!("{user} uses {name}, which has no row in {TABLE}")),
                Some(known) if !known.users.contains(&package.role()) => {
                    findings.insert(format!("{user} uses {name}, which {TABLE} does not let it"))
                }
                Some(_) => false,
            };
        }
    }
    for known in table {
        let Known { name, licence, .. } = known;
        if !used.contains(name) {
            findings.insert(format!("{name} has a row in {TABLE} and no user"));
        }
        if table.iter().filter(|other| other.name == *name).count() > 1 {
            findings.insert(format!("{name} has several rows in {TABLE}"));
        }
        if let Some(built) = built.iter().find(|built| built.name == *name && built.licence != *licence) {
            findings.insert(format!("{name} is under `{}`, and {TABLE} says `{licence}`", built.licence));
        }
    }
    findings.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::{Package, direct, licences, read_table, read_tree, versions};

    #[test]
    fn reading_the_tree() {
        fn check(tree: &str, expected: &str) {
            let read = match read_tree(tree) {
                Ok(built) => built
                    .iter()
                    .map(|crate_| format!("{} {} {};", crate_.name, crate_.version, crate_.licence))
                    .collect(),
                Err(problem) => format!("refused: {problem}"),
            };
            assert_eq!(read, expected, "{tree:?}");
        }
        check("", "");
        check("a v1.0.0|MIT", "a 1.0.0 MIT;");
        check("a v1.0.0|MIT (*)", "a 1.0.0 MIT;");
        check("a v1.0.0|MIT\n\na v1.0.0|MIT (*)\n", "a 1.0.0 MIT;");
        check("a v1.0.0 (proc-macro)|(MIT OR B) AND C (*)", "a 1.0.0 (MIT OR B) AND C;");
        check("a v0.1.0 (/with space/a)|MIT", "a 0.1.0 MIT;");
        check("a v1.0.0|", "a 1.0.0 ;");
        check("a v1.0.0| (*)", "a 1.0.0 ;");
        check("a v1.0.0", "refused: cargo tree: cannot read the line `a v1.0.0`");
        check("a 1.0.0|MIT", "refused: cargo tree: cannot read the line `a 1.0.0|MIT`");
        check("a|MIT", "refused: cargo tree: cannot read the line `a|MIT`");
    }

    #[test]
    fn licences_of_what_is_built() {
        fn check(tree: &str, expected: &[&str]) {
            assert_eq!(licences(&read_tree(tree).expect("a tree"), &["MIT"]), expected, "{tree:?}");
        }
        check("a v1.0.0|MIT\nb v2.0.0|GPL-3.0/MIT", &[]);
        check("a v1.0.0|MIT\nb v2.0.0|GPL-3.0", &["b 2.0.0 is under `GPL-3.0`, which our list does not allow"]);
        check("a v1.0.0|", &["a 1.0.0 names no licence"]);
        check("a v1.0.0|MIT OR", &["a 1.0.0 has the licence `MIT OR`: the expression ends too early"]);
    }

    #[test]
    fn one_version_each() {
        fn check(tree: &str, twice: &[(&str, &str)], expected: &[&str]) {
            assert_eq!(versions(&read_tree(tree).expect("a tree"), twice), expected, "{tree:?} {twice:?}");
        }
        let excuse = [("a", "for a reason")];
        check("a v1.0.0|\nb v1.0.0|", &[], &[]);
        check("a v1.0.0|\na v1.0.1|", &[], &["a is built in several versions: 1.0.0, 1.0.1"]);
        check("a v1.0.0|\na v1.0.1|", &excuse, &[]);
        check("a v1.0.0|\na v2.0.0|\na v3.0.0|", &excuse, &["a is built in several versions: 1.0.0, 2.0.0, 3.0.0"]);
        check("a v1.0.0|", &excuse, &["a is excused for two versions and does not need it: take it off the list"]);
        check("b v1.0.0|", &excuse, &["a is excused for two versions and does not need it: take it off the list"]);
    }

    #[test]
    fn the_table_of_known_crates() {
        fn check(row: &str, readable: bool) {
            assert_eq!(read_table(row).is_ok(), readable, "{row:?}");
        }
        check("", true);
        check("# a | comment", true);
        check("serde | engine, games | MIT | it reads and writes", true);
        check("serde | engine | MIT", false);
        check("serde | engine | MIT |", false);
        check("serde | | MIT | why", false);
        check("serde | engine | MIT | why | not", false);
    }

    #[test]
    fn direct_dependencies() {
        fn check(packages: &[&str], table: &str, expected: &[&str]) {
            let packages: Vec<_> = packages.iter().map(|row| Package::from_row(row)).collect();
            let built = read_tree("serde v1.0.0|MIT\nrand v0.9.0|MIT OR Apache-2.0").expect("a tree");
            assert_eq!(direct(&packages, &built, &read_table(table).expect("a table")), expected, "{packages:?}");
        }
        let serde = "serde | engine, rules | MIT | why";
        let rand = "rand | clients | MIT | why";
        let no_row = ["clients uses rand, which has no row in xtask/dependencies.txt"];
        let not_let = ["clients uses serde, which xtask/dependencies.txt does not let it"];
        check(&["engine: serde with std", "games/colony/rules: engine, serde without std"], serde, &[]);
        check(&["engine: serde with std", "clients: engine, rand with default"], serde, &no_row);
        check(&["engine: serde with std", "clients: engine, rand with default for dev"], serde, &no_row);
        check(&["engine: serde with std", "clients: serde with std"], serde, &not_let);
        check(&["engine: serde with std", "clients: serde with std for build"], serde, &not_let);
        check(&["engine:"], serde, &["serde has a row in xtask/dependencies.txt and no user"]);
        check(
            &["clients: rand with default"],
            rand,
            &["rand is under `MIT OR Apache-2.0`, and xtask/dependencies.txt says `MIT`"],
        );
        check(
            &["engine: serde with std"],
            &format!("{serde}\n{serde}"),
            &["serde has several rows in xtask/dependencies.txt"],
        );
    }
}
