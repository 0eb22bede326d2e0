//! `systest`: runs scripted games, and reports which ones are played as the script says.

use std::process::ExitCode;

fn main() -> ExitCode {
    systemtests::main(&systemtests::games())
}
