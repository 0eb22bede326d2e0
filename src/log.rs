//! `holdfast log`: looking into a log file. Each task has its own file; [`games`] finds games and begins their stories,
//! [`cores`] goes over many of them, [`words`] has what all of them print alike.

mod cores;
mod diff;
mod export;
mod fork;
mod games;
mod list;
mod replay;
mod show;
mod stats;
mod verify;
mod words;

use cli::{Program, output::Out};

/// Looks into a log file, also while a host writes it.
///
/// FILE is what `holdfast host --log FILE` writes. Nothing but fork changes it. Games have names such as ab3dk29xyz.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, clap::Subcommand)]
enum Task {
    List(list::Arguments),
    Show(show::Arguments),
    Verify(verify::Arguments),
    Replay(replay::Arguments),
    Diff(diff::Arguments),
    Export(export::Arguments),
    Stats(stats::Arguments),
    Fork(fork::Arguments),
}

/// Whether all is as it should be; otherwise why there is no answer.
pub(crate) fn run(program: &Program, arguments: &Arguments, out: &mut Out) -> Result<bool, String> {
    match &arguments.task {
        Task::List(arguments) => list::run(program, arguments, out),
        Task::Show(arguments) => show::run(program, arguments, out),
        Task::Verify(arguments) => verify::run(program, arguments, out),
        Task::Replay(arguments) => replay::run(program, arguments, out),
        Task::Diff(arguments) => diff::run(program, arguments, out),
        Task::Export(arguments) => export::run(program, arguments, out),
        Task::Stats(arguments) => stats::run(program, arguments, out),
        Task::Fork(arguments) => fork::run(program, arguments, out),
    }
}
