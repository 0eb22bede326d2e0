//! `systest record`: a game of a log as a script.

use std::{path::PathBuf, process::ExitCode};

use script::{Games, RecordedGame, ScriptedGame};

use super::output::{Status, write_script};
use crate::recording;

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

pub(super) fn run(arguments: &Arguments, games: &Games) -> ExitCode {
    match record(arguments, games) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("systest: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn record(arguments: &Arguments, games: &Games) -> Result<(), String> {
    let (game, mut recording) = recording::read(&arguments.log, arguments.game.as_deref(), games)?;
    let entries = recording.entries();
    if entries == 0 {
        return Err(format!("nothing has happened in game {}", recording.name()));
    }
    let (from, to) = (arguments.from.unwrap_or(1), arguments.to.unwrap_or(entries));
    if !(1..=to).contains(&from) || to > entries {
        return Err(format!("from entry {from} to {to}: game {} has the entries 1 to {entries}", recording.name()));
    }
    recording.cut(to);
    if let Some(want) = &arguments.want {
        recording = shortest(game, &*recording, want)?;
    }
    write_script(&*recording, from, arguments.output.as_deref())
}

fn shortest(
    game: &dyn ScriptedGame,
    recording: &dyn RecordedGame,
    want: &str,
) -> Result<Box<dyn RecordedGame>, String> {
    let wishes = game.wishes().ok_or_else(|| format!("there are no wishes for games of {}", game.name()))?;
    let status = Status::new();
    let short = wishes.shorten(recording, want, &mut |progress| {
        status.show(|| format!("{} commands left, {} games played", progress.commands_left, progress.games_played));
    });
    status.clear();
    let short = short.map_err(|error| error.to_string())?;
    let short = short.ok_or_else(|| format!("game {} does not show {want}", recording.name()))?;
    eprintln!("{} of {} entries are left", short.entries(), recording.entries());
    Ok(short)
}
