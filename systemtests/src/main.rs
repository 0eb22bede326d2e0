//! `systest`: runs scripted games, and reports the scripts that fail.

use std::process::ExitCode;

fn main() -> ExitCode {
    systemtests::main(&systemtests::games())
}
