//! Checks that today's program goes on with the log of the last landed program, which was killed under load.
//!
//! The tests are `upgrade` of the test binary `survive`. They need the landed program, which is built here from the commit in
//! `xtask/landed.txt`, in a folder below cargo's target folder.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use crate::{failure::Failure, project::Project, run, workspace::Workspace};

/// The file with the commit.
const LANDED: &str = "xtask/landed.txt";

/// Builds the landed program and runs the tests. Returns the reason if they cannot run here.
pub(crate) fn check(project: &Project) -> Result<Option<&'static str>, Failure> {
    let text = project.read(LANDED)?;
    let Some(commit) = commit(&text) else {
        let problem = "it has one line with a whole commit id, and comments".into();
        return Err(Failure::Surprise { what: LANDED.into(), problem });
    };
    let mut known = git(project);
    known.args(["cat-file", "-e", &format!("{commit}^{{commit}}")]).stderr(Stdio::null());
    if !known.status().is_ok_and(|status| status.success()) {
        return Ok(Some("the commit of xtask/landed.txt is not in this clone (git fetch --unshallow)"));
    }
    let folder = Workspace::read(project)?.target_directory.join("landed");
    let program = build(project, &folder, commit)?;
    let tests = ["test", "--workspace", "--locked", "--test", "survive", "--", "--nocapture", "upgrade"];
    run::finish(run::command(project, tests).env("HOLDFAST_LANDED", program))?;
    Ok(None)
}

/// The commit id: the only line that is no comment.
fn commit(text: &str) -> Option<&str> {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let commit = lines.next().filter(|_| lines.next().is_none())?;
    (commit.len() == 40 && commit.bytes().all(|byte| byte.is_ascii_hexdigit())).then_some(commit)
}

/// Builds the program of a commit. Its files and cargo's output stay, so the next run builds nothing.
fn build(project: &Project, folder: &Path, commit: &str) -> Result<PathBuf, Failure> {
    let source = folder.join(commit);
    fs::create_dir_all(&source).map_err(|cause| Failure::Unwritable { path: source.clone(), cause })?;
    // An index of its own: the one of the project stays as it is. Files that are there are not written again.
    let index = folder.join(format!("{commit}.index"));
    run::finish(git(project).args(["read-tree", commit]).env("GIT_INDEX_FILE", &index))?;
    let prefix = format!("--prefix={}/", source.display());
    run::finish(git(project).args(["checkout-index", "--all", "--quiet", &prefix]).env("GIT_INDEX_FILE", &index))?;
    let tree = Project { root: source, long: false, whole: project.whole };
    let mut build = run::command(&tree, ["build", "--locked", "--package", "holdfast-app", "--bin", "holdfast"]);
    let target = folder.join("target");
    run::finish(build.env("CARGO_TARGET_DIR", &target))?;
    Ok(target.join("debug").join("holdfast"))
}

fn git(project: &Project) -> Command {
    let mut git = Command::new("git");
    git.current_dir(&project.root).stdin(Stdio::null());
    git
}

#[cfg(test)]
mod tests {
    use super::{LANDED, commit};

    #[test]
    fn commits() {
        let id = "0123456789abcdef0123456789abcdef01234567";
        assert_eq!(commit(&format!("# when\n\n{id}\n")), Some(id));
        assert_eq!(commit(&format!("{id}\n{id}\n")), None);
        assert_eq!(commit("# when\n"), None);
        assert_eq!(commit("eae52e5\n"), None);
        let path = format!("{}/../{LANDED}", env!("CARGO_MANIFEST_DIR"));
        assert!(commit(&std::fs::read_to_string(path).expect("a file")).is_some());
    }
}
