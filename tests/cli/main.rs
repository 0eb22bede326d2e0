//! The program from outside: the real binary, its output and its exit code.

mod check;
mod host;
mod load;
mod mutants;
mod one_game;
mod rng;
mod simulate;
mod tls;

use std::process::{Command, Output};

/// Runs the program to its end.
fn holdfast(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_holdfast")).args(arguments).output().expect("the program starts")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("the program prints UTF-8")
}
