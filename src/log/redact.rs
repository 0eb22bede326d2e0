//! `holdfast log redact`: replaces a player's name in finished games.

use std::path::PathBuf;

use cli::{
    Program,
    output::Out,
    plural::{ENTRIES, GAMES, counted},
    progress::Progress,
};
use serde_json::{Value, json};
use server::{PlannedRedaction, RedactedGame, RedactionError, log::GameRecord};

use super::{
    error::{GameError, LogError},
    games::Log,
    removing::{Confirmation, Writable, name, named, now},
    words::plain,
};

/// Replaces a player's name in finished games: in entries, players, clients, results, tables of rulebooks and chat.
///
/// Digests stay, so heads that were kept elsewhere are still right. The log keeps which entries were replaced: `verify` checks all others,
/// and says how many were redacted. `replay` folds the games with the new name; a game that the rules would then play differently is left
/// as it is. Backups, exports and archives made before keep the name. docs/log-format.md says what a redacted log no longer proves.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The log file that `holdfast host --log FILE` writes.
    file: PathBuf,
    /// The name of the player, then other words of the same person, such as the parts of a name. Each is replaced where it stands alone.
    #[arg(value_name = "NAME", required = true)]
    names: Vec<String>,
    /// Only in this game. Without it, in all finished games in which a player or a client has the first NAME. Can be repeated.
    #[arg(long = "game", value_name = "GAME")]
    games: Vec<String>,
    /// The word in place of the names. [default: anon-1, or the first such word that the game does not have]
    #[arg(long = "as", value_name = "WORD", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    new: Option<String>,
    #[command(flatten)]
    confirmation: Confirmation,
}

const EXAMPLES: &str = "\
Examples:
  holdfast log redact games.log Ana --dry-run
  holdfast log redact games.log \"Ana Beck\" Ana Beck h1234567 --game ab3dk29xyz --yes";

pub(super) fn run(program: &Program, arguments: &Arguments, out: &mut Out) -> Result<bool, LogError> {
    let Arguments { file, names, games, new, confirmation } = arguments;
    let log = Log::open(program, file)?;
    let records = if games.is_empty() { of_player(&log, &names[0])? } else { named(&log, games)? };
    let is_done = confirmation.confirmed("replace names in", &records)?;
    let writable = if is_done && !records.is_empty() { Some(Writable::open(&log)?) } else { None };
    let beside = match &writable {
        Some(writable) => writable.beside.clone(),
        None => Writable::beside(&log)?,
    };
    let mut redacted: Vec<(&str, RedactedGame)> = Vec::new();
    let mut left: Vec<(&str, RedactionError)> = Vec::new();
    let bar = Progress::new("games", records.len() as u64);
    for (record, done) in records.iter().zip(1..) {
        let head = log.head(record).map_err(|error| log.of_game(&record.name, error))?;
        let hosted = program.hosted();
        let work = async {
            let planned =
                PlannedRedaction::new(&hosted, &*log.reader, &*beside, &head, names, new.as_deref(), now()).await?;
            match &writable {
                Some(writable) => planned.run(&*writable.store, &*beside).await,
                None => Ok(planned.report().clone()),
            }
        };
        match log.wait(work) {
            Ok(report) => redacted.push((&record.name, report)),
            Err(RedactionError::Store(error)) => return Err(log.of_game(&record.name, GameError::Store(error))),
            Err(error) => left.push((&record.name, error)),
        }
        bar.show(done);
    }
    drop(bar);
    writable.map(Writable::close).transpose()?;
    let (is_ok, dry_run) = (left.is_empty(), confirmation.dry_run);
    let file = name(file);
    out.write(confirmation.report.report(
        || text(&file, &redacted, &left, dry_run),
        || json!({ "file": file, "games": redacted.iter().map(json_of).collect::<Value>(), "dryRun": dry_run,
                   "failed": left.iter().map(|(game, why)| json!({"game": game, "why": why.to_string()})).collect::<Value>() }),
    ));
    Ok(is_ok)
}

/// The finished games in which a player or a client has this name.
fn of_player(log: &Log, player: &str) -> Result<Vec<GameRecord>, LogError> {
    let mut found = Vec::new();
    for record in log.list()? {
        if record.end.is_none() {
            continue;
        }
        let is_player = record.players.iter().flatten().any(|name| name == player);
        let clients = if is_player { Ok(Vec::new()) } else { log.wait(log.reader.clients(record.key)) };
        let clients = clients.map_err(|error| log.failed(error))?;
        if is_player || clients.iter().any(|client| client.name == player) {
            found.push(record);
        }
    }
    Ok(found)
}

fn text(file: &str, redacted: &[(&str, RedactedGame)], left: &[(&str, RedactionError)], is_dry: bool) -> String {
    let mut text = String::new();
    for (game, report) in redacted {
        if !report.left.is_empty() {
            let count = counted(report.left.len(), ENTRIES);
            text.push_str(&format!("game {}: {count} still have a name within a longer word\n", plain(game)));
        }
        if report.in_header {
            text.push_str(&format!("game {}: its header has a name and stays as it is\n", plain(game)));
        }
    }
    for (game, why) in left {
        text.push_str(&format!("game {}: {}\n", plain(game), plain(&why.to_string())));
    }
    let entries: u64 = redacted.iter().map(|(_, report)| report.entries).sum();
    let changed = redacted.iter().filter(|(_, report)| !report.is_unchanged()).count();
    let verb = if is_dry { "would be redacted" } else { "redacted" };
    text.push_str(&format!("{file}: {} in {} {verb}\n", counted(entries, ENTRIES), counted(changed, GAMES)));
    text
}

fn json_of((game, report): &(&str, RedactedGame)) -> Value {
    let RedactedGame { entries, clients, records, chat, left, in_header } = report;
    json!({
        "game": game, "entries": entries, "clients": clients, "records": records, "chat": chat, "inside": left,
        "inHeader": in_header,
    })
}
