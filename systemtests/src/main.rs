//! `systest`: runs scripted games and says which ones are played as written.

use std::process::ExitCode;

fn main() -> ExitCode {
    systemtests::main(&systemtests::games())
}
