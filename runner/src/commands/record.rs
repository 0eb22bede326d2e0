//! `systest record`: turns a game of a log into a script.

use std::path::PathBuf;

use cli::progress::Progress;
use script::{Games, RecordedGame, ScriptedGame};

use super::{
    EXIT_CODES,
    error::CommandError,
    output::{note, write_script},
};
use crate::recording;

/// Turns a game of a log file into a script that replays it.
#[derive(clap::Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct Arguments {
    /// A log file of a host.
    log: PathBuf,
    /// The name of the game. Without it, the only game of the log.
    #[arg(long, value_name = "NAME")]
    game: Option<String>,
    /// The first entry of interest. Before it, the script has only the commands.
    #[arg(long, value_name = "ENTRY", conflicts_with = "minimise")]
    from: Option<usize>,
    /// The last entry of interest. The script ends with it.
    #[arg(long, value_name = "ENTRY")]
    to: Option<usize>,
    /// The file for the script. Without it, prints to standard output.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Removes all commands that the game does not need to show what --want asks for.
    #[arg(long, requires = "want")]
    minimise: bool,
    /// What the game must show, as for `systest seeds`, e.g. "Bitten Maren in round 2".
    #[arg(long, value_name = "WISH", requires = "minimise")]
    want: Option<String>,
}

pub(super) fn run(arguments: &Arguments, games: &Games) -> Result<(), CommandError> {
    let (game, mut recording) =
        recording::read(&arguments.log, arguments.game.as_deref(), games).map_err(CommandError::Log)?;
    let entries = recording.entries();
    let name = recording.name().to_owned();
    if entries == 0 {
        return Err(CommandError::EmptyGame(name));
    }
    let (from, to) = (arguments.from.unwrap_or(1), arguments.to.unwrap_or(entries));
    if !(1..=to).contains(&from) || to > entries {
        return Err(CommandError::NoSuchEntries { from, to, game: name, entries });
    }
    recording.cut(to);
    if let Some(want) = &arguments.want {
        recording = shorten(game, &*recording, want)?;
    }
    write_script(&*recording, from, arguments.output.as_deref())
}

/// Removes all commands that the game does not need to fulfil a wish.
pub(super) fn shorten(
    game: &dyn ScriptedGame,
    recording: &dyn RecordedGame,
    want: &str,
) -> Result<Box<dyn RecordedGame>, CommandError> {
    let wishes = game.wishes().ok_or(CommandError::NoWishes(Some(game.name())))?;
    let entries = recording.entries();
    let progress = Progress::new("entries", entries as u64);
    let short = wishes.shorten(recording, want, &mut |now| {
        let figures = format!("{} commands left, {} games played", now.commands_left, now.games_played);
        progress.show_with(entries.saturating_sub(now.commands_left) as u64, &figures);
    });
    drop(progress);
    let not_fulfilled = || CommandError::NotFulfilled { game: recording.name().into(), wish: want.into() };
    let short = short.map_err(CommandError::Wish)?.ok_or_else(not_fulfilled)?;
    note(&format!("{} of {} entries are left", short.entries(), entries));
    Ok(short)
}
