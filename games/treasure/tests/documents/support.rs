//! Validates our documents with xmllint.

use std::{
    io::Write,
    path::PathBuf,
    process::{Command, Stdio},
};

/// Panics if a document does not fit a schema of the folder `schemas`.
pub(crate) fn validate(schema: &str, document: &str) {
    let complaint = complaint(schema, document);
    assert!(complaint.is_empty(), "{complaint}\n{document}");
}

/// The errors that xmllint prints for a document. Empty if it is valid.
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
