//! `systest record`: a game of a log as a script.

use std::{path::PathBuf, process::ExitCode};

use script::{Recording, Wish};
use systemtests::{minimise::minimise, recording};

use super::output::{Status, write_script};

/// Turns a game of a log file into a script that plays it again.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A log file of a host.
    log: PathBuf,
    /// The name of the game; without it, the only one in the file.
    #[arg(long, value_name = "NAME")]
    game: Option<String>,
    /// Of what comes before this entry, only the commands.
    #[arg(long, value_name = "ENTRY", conflicts_with = "minimise")]
    from: Option<usize>,
    /// The last entry that is of interest.
    #[arg(long, value_name = "ENTRY")]
    to: Option<usize>,
    /// The script; without it, standard output.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Leaves out every command without which the game still shows what is wanted.
    #[arg(long, requires = "want")]
    minimise: bool,
    /// What the game must show, as for `systest seeds`, e.g. "Bitten Maren in round 2".
    #[arg(long, value_name = "WISH", requires = "minimise")]
    want: Option<String>,
}

pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    match record(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("systest: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn record(arguments: &Arguments) -> Result<(), String> {
    let mut recording = recording::read(&arguments.log, arguments.game.as_deref())?;
    let entries = recording.entries.len();
    if entries == 0 {
        return Err(format!("nothing has happened in game {}", recording.name));
    }
    let (from, to) = (arguments.from.unwrap_or(1), arguments.to.unwrap_or(entries));
    if !(1..=to).contains(&from) || to > entries {
        return Err(format!("from entry {from} to {to}: game {} has the entries 1 to {entries}", recording.name));
    }
    recording.cut(to);
    if let Some(want) = &arguments.want {
        recording = shortest(&recording, want)?;
    }
    write_script(&recording, from, arguments.output.as_deref())
}

fn shortest(recording: &Recording, want: &str) -> Result<Recording, String> {
    let wish = Wish::read(want, &recording.setup.scenario, &recording.players());
    let wish = wish.map_err(|problem| problem.to_string())?;
    let status = Status::new();
    let short = minimise(recording, &wish, &mut |progress| {
        status.show(|| format!("{} commands left, {} games played", progress.commands_left, progress.games_played));
    });
    status.clear();
    let short = short.ok_or_else(|| format!("game {} does not show {want}", recording.name))?;
    eprintln!("{} of {} entries are left", short.entries.len(), recording.entries.len());
    Ok(short)
}
