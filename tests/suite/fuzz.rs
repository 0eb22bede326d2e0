//! The fuzz targets without libFuzzer: the committed corpus, and every input that once failed.

use std::{
    fs,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
};

#[allow(unreachable_pub, reason = "the fuzz targets are another crate")]
#[path = "../../fuzz/src/lib.rs"]
mod targets;

use targets::TARGETS;

#[test]
fn corpus() {
    for (name, target) in TARGETS {
        let seeds = files(&folder("corpus").join(name));
        assert!(seeds.len() >= 10, "{name} has {} seeds", seeds.len());
        seeds.iter().for_each(|path| check(path, *target));
    }
}

#[test]
fn regressions() {
    for (name, target) in TARGETS {
        files(&folder("regressions").join(name)).iter().for_each(|path| check(path, *target));
    }
}

/// The seeds of accounts register and sign in, and those of TLS get beyond the first message: fuzzing begins behind these gates.
#[test]
fn seeds_come_far() {
    for (seed, parts) in [
        ("account", &["HTTP/1.1 201", "\"name\":\"Ana\"", "\"account\""][..]),
        ("token", &["HTTP/1.1 201", "\"token\":\"hfa_", "\"tokens\":[{"]),
        ("moderate", &["HTTP/1.1 404", "\"reports\":[]"]),
        ("socket-private", &["\"admission\":\"unlisted\"", "\"invitation\":\""]),
        ("wire-private", &["\"admission\":\"unlisted\"", "\"invitation\":\""]),
    ] {
        let input = fs::read(folder("corpus").join("http").join(seed)).expect("a seed");
        let answer = targets::http::answer(&input).expect("an answer");
        let answer = String::from_utf8_lossy(&answer);
        parts.iter().for_each(|part| assert!(answer.contains(part), "{seed}: {part} is missing in {answer}"));
    }
    if cfg!(feature = "tls") {
        for seed in ["tls-13", "tls-12"] {
            let input = fs::read(folder("corpus").join("http").join(seed)).expect("a seed");
            let answer = targets::http::answer(&input).expect("an answer");
            // A record with a handshake: the hello of the server.
            assert!(answer.starts_with(&[22, 3, 3]) && answer.get(5) == Some(&2), "{seed}: {answer:?}");
        }
    }
}

/// No input is too short for a target.
#[test]
fn short_inputs() {
    for (_, target) in TARGETS {
        (0..=5).for_each(|length| target(&[b'c'; 5][..length]));
    }
}

/// Every target of cargo-fuzz is tested here.
#[test]
fn the_table_has_every_target() {
    let stem = |path: &PathBuf| path.file_stem().and_then(|stem| stem.to_str()).map(str::to_owned);
    let targets: Vec<String> = files(&folder("fuzz_targets")).iter().filter_map(stem).collect();
    assert_eq!(targets, TARGETS.iter().map(|(name, _)| *name).collect::<Vec<_>>());
}

/// Runs a target, and names the file if it panics.
fn check(path: &Path, target: fn(&[u8])) {
    let input = fs::read(path).expect("a file that can be read");
    let ran = catch_unwind(AssertUnwindSafe(|| target(&input)));
    // The message of the panic itself is above.
    assert!(ran.is_ok(), "{} fails", path.display());
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz").join(name)
}

/// The files of a folder in order; none if there is no folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("a folder that can be read").path()).collect();
    files.sort();
    files
}
