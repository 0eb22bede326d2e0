//! `holdfast log prune`, `delete` and `archive`: removes finished games. They leave tombstones.

use std::path::{Path, PathBuf};

use cli::{
    Program,
    output::{Out, ReportArgs},
    parse_moment,
    progress::Progress,
    serving::LogFileError,
};
use serde_json::json;
use server::log::{GameRecord, WhyRemoved, copy_game, shown};

use super::{
    error::{GameError, LogError},
    games::Log,
    import::open_into,
    removing::{Confirmation, Writable, ended_before, name, named, now, size},
};

/// Deletes finished games that ended before a date. Each leaves a tombstone: its name, its last digest, when and why.
///
/// `verify --heads` then says that they were removed. Neither their names nor their keys are used again. Unfinished games stay. Stop the
/// host of a file first, or let it do this itself (`host --keep`); hosts of a database go on meanwhile.
#[derive(Debug, clap::Args)]
#[command(after_help = PRUNE_EXAMPLES)]
pub(super) struct PruneArguments {
    /// The log file that `holdfast host --log FILE` writes.
    file: PathBuf,
    /// Delete games that ended before this date: 2026-11-16, or 2026-11-16T10:09, in UTC.
    #[arg(long, value_name = "DATE", value_parser = parse_moment)]
    before: i64,
    /// Only games of this rulebook.
    #[arg(long, value_name = "NAME")]
    rulebook: Option<String>,
    #[command(flatten)]
    confirmation: Confirmation,
}

const PRUNE_EXAMPLES: &str = "\
Examples:
  holdfast log prune games.log --before 2026-01-01 --dry-run
  holdfast log prune games.log --before 2026-01-01 --yes && holdfast log verify games.log --heads heads.txt";

/// Deletes finished games. Each leaves a tombstone.
#[derive(Debug, clap::Args)]
#[command(after_help = DELETE_EXAMPLES)]
pub(super) struct DeleteArguments {
    /// The log file that `holdfast host --log FILE` writes.
    file: PathBuf,
    /// The names of the games.
    #[arg(value_name = "GAME", required = true)]
    games: Vec<String>,
    #[command(flatten)]
    confirmation: Confirmation,
}

const DELETE_EXAMPLES: &str = "\
Examples:
  holdfast log delete games.log ab3dk29xyz --yes
  curl -X DELETE http://127.0.0.1:7780/api/v1/games/ab3dk29xyz    # while a host runs on the file";

/// Moves finished games into another log file, with the same entries and digests. Each leaves a tombstone.
///
/// All tools read the archive, and a host can serve it. A game is removed only after the archive has all of it, so an interrupted command
/// can be repeated.
#[derive(Debug, clap::Args)]
#[command(after_help = ARCHIVE_EXAMPLES)]
pub(super) struct ArchiveArguments {
    /// The log file that `holdfast host --log FILE` writes.
    file: PathBuf,
    /// The log file that gets the games. It is created if it is missing.
    #[arg(value_name = "ARCHIVE")]
    into: PathBuf,
    /// Move games that ended before this date: 2026-11-16, or 2026-11-16T10:09, in UTC.
    #[arg(long, value_name = "DATE", value_parser = parse_moment, required_unless_present = "games", conflicts_with = "games")]
    before: Option<i64>,
    /// Only games of this rulebook.
    #[arg(long, value_name = "NAME", requires = "before")]
    rulebook: Option<String>,
    /// The names of the games.
    #[arg(value_name = "GAME")]
    games: Vec<String>,
    #[command(flatten)]
    confirmation: Confirmation,
}

const ARCHIVE_EXAMPLES: &str = "\
Examples:
  holdfast log archive games.log 2025.log --before 2026-01-01 --yes
  holdfast log list 2025.log && holdfast log verify 2025.log";

pub(super) fn prune(program: &Program, arguments: &PruneArguments, out: &mut Out) -> Result<bool, LogError> {
    let PruneArguments { file, before, rulebook, confirmation } = arguments;
    let log = Log::open(program, file)?;
    let records = ended_before(&log, *before, rulebook.as_deref())?;
    remove(&log, &records, confirmation, WhyRemoved::Expired, None, out)
}

pub(super) fn delete(program: &Program, arguments: &DeleteArguments, out: &mut Out) -> Result<bool, LogError> {
    let DeleteArguments { file, games, confirmation } = arguments;
    let log = Log::open(program, file)?;
    let records = named(&log, games)?;
    remove(&log, &records, confirmation, WhyRemoved::Deleted, None, out)
}

pub(super) fn archive(program: &Program, arguments: &ArchiveArguments, out: &mut Out) -> Result<bool, LogError> {
    let ArchiveArguments { file, into, before, rulebook, games, confirmation } = arguments;
    if file == into {
        return Err(LogError::OntoItself { path: shown(into) });
    }
    let log = Log::open(program, file)?;
    let records = match before {
        Some(before) => ended_before(&log, *before, rulebook.as_deref())?,
        None => named(&log, games)?,
    };
    remove(&log, &records, confirmation, WhyRemoved::Archived, Some(into), out)
}

/// Removes these games, after they were copied if there is an archive.
fn remove(
    log: &Log,
    records: &[GameRecord],
    confirmation: &Confirmation,
    why: WhyRemoved,
    into: Option<&Path>,
    out: &mut Out,
) -> Result<bool, LogError> {
    let verb = if into.is_some() { "move" } else { "delete" };
    if confirmation.confirmed(verb, records)? && !records.is_empty() {
        let writable = Writable::open(log)?;
        let archive = into.map(open_into).transpose()?;
        let bar = Progress::new("games", records.len() as u64);
        for (record, done) in records.iter().zip(1..) {
            let of_game = |error| log.of_game(&record.name, error);
            if let Some(archive) = &archive {
                let copied = log.wait(copy_game(&*writable.store, record.key, &**archive));
                copied.map_err(|error| of_game(GameError::Copy(error)))?;
            }
            let removed = log.wait(writable.store.remove(record.key, why, now()));
            removed.map_err(|error| of_game(GameError::Store(error)))?;
            log.wait(writable.beside.forget(&record.name)).map_err(|error| of_game(GameError::Store(error)))?;
            bar.show(done);
        }
        drop(bar);
        if let (Some(archive), Some(into)) = (archive, into) {
            archive.close().map_err(|error| LogFileError::new(into, error))?;
        }
        writable.close()?;
    }
    out.write(said(log, records, confirmation.dry_run, confirmation.report, into));
    Ok(true)
}

fn said(log: &Log, records: &[GameRecord], is_dry: bool, report: ReportArgs, into: Option<&Path>) -> String {
    let file = name(&log.path);
    report.report(
        || {
            let (verb, place) = match (into, is_dry) {
                (None, false) => ("deleted", String::new()),
                (None, true) => ("would be deleted", String::new()),
                (Some(into), false) => ("moved", format!(" into {}", name(into))),
                (Some(into), true) => ("would be moved", format!(" into {}", name(into))),
            };
            let mut text = String::new();
            if is_dry {
                records.iter().for_each(|record| text.push_str(&format!("{}\n", super::words::plain(&record.name))));
            }
            text.push_str(&format!("{file}: {} {verb}{place}\n", size(records)));
            text
        },
        || {
            json!({
                "file": file,
                "into": into.map(name),
                "games": records.iter().map(|record| record.name.as_str()).collect::<Vec<_>>(),
                "entries": records.iter().map(|record| record.tail.entries).sum::<u64>(),
                "dryRun": is_dry,
            })
        },
    )
}
