//! `holdfast log verify`: checks that a file is as the host wrote it.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};
use server::{
    chronicle::{Sight, Status},
    log::{Damage, GameRecord, GameReport, Heads, Report, Tombstone, verify_against},
};

use super::{
    cores,
    error::{GameError, LogError},
    games::Log,
    words::{moment, plain},
};
use cli::{
    Program,
    output::{Out, ReportArgs},
    plural::{ENTRIES, GAMES, counted},
    progress::Progress,
};

/// Checks the chain of digests of every game: finds entries that were changed, removed, moved or cut off.
///
/// It also compares names, scenarios and players with the headers and entries, as far as this program has the rules of a game. It does
/// not compare what the rules give now; `replay` does. The exit code is 1 if it finds damage.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The log file that `holdfast host --log FILE` writes.
    file: PathBuf,
    /// What `holdfast log heads` printed earlier: also finds games that are missing or were rewritten with new digests since.
    #[arg(long, value_name = "HEADS")]
    heads: Option<PathBuf>,
    #[command(flatten)]
    report: ReportArgs,
}

pub(super) fn run(program: &Program, arguments: &Arguments, out: &mut Out) -> Result<bool, LogError> {
    let file = &arguments.file;
    let log = Log::open(program, file)?;
    let heads = arguments.heads.as_deref().map(read).transpose()?.unwrap_or_default();
    let mut bar: Option<Progress> = None;
    let report = log.wait(verify_against(&*log.reader, &heads, |progress| {
        bar.get_or_insert_with(|| Progress::new("entries", progress.total)).show(progress.done);
    }));
    drop(bar);
    let mut report = report.map_err(|error| log.failed(error))?;
    compare_rows(&log, &mut report)?;
    out.write(arguments.report.report(|| text(file, &report), || json(file, &report)));
    Ok(report.is_sound())
}

fn read(path: &Path) -> Result<Heads, LogError> {
    let text = fs::read_to_string(path).map_err(|cause| LogError::io(path, cause))?;
    text.parse().map_err(|error| LogError::Heads { path: path.into(), error })
}

/// Compares the stored scenario and players of each sound game with what its rules read from the header and the entries.
fn compare_rows(log: &Log, report: &mut Report) -> Result<(), LogError> {
    let records = log.list()?;
    let mut sound: Vec<(&mut GameReport, &GameRecord)> = Vec::new();
    let mut games = report.games.iter_mut();
    for record in &records {
        // A host may have added games since.
        let game = games.by_ref().find(|game| game.key >= record.key);
        sound.extend(game.filter(|game| game.key == record.key && game.damage.is_none()).map(|game| (game, record)));
    }
    sound.retain(|(_, record)| log.rules(&record.about).is_ok());
    let wanted: Vec<&GameRecord> = sound.iter().map(|(_, record)| *record).collect();
    let damage = cores::each(log, &wanted, |log, record| differs(log, record).ok().flatten())?;
    for ((game, _), damage) in sound.into_iter().zip(damage) {
        game.damage = damage;
    }
    Ok(())
}

/// How the row of a game differs from its header and entries. An error of the rules is no damage of the file.
fn differs(log: &Log, record: &GameRecord) -> Result<Option<Damage>, GameError> {
    let head = log.head(record)?;
    let scenario = log.rules(&record.about)?.scenario(&head.header);
    if scenario.is_ok_and(|scenario| head.scenario.is_some() && scenario != head.scenario) {
        return Ok(Some(Damage::Column("scenario")));
    }
    // The host gave up a broken game at some point of its own.
    let (Some(players), Status::Finished) = (&record.players, Status::of(record)) else { return Ok(None) };
    let folded = log.chronicle(&head, Sight::Public)?.game(record).players;
    Ok((folded != *players).then_some(Damage::Players))
}

fn text(file: &Path, report: &Report) -> String {
    if report.is_sound() {
        let (games, entries) = (counted(report.games.len(), GAMES), counted(report.entries, ENTRIES));
        let redacted = match report.redacted() {
            0 => String::new(),
            redacted => format!(", {} redacted", counted(redacted, ENTRIES)),
        };
        let removed = match report.removed.len() {
            0 => String::new(),
            removed => format!(", {} removed", counted(removed, GAMES)),
        };
        let mut text = format!("{}: ok ({games}, {entries}{redacted}{removed})\n", file.display());
        for Tombstone { name, at, why, .. } in &report.gone {
            text.push_str(&format!("game {}: removed on {} ({why})\n", plain(name), moment(*at)));
        }
        text
    } else {
        report.to_string().lines().map(|line| format!("{}\n", plain(line))).collect()
    }
}

fn gone(Tombstone { name, tail, at, why, .. }: &Tombstone) -> Value {
    json!({ "game": name, "entries": tail.entries, "removed": at, "why": why.word() })
}

fn json(file: &Path, report: &Report) -> Value {
    let store = report.store.iter().map(|damage| json!({ "game": null, "damage": damage.to_string() }));
    let games = report.games.iter().filter_map(|game| {
        let damage = game.damage.as_ref()?;
        Some(json!({ "game": game.name, "damage": damage.to_string() }))
    });
    let heads = report.heads.iter().map(|head| json!({ "game": head.game(), "damage": head.to_string() }));
    json!({
        "file": file.display().to_string(),
        "ok": report.is_sound(),
        "games": report.games.len(),
        "entries": report.entries,
        "redacted": report.redacted(),
        "removed": report.removed.len(),
        "gone": report.gone.iter().map(gone).collect::<Value>(),
        "damage": store.chain(games).chain(heads).collect::<Value>(),
    })
}
