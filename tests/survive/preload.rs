//! Libraries in C that a host is started with (`LD_PRELOAD`).

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use crate::process::Scratch;

/// Compiles `tests/survive/NAME.c`.
pub(crate) fn build(name: &str, scratch: &Scratch) -> PathBuf {
    let library = scratch.path(&format!("{name}.so"));
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/survive").join(name).with_extension("c");
    let built = Command::new("cc")
        .args(["-O1", "-Wall", "-Werror", "-U_FORTIFY_SOURCE", "-shared", "-fPIC", "-o"])
        .arg(&library)
        .arg(source)
        .arg("-ldl")
        .status();
    assert!(built.expect("cc can be called").success());
    library
}
