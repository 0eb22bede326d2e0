//! The program: every game of the registry, and the commands that all games share.

use std::process::ExitCode;

fn main() -> ExitCode {
    holdfast::App::with_all_games().run()
}
