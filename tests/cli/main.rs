//! The real binary: its output and its exit codes.

mod accounts;
mod api;
#[cfg(feature = "colony")]
#[path = "../../games/colony/tests/program/cli/mod.rs"]
mod colony;
mod commands;
mod config;
#[cfg(feature = "crazyhouse")]
#[path = "../../games/crazyhouse/tests/program/cli/mod.rs"]
mod crazyhouse;
mod describing;
#[allow(dead_code, reason = "what the tests of games share, whichever games there are")]
mod host;
#[allow(dead_code, reason = "what the tests of games share, whichever games there are")]
mod live;
mod logs;
mod package;
#[allow(dead_code, reason = "what the tests of games share, whichever games there are")]
#[path = "../support/port.rs"]
mod port;
#[cfg(feature = "project")]
#[path = "../../games/project/tests/program/cli/mod.rs"]
mod project;
mod rng;
#[allow(dead_code, reason = "what the tests of games share, whichever games there are")]
#[path = "../support/stored.rs"]
mod stored;
#[cfg(feature = "treasure")]
#[path = "../../games/treasure/tests/program/cli/mod.rs"]
mod treasure;

use std::{
    process::{Command, Output},
    time::{Duration, Instant},
};

/// The longest wait, with room for a busy machine.
const PATIENCE: Duration = Duration::from_secs(300);

/// Waits until a condition holds.
#[track_caller]
fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < deadline, "never: {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Runs the program to its end.
fn holdfast(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_holdfast")).args(arguments).output().expect("the program starts")
}

/// Checks that a command fails, with the reason on standard error and nothing on standard output.
#[track_caller]
fn complains(arguments: &[&str], complaint: &str) {
    let output = holdfast(arguments);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(stdout(&output), "", "a program that reads the answer sees none");
    assert!(!output.status.success(), "{said}");
    assert!(said.contains(complaint), "{said:?} does not say {complaint:?}");
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("the program prints UTF-8")
}
