//! The packages of clients/typescript and of the games, compiled as npm would install them.

use std::{
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::OnceLock,
};

const PROJECT: &str = env!("CARGO_MANIFEST_DIR");

/// The folder with the compiled packages and starters, if there are Node and a compiler.
pub(crate) fn built() -> Option<&'static Path> {
    static BUILT: OnceLock<Option<PathBuf>> = OnceLock::new();
    let build = || {
        if !(is_there("node") && is_there("tsc")) {
            return None;
        }
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("typescript-{}", env!("CARGO_CRATE_NAME")));
        run(Command::new("node").arg(Path::new(PROJECT).join("clients/typescript/build.mjs")).arg(&folder));
        Some(folder)
    };
    BUILT.get_or_init(build).as_deref()
}

/// Runs a program, which must succeed.
pub(crate) fn run(program: &mut Command) {
    let output = program.stdin(Stdio::null()).output().expect("the program starts");
    let [said, complained] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    assert!(output.status.success(), "{said}{complained}");
}

/// Whether a program can be called; in a full test run it must be.
pub(crate) fn is_there(program: &str) -> bool {
    let found = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok();
    assert!(found || std::env::var_os("HOLDFAST_CI").is_none(), "no {program} here, and HOLDFAST_CI asks for it");
    if !found {
        // Written past the captured output, so that a skipped test is visible.
        writeln!(std::io::stderr(), "skipped: no {program} here, the TypeScript client was not tested")
            .expect("stderr is there");
    }
    found
}
