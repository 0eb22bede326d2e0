//! What tests need of the machine.

use std::{env, io::Write, process::Command};

/// Something that a test needs, and that a machine may lack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// The right to create network namespaces, and the program `ip`.
    NetworkNamespaces,
    /// The right to mount file systems, and the program `mount`.
    Mounts,
    /// A PostgreSQL server, and `setpriv` for a user who is root.
    Postgres,
    /// A program in the path.
    Program(&'static str),
}

/// Whether the machine has everything that a test needs. Otherwise says why the test is skipped. If `HOLDFAST_CI` is set, a
/// missing thing is a failure.
///
/// # Panics
///
/// `HOLDFAST_CI` is set, and something is missing.
pub fn has(needs: &[Need]) -> bool {
    let Some(missing) = needs.iter().find_map(|need| need.missing()) else {
        return true;
    };
    assert!(env::var_os("HOLDFAST_CI").is_none(), "{missing}, and HOLDFAST_CI asks for it");
    // Written past the captured output, so that a skipped test is visible.
    let _closed = writeln!(std::io::stderr(), "skipped: {missing}");
    false
}

impl Need {
    fn missing(self) -> Option<String> {
        match self {
            Self::NetworkNamespaces => {
                // Root in a container may lack the right, so this tries it.
                let name = format!("holdfast-need-{}", std::process::id());
                let does = |what| Command::new("ip").args(["netns", what, &name]).output();
                let can = does("add").is_ok_and(|added| added.status.success());
                let _removed = does("delete");
                (!can).then(|| "no network namespaces here".to_owned())
            }
            Self::Mounts => {
                let folder = env::temp_dir().join(format!("holdfast-need-{}", std::process::id()));
                let _there = std::fs::create_dir_all(&folder);
                let mounted = Command::new("mount").args(["-t", "tmpfs", "tmpfs"]).arg(&folder).output();
                let can = mounted.is_ok_and(|mounted| mounted.status.success());
                let _unmounted = Command::new("umount").arg(&folder).output();
                let _removed = std::fs::remove_dir(&folder);
                (!can).then(|| "no right to mount file systems here".to_owned())
            }
            Self::Postgres => match crate::programs::postgres_folder() {
                Some(_) => Self::Program("setpriv").missing(),
                None => Some("no PostgreSQL here".to_owned()),
            },
            Self::Program(program) => {
                let path = env::var_os("PATH").unwrap_or_default();
                let is_missing = !env::split_paths(&path).any(|folder| folder.join(program).is_file());
                is_missing.then(|| format!("no {program} here"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs() {
        assert_eq!(Need::Program("sh").missing(), None);
        assert_eq!(Need::Program("no-such-program").missing().as_deref(), Some("no no-such-program here"));
        assert!(has(&[]) && has(&[Need::Program("sh")]));
    }
}
