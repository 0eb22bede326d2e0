//! Games of a log file, ready to become scripts.

use std::{fs::File, io::Read as _, path::Path};

use script::{Games, RecordedGame, ScriptedGame};
use server::log::{LogReader, open_reader};

use crate::files::unreadable;

/// Reads a game from a log file, the only one if it is not named, and says whose rules it is played by.
pub fn read(
    file: &Path,
    game: Option<&str>,
    games: &Games,
) -> Result<(&'static dyn ScriptedGame, Box<dyn RecordedGame>), String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.map_err(|error| error.to_string())?.block_on(read_game(file, game, games))
}

async fn read_game(
    file: &Path,
    game: Option<&str>,
    games: &Games,
) -> Result<(&'static dyn ScriptedGame, Box<dyn RecordedGame>), String> {
    let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", file.display());
    if !is_log(file)? {
        return Err(failed(&"this is no log of a host; `holdfast host --log games.log` writes one"));
    }
    let log = open_reader(file).await.map_err(|error| failed(&error))?;
    let name = match game {
        Some(name) => name.to_owned(),
        None => only_game(&*log).await.map_err(|error| failed(&error))?,
    };
    let head = log.find(&name).await.map_err(|error| failed(&error))?;
    let Some(head) = head else {
        return Err(failed(&format!("there is no game {name}; {}", names(&*log).await)));
    };
    let of_game = |error: &dyn std::fmt::Display| failed(&format!("game {name}: {error}"));
    let rules = games.find(Some(&head.record.about.rulebook)).map_err(|error| of_game(&error))?;
    let rows = log.rows(head.record.key, 1).await.map_err(|error| of_game(&error))?;
    let recorded = rules.record(&head.header, &mut rows.iter().map(|row| &*row.bytes));
    Ok((rules, recorded.map_err(|error| of_game(&error))?))
}

/// Whether the file could be a log, which is one of SQLite's.
fn is_log(file: &Path) -> Result<bool, String> {
    const FIRST: &[u8] = b"SQLite format 3\0";
    let mut start = Vec::new();
    let read = File::open(file).and_then(|file| file.take(FIRST.len() as u64).read_to_end(&mut start));
    read.map_err(|error| unreadable(file, &error))?;
    Ok(start == FIRST)
}

async fn only_game(log: &dyn LogReader) -> Result<String, String> {
    match log.list().await.map_err(|error| error.to_string())?.as_slice() {
        [only] => Ok(only.name.clone()),
        [] => Err("there are no games in it".into()),
        [_, _, ..] => Err(format!("name one of its games with --game; {}", names(log).await)),
    }
}

/// The games to choose from.
async fn names(log: &dyn LogReader) -> String {
    const MOST: usize = 20;
    let games = log.list().await.unwrap_or_default();
    let shown: Vec<String> =
        games.iter().take(MOST).map(|game| format!("{} ({} entries)", game.name, game.tail.entries)).collect();
    let more = if games.len() > MOST { format!(" and {} more", games.len() - MOST) } else { String::new() };
    format!("there are {}{more}", shown.join(", "))
}
