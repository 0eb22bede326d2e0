//! The sources of a crate: when they change, and what cargo builds from them.

use std::{
    fs,
    hash::{DefaultHasher, Hash, Hasher},
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

use serde_json::Value;

/// How often the sources are looked at. A crate of a game has a handful of files, so a look costs less than a millisecond, and the
/// standard library has no way to be told of changes.
const EVERY: Duration = Duration::from_millis(500);
/// The deepest folder.
const DEEPEST: usize = 16;

/// Calls `changed` from a thread of its own when sources have changed and then stood still. Ends when it returns false.
pub(super) fn watch(folder: &Path, more: &[PathBuf], mut changed: impl FnMut() -> bool + Send + 'static) {
    let mut roots: Vec<PathBuf> = ["Cargo.toml", "build.rs", "src"].map(|name| folder.join(name)).into();
    roots.extend(more.iter().cloned());
    let mut known = fingerprint(&roots);
    thread::spawn(move || {
        let mut is_dirty = false;
        loop {
            thread::sleep(EVERY);
            let now = fingerprint(&roots);
            if now != known {
                (known, is_dirty) = (now, true);
            } else if std::mem::take(&mut is_dirty) && !changed() {
                return;
            }
        }
    });
}

/// A number that differs when a file is added, removed or written.
fn fingerprint(roots: &[PathBuf]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for root in roots {
        add(root, 0, &mut hasher);
    }
    hasher.finish()
}

fn add(path: &Path, depth: usize, hasher: &mut DefaultHasher) {
    let Ok(about) = fs::metadata(path) else { return };
    if about.is_file() {
        path.hash(hasher);
        about.len().hash(hasher);
        about.modified().ok().hash(hasher);
        return;
    }
    let Ok(entries) = fs::read_dir(path) else { return };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    for path in paths.iter().filter(|path| depth < DEEPEST && !is_ignored(path)) {
        add(path, depth + 1, hasher);
    }
}

/// Hidden files, those of editors, and what cargo builds.
fn is_ignored(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    name.starts_with('.') || name.ends_with('~') || name == "target"
}

/// The program that a line of cargo's JSON names.
pub(super) fn built_program(line: &str) -> Option<PathBuf> {
    let message: Value = serde_json::from_str(line).ok()?;
    let is_program = message["reason"] == "compiler-artifact" && message["profile"]["test"] == false;
    message["executable"].as_str().filter(|_| is_program).map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_of_cargo() {
        let check =
            |line: &str, expected: Option<&str>| assert_eq!(built_program(line), expected.map(PathBuf::from), "{line}");
        check(
            r#"{"reason":"compiler-artifact","profile":{"test":false},"executable":"/t/debug/go"}"#,
            Some("/t/debug/go"),
        );
        check(r#"{"reason":"compiler-artifact","profile":{"test":true},"executable":"/t/debug/go"}"#, None);
        check(r#"{"reason":"compiler-artifact","profile":{"test":false},"executable":null}"#, None);
        check(r#"{"reason":"build-finished","success":true}"#, None);
        check("no JSON", None);
    }

    #[test]
    fn changes_of_sources() {
        let folder = std::env::temp_dir().join(format!("holdfast-dev-{}", std::process::id()));
        fs::create_dir_all(folder.join("src/.git")).expect("a folder");
        let roots = [folder.join("src")];
        let mut last = fingerprint(&roots);
        let mut check = |what: &str, differs: bool| {
            let now = fingerprint(&roots);
            assert_eq!(now != last, differs, "{what}");
            last = now;
        };
        fs::write(folder.join("src/main.rs"), "a").expect("written");
        check("a new file", true);
        check("nothing", false);
        fs::write(folder.join("src/main.rs"), "ab").expect("written");
        check("a longer file", true);
        fs::write(folder.join("src/.git/x"), "a").expect("written");
        fs::write(folder.join("src/main.rs~"), "a").expect("written");
        check("hidden files", false);
        fs::remove_file(folder.join("src/main.rs")).expect("removed");
        check("a removed file", true);
        fs::remove_dir_all(&folder).expect("removed");
    }
}
