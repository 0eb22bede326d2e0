//! Errors of chores.

use std::{fmt, io, path::PathBuf, process::ExitStatus};

/// Why a chore failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A command could not be started.
    NotStarted { command: String, cause: io::Error },
    /// A command failed. Its output has the reason.
    Command { command: String, status: ExitStatus },
    /// A file or directory could not be read.
    Unreadable { path: PathBuf, cause: io::Error },
    /// A file could not be written.
    Unwritable { path: PathBuf, cause: io::Error },
    /// A file or an output does not have the expected form.
    Surprise { what: String, problem: String },
    /// The findings of a check, as sentences.
    Findings(Vec<String>),
    /// A part of the tests failed; the reason has been printed.
    Part { name: &'static str },
}

impl Failure {
    /// Succeeds if there are no findings.
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
