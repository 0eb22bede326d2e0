//! The program from outside: the real binary, its output and its exit code.

mod arena;
mod bot;
mod check;
mod crazyhouse;
mod crazyhouse_host;
mod demo;
mod host;
mod load;
mod log;
mod log_rulebooks;
mod mutants;
mod one_game;
mod project;
mod project_players;
mod rng;
mod simulate;
mod tls;
mod tournament;
mod treasure;

use std::process::{Command, Output};

/// Runs the program to its end.
fn holdfast(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_holdfast")).args(arguments).output().expect("the program starts")
}

/// A call that cannot be answered: why is said on standard error, and nothing on standard output.
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
