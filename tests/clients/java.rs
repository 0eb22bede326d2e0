use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::OnceLock,
};

const PROJECT: &str = env!("CARGO_MANIFEST_DIR");

/// Runs the tests of the Java client and of the games: see clients/java/tests/Tests.java.
#[test]
fn java() {
    let Some(classes) = built() else { return };
    let mut tests = Command::new("java");
    tests.arg("-cp").arg(&classes.0).args(["Tests", PROJECT]).env("HOLDFAST_BIN", env!("CARGO_BIN_EXE_holdfast"));
    let said = run(&mut tests);
    // Written past the captured output, so that the figures are visible.
    writeln!(std::io::stderr(), "{said}").expect("stderr is there");
}

/// The compiled client and classes of games, if there is a JDK. They are compiled once for all tests.
pub(crate) fn built() -> Option<&'static Classes> {
    static BUILT: OnceLock<Option<Classes>> = OnceLock::new();
    BUILT.get_or_init(compile).as_ref()
}

fn compile() -> Option<Classes> {
    if !(is_there("javac") && is_there("java")) {
        return None;
    }
    let classes = Classes::new();
    let games = fs::read_dir(Path::new(PROJECT).join("games")).expect("the folder of games");
    let games = games.map(|game| game.expect("the folder can be read").path().join("java"));
    let folders = games.filter(|folder| folder.is_dir()).chain([Path::new(PROJECT).join("clients/java")]);
    let sources: Vec<PathBuf> = folders.flat_map(|folder| sources(&folder)).collect();
    assert!(sources.iter().any(|path| path.ends_with("tests/Tests.java")), "{sources:?}");
    // The lint `try` warns about every resource whose close may wait, such as a process.
    run(Command::new("javac").args(["-Xlint:all", "-Xlint:-try", "-Werror", "-d"]).arg(&classes.0).args(sources));
    Some(classes)
}

/// Runs a program, which must succeed. Returns its output.
fn run(program: &mut Command) -> String {
    let output = program.stdin(Stdio::null()).output().expect("the program starts");
    let [said, complained] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    assert!(output.status.success(), "{said}{complained}");
    said
}

/// All Java files in a folder and its subfolders, except build output.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("the folder can be read").path();
        if path.is_dir() && !path.ends_with("out") {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "java") {
            found.push(path);
        }
    }
    found
}

/// Whether a program can be called; in a full test run it must be.
fn is_there(program: &str) -> bool {
    let found = Command::new(program).arg("-version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok();
    assert!(found || std::env::var_os("HOLDFAST_CI").is_none(), "no {program} here, and HOLDFAST_CI asks for it");
    if !found {
        // Written past the captured output, so that a skipped test is visible.
        writeln!(std::io::stderr(), "skipped: no {program} here, the Java client was not tested")
            .expect("stderr is there");
    }
    found
}

/// A folder with compiled classes.
pub(crate) struct Classes(PathBuf);

impl Classes {
    fn new() -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("java");
        // Classes of an earlier run may have no sources any more.
        let _may_be_missing = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder can be made");
        Self(path)
    }

    pub(crate) fn path(&self) -> String {
        self.0.display().to_string()
    }
}
