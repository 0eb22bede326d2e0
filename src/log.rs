//! `holdfast log`: tools for a log file. Each task has its own file. [`games`] finds games and reads their chronicles,
//! [`cores`] processes many games, [`words`] formats output, and [`error`] has the errors.

mod backup;
mod cores;
mod diff;
mod error;
mod export;
mod fork;
mod games;
mod heads;
mod import;
mod list;
mod prune;
mod redact;
mod removing;
mod replay;
mod salvage;
mod show;
mod stats;
mod verify;
mod words;

use cli::{Program, output::Out};

/// Lists, shows, checks and compares the games of a log, also while a host writes it.
///
/// FILE is the store of a host: a file, or the address of a PostgreSQL database (postgres://USER@HOST/DATABASE). Only fork, import, prune, archive, delete and redact change it; backup and salvage make new files, and work on files only. Games have names such as ab3dk29xyz.
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
    Heads(heads::Arguments),
    Replay(replay::Arguments),
    Diff(diff::Arguments),
    Export(export::Arguments),
    Import(import::Arguments),
    Stats(stats::Arguments),
    Fork(fork::Arguments),
    Backup(backup::Arguments),
    Salvage(salvage::Arguments),
    Prune(prune::PruneArguments),
    Archive(prune::ArchiveArguments),
    Delete(prune::DeleteArguments),
    Redact(redact::Arguments),
}

/// Runs a task. Returns whether its verdict is positive.
pub(crate) fn run(program: &Program, arguments: &Arguments, out: &mut Out) -> Result<bool, error::LogError> {
    match &arguments.task {
        Task::List(arguments) => list::run(program, arguments, out),
        Task::Show(arguments) => show::run(program, arguments, out),
        Task::Verify(arguments) => verify::run(program, arguments, out),
        Task::Heads(arguments) => heads::run(program, arguments, out),
        Task::Replay(arguments) => replay::run(program, arguments, out),
        Task::Diff(arguments) => diff::run(program, arguments, out),
        Task::Export(arguments) => export::run(program, arguments, out),
        Task::Import(arguments) => import::run(program, arguments, out),
        Task::Stats(arguments) => stats::run(program, arguments, out),
        Task::Fork(arguments) => fork::run(program, arguments, out),
        Task::Backup(arguments) => backup::run(arguments, out),
        Task::Salvage(arguments) => salvage::run(arguments, out),
        Task::Prune(arguments) => prune::prune(program, arguments, out),
        Task::Archive(arguments) => prune::archive(program, arguments, out),
        Task::Delete(arguments) => prune::delete(program, arguments, out),
        Task::Redact(arguments) => redact::run(program, arguments, out),
    }
}
