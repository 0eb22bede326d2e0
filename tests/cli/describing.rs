//! Completion scripts, manual pages and the version.

use std::{fs, process::Command};

use holdfast::App;

use crate::{complains, holdfast, stdout};

/// The names of all commands.
fn commands() -> Vec<String> {
    let program = App::with_all_games().command_line();
    program.get_subcommands().map(|command| command.get_name().to_owned()).collect()
}

#[test]
fn help_lists_every_command_in_groups() {
    let help = stdout(&holdfast(&["--help"]));
    for command in commands() {
        assert!(help.contains(&format!("\n  {command} ")), "{command} is missing: {help}");
    }
    assert!(help.find("\nHost:\n") < help.find("\nLogs:\n"), "{help}");
    assert!(
        help.trim_end().ends_with("Exit codes: 0 done, 1 failed or negative verdict, 2 wrong command line."),
        "{help}"
    );
}

#[test]
fn near_names_are_suggested() {
    complains(&["hots"], "'host'");
    complains(&["host", "--lisen", "7700"], "a similar argument exists: '--listen'");
    complains(&["log", "lst"], "a similar subcommand exists: 'list'");
}

#[test]
fn completions_know_every_command() {
    let commands = commands();
    assert!(commands.len() > 5, "{commands:?}");
    for shell in ["bash", "zsh", "fish"] {
        let output = holdfast(&["completions", shell]);
        assert!(output.status.success(), "{shell}");
        let script = stdout(&output);
        for command in &commands {
            assert!(script.contains(command.as_str()), "{shell} does not complete {command}");
        }
    }
    // The shell can parse the script.
    let script = stdout(&holdfast(&["completions", "bash"]));
    let file = std::env::temp_dir().join(format!("holdfast-completions-{}", std::process::id()));
    fs::write(&file, script).expect("a file can be written");
    let checked = Command::new("bash").arg("-n").arg(&file).status().expect("bash is here");
    assert!(checked.success());
    fs::remove_file(file).expect("removed");
    complains(&["completions", "tcl"], "invalid value 'tcl'");
}

#[test]
fn manual_pages_for_every_command() {
    let folder = std::env::temp_dir().join(format!("holdfast-man-{}", std::process::id()));
    let output = holdfast(&["man", &folder.display().to_string()]);
    assert!(output.status.success());
    for command in commands() {
        let page = fs::read_to_string(folder.join(format!("holdfast-{command}.1"))).expect("a page for each command");
        assert!(page.contains(".SH NAME"), "{command}");
    }
    let page = fs::read_to_string(folder.join("holdfast-log-verify.1")).expect("a page below a command");
    assert!(page.contains("verify"));
    fs::remove_dir_all(&folder).expect("the folder is there");
    complains(&["man", "/proc/nowhere"], "cannot write manual pages to /proc/nowhere");
}

#[test]
fn the_version_names_the_commit() {
    let version = stdout(&holdfast(&["--version"]));
    let stamp = version.trim().strip_prefix(concat!("holdfast ", env!("CARGO_PKG_VERSION"))).expect("name and version");
    // A source tree without git has no commit.
    let commit = stamp.trim().trim_matches(['(', ')']).split(',').next().unwrap_or_default();
    assert!(
        stamp.is_empty() || commit.len() == 12 && commit.chars().all(|letter| letter.is_ascii_hexdigit()),
        "{version}"
    );
}
