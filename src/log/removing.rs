//! What the tasks that remove games or replace names share: which games, the confirmation, and opening the log for writing.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};

use cli::{
    output::ReportArgs,
    plural::{ENTRIES, GAMES, counted},
    serving::LogFileError,
};
use server::{
    HostedGame,
    host_store::{HostStore, MemoryHostStore, beside_log, open_host_store},
    log::{EventLog, GameRecord, StoreError, Table, open_for_tool, postgres_address},
};

use super::{
    error::{GameError, LogError},
    games::Log,
};

/// Options of all tasks that change finished games.
#[derive(Debug, clap::Args)]
pub(super) struct Confirmation {
    /// Only print what would be done.
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Do it. Without this, nothing is changed.
    #[arg(long, conflicts_with = "dry_run")]
    yes: bool,
    #[command(flatten)]
    pub(super) report: ReportArgs,
}

impl Confirmation {
    /// Whether to do it; false for a dry run.
    pub(super) fn confirmed(&self, what: &str, records: &[GameRecord]) -> Result<bool, LogError> {
        if self.yes || self.dry_run || records.is_empty() {
            return Ok(!self.dry_run);
        }
        Err(LogError::Unconfirmed { what: format!("{what} {}", size(records)) })
    }
}

/// `2 games with 40 entries`.
pub(super) fn size(records: &[GameRecord]) -> String {
    let entries: u64 = records.iter().map(|record| record.tail.entries).sum();
    format!("{} with {}", counted(records.len(), GAMES), counted(entries, ENTRIES))
}

/// The finished games that ended before a moment, of one rulebook or all.
pub(super) fn ended_before(log: &Log, before: i64, rulebook: Option<&str>) -> Result<Vec<GameRecord>, LogError> {
    let mut records = log.list()?;
    records.retain(|record| {
        record.end.as_ref().is_some_and(|end| end.at < before)
            && rulebook.is_none_or(|rulebook| rulebook == record.about.rulebook)
    });
    Ok(records)
}

/// Finished games with these names.
pub(super) fn named(log: &Log, names: &[String]) -> Result<Vec<GameRecord>, LogError> {
    let mut records: Vec<GameRecord> = Vec::new();
    for name in names {
        let record = log.game(Some(name))?.record;
        if record.end.is_none() {
            return Err(log.of_game(name, GameError::StillRunning));
        }
        if records.iter().all(|known| known.key != record.key) {
            records.push(record);
        }
    }
    Ok(records)
}

/// A log that is open for writing, with what its host keeps beside it.
pub(super) struct Writable {
    path: PathBuf,
    pub(super) store: Arc<dyn EventLog>,
    pub(super) beside: Arc<dyn HostStore>,
}

impl Writable {
    /// Opens the log of a tool for writing. A file whose host runs is refused; hosts of a database go on.
    pub(super) fn open(log: &Log) -> Result<Self, LogError> {
        let path = log.path.clone();
        let store = open_for_tool(&path).map_err(|error| {
            let is_locked = matches!(error, StoreError::Locked { .. });
            let error = LogFileError::new(&path, error);
            if is_locked { LogError::Live(error) } else { LogError::Store(error) }
        })?;
        let tables: Vec<&'static Table> = log.program.hosted().iter().flat_map(HostedGame::tables).copied().collect();
        log.wait(store.add_tables(&tables)).map_err(|error| log.failed(error))?;
        let beside = Self::beside(log)?;
        Ok(Self { path, store, beside })
    }

    /// What a host keeps beside a log, if there is something.
    pub(super) fn beside(log: &Log) -> Result<Arc<dyn HostStore>, LogError> {
        let is_there = postgres_address(&log.path).is_some() || beside_log(&log.path).exists();
        if !is_there {
            return Ok(Arc::new(MemoryHostStore::default()));
        }
        let beside = log.wait(open_host_store(&log.path));
        beside.map_err(|error| LogFileError::new(&beside_log(&log.path), error).into())
    }

    pub(super) fn close(self) -> Result<(), LogError> {
        self.store.close().map_err(|error| LogFileError::new(&self.path, error).into())
    }
}

/// Milliseconds since 1970.
pub(super) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// A file as a person names it.
pub(super) fn name(path: &Path) -> String {
    server::log::shown(path).display().to_string()
}
