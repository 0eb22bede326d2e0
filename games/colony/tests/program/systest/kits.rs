//! Tests in Python and Java: the same verdicts as scripts, in process and against servers.

use std::process::Command;

use serde_json::Value;

use super::{
    folder::Folder,
    foreign::{is_there, java_classes, project},
};

const SYSTEST: &str = env!("CARGO_BIN_EXE_systest");
const FAULTY: &str = env!("CARGO_BIN_EXE_faulty-server");

/// Runs the example of a kit. Returns the exit code and the verdicts, by the names of the tests.
fn run(file: &str, environment: &[(&str, &str)], arguments: &[&str]) -> (Option<i32>, Vec<(String, String, String)>) {
    let python =
        ["clients/python/src", "games/colony/python/src"].map(|path| project().join(path).display().to_string());
    let output = Command::new(SYSTEST)
        .arg("run")
        .arg(project().join(file))
        .args(["--json", "-", "--patience", "120"])
        .args(arguments)
        .env("PYTHONPATH", python.join(":"))
        .envs(environment.iter().copied())
        .output()
        .expect("it starts");
    let text = String::from_utf8_lossy(&output.stdout);
    let report: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    let word = |row: &Value, key: &str| row[key].as_str().unwrap_or_default().to_owned();
    let rows = report.as_array().expect("a list").iter();
    let mut verdicts: Vec<_> =
        rows.map(|row| (word(row, "name"), word(row, "verdict"), word(row, "message"))).collect();
    verdicts.sort();
    (output.status.code(), verdicts)
}

/// The targets, and how many tests of `all` pass on each.
fn check(file: &str, environment: &[(&str, &str)], all: usize) {
    let ours = format!(
        "{SYSTEST} serve-mutant none --port {{port}} --config {{config}} --seed {{seed}} --timeout {{timeout}} --edition {{edition}}"
    );
    for arguments in [&[][..], &["--server", &ours]] {
        let (code, verdicts) = run(file, environment, arguments);
        let passed = verdicts.iter().filter(|(_, verdict, _)| verdict == "OK").count();
        assert_eq!((code, passed, verdicts.len()), (Some(0), all, all), "{verdicts:?}");
    }
    // A server that refuses everything fails all tests but the first, and says where.
    let (code, verdicts) = run(file, environment, &["--server", &format!("{FAULTY} none {{port}} {{edition}}")]);
    assert_eq!(code, Some(1));
    for (name, verdict, message) in &verdicts {
        let is_right = if name.to_lowercase().contains("stranger") {
            verdict == "OK"
        } else {
            let words = "received something else\n  expected: Config";
            verdict == "FAIL" && message.contains(words) && message.contains("came:     CommandFailed \"No.\"")
        };
        assert!(is_right && (verdict == "OK" || message.contains(file)), "{name} {verdict} {message}");
    }
    let (code, verdicts) = run(file, environment, &["--server", &format!("{FAULTY} crashes {{port}} {{edition}}")]);
    assert_eq!((code, verdicts.len()), (Some(1), all));
    for (name, verdict, message) in verdicts {
        assert!(verdict == "SERVER_FAIL" && message.contains("crashed in the middle of the game"), "{name} {message}");
    }
    let (_, verdicts) = run(file, environment, &["--filter", "tranger"]);
    assert_eq!(verdicts.len(), 1, "{verdicts:?}");
}

#[test]
fn the_kit_in_python() {
    if is_there("python3", "--version") {
        check("games/colony/python/examples/test_registration.py", &[], 4);
        // The same without pytest: a module of this name that cannot be imported hides it.
        let folder = Folder::new();
        folder.write("pytest.py", "raise ImportError\n");
        let path = |path: &str| project().join(path).display().to_string();
        let hidden =
            [folder.path("").display().to_string(), path("clients/python/src"), path("games/colony/python/src")];
        let environment = [("PYTHONPATH", hidden.join(":"))];
        let environment = environment.each_ref().map(|(name, value)| (*name, value.as_str()));
        let server = format!("{FAULTY} none {{port}} {{edition}}");
        let (code, verdicts) =
            run("games/colony/python/examples/test_registration.py", &environment, &["--server", &server]);
        let passed = verdicts.iter().filter(|(_, verdict, _)| verdict == "OK").count();
        assert_eq!((code, passed, verdicts.len()), (Some(1), 1, 4), "{verdicts:?}");
    }
}

#[test]
fn the_kit_in_java() {
    if is_there("javac", "-version") && is_there("java", "-version") {
        let folder = Folder::new();
        let classes = java_classes(&folder);
        check("games/colony/java/examples/RegistrationTest.java", &[("CLASSPATH", &classes)], 3);
    }
}

/// A test program that cannot be run is a failure that says what is missing; programs and scripts are counted together.
#[test]
fn programs_beside_scripts() {
    if !is_there("python3", "--version") {
        return;
    }
    let folder = Folder::new();
    folder.write(
        "early.script",
        "scenario: first-night\nseed: 1\nplayers: Ana\n\nAna: StartGame\n  Ana: CommandFailed\n",
    );
    folder.write("test_other.py", "raise SystemExit('this is no test of a server')\n");
    let run = |name: &str| {
        let output =
            Command::new(SYSTEST).arg("run").arg(folder.path(name)).env("PYTHONPATH", "").output().expect("it starts");
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    assert_eq!(run(""), (Some(0), "1 passed, 0 failed\n".into()), "other Python files in a folder are left alone");
    let (code, said) = run("test_other.py");
    assert!(code == Some(1) && said.contains("holdfast_NAME belong on PYTHONPATH"), "{said}");
    folder.write("test_kit.py", "from holdfast_colony.testing import game\n");
    let (code, said) = run("");
    assert!(code == Some(1) && said.contains("1 passed, 1 failed"), "{said}");
}
