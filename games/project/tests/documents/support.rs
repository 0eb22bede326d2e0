//! Checks documents with xmllint.

use std::{
    io::Write,
    path::PathBuf,
    process::{Command, Stdio},
};

use rand::{Rng as _, SeedableRng as _, rngs::StdRng};

/// Panics unless a document matches a schema of `schemas`.
pub(crate) fn validate(schema: &str, document: &str) {
    let complaint = complaint(schema, document);
    assert!(complaint.is_empty(), "{complaint}\n{document}");
}

/// The error message of xmllint; empty if the document is valid.
pub(crate) fn complaint(schema: &str, document: &str) -> String {
    let schema = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("schemas").join(schema);
    let mut child = Command::new("xmllint")
        .args(["--noout", "--nonet", "--schema"])
        .arg(schema)
        .arg("-")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("xmllint is there: Debian's package is libxml2-utils");
    child.stdin.take().expect("its input").write_all(document.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    if output.status.success() { String::new() } else { String::from_utf8_lossy(&output.stderr).into_owned() }
}

/// Random numbers that are the same in every run.
#[derive(Debug)]
pub(crate) struct Numbers(StdRng);

impl Numbers {
    pub(crate) fn new(seed: u64) -> Self {
        Self(StdRng::seed_from_u64(seed))
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0.random_range(0..bound)
    }
}
