//! Stamps the commit into the program, for `holdfast --version`. A tree without git, such as a package, has none.

use std::{env, path::Path, process::Command};

fn main() {
    tell("rerun-if-changed=build.rs");
    // What names the commit; in a packaged crate there is none of it.
    for file in [".git/HEAD", ".git/index", ".git/logs/HEAD"] {
        if Path::new(file).exists() {
            tell(&format!("rerun-if-changed={file}"));
        }
    }
    let version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let stamp = commit().map_or_else(|| version.clone(), |commit| format!("{version} ({commit})"));
    tell(&format!("rustc-env=HOLDFAST_VERSION={stamp}"));
}

/// The commit of this folder, and whether files differ from it.
fn commit() -> Option<String> {
    if !Path::new(".git").exists() {
        return None;
    }
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
        Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let commit = git(&["rev-parse", "--short=12", "HEAD"]).filter(|commit| !commit.is_empty())?;
    let changed = git(&["status", "--porcelain", "--untracked-files=no"]).is_some_and(|files| !files.is_empty());
    Some(if changed { format!("{commit}, changed") } else { commit })
}

/// Says something to cargo, which listens to what a build script prints.
fn tell(instruction: &str) {
    println!("cargo::{instruction}");
}
