//! What can go wrong in a chore.

use std::{fmt, io, path::PathBuf, process::ExitStatus};

/// Why a chore failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A command could not be started at all.
    NotStarted { command: String, cause: io::Error },
    /// A command failed; what it printed says why.
    Command { command: String, status: ExitStatus },
    /// A file or directory could not be read.
    Unreadable { path: PathBuf, cause: io::Error },
    /// A file could not be written.
    Unwritable { path: PathBuf, cause: io::Error },
    /// Something is not in the form that it has to be in.
    Surprise { what: String, problem: String },
    /// Findings of a check, in words for a person.
    Findings(Vec<String>),
    /// A part of the tests failed; the reason has been printed.
    Part { name: &'static str },
}

impl Failure {
    /// Nothing found is success.
    pub(crate) fn unless_none(findings: Vec<String>) -> Result<(), Self> {
        if findings.is_empty() { Ok(()) } else { Err(Self::Findings(findings)) }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotStarted { command, cause } => write!(f, "`{command}` could not be started: {cause}"),
            Self::Command { command, status } => write!(f, "`{command}` failed: {status}"),
            Self::Unreadable { path, cause } => write!(f, "{} cannot be read: {cause}", path.display()),
            Self::Unwritable { path, cause } => write!(f, "{} cannot be written: {cause}", path.display()),
            Self::Surprise { what, problem } => write!(f, "{what}: {problem}"),
            Self::Findings(findings) => write!(f, "- {}", findings.join("\n- ")),
            Self::Part { name } => write!(f, "{name} failed; to run it alone: cargo xtask test {name}"),
        }
    }
}
