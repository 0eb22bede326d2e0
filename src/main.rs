//! The program `holdfast`, with every game of the registry.

use std::process::ExitCode;

fn main() -> ExitCode {
    holdfast::App::with_all_games().run()
}
