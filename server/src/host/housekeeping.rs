//! Removes finished games, replaces names in them, and does by itself what the operator wants to be removed.

use std::{error::Error, fmt, sync::Arc, time::Duration};

use slog::{info, warn};

use super::Host;
use crate::{
    erased::HostedGame,
    log::{CopyError, GameRecord, StoreError, Tombstone, WhyRemoved, copy_game},
    redaction::{PlannedRedaction, RedactedGame, RedactionError},
    retention::Kept,
    sync::lock,
};

/// The games that are looked at together. Between two of them, other work goes on.
const BATCH: usize = 32;

/// The pause between two games, so that players do not notice.
const BETWEEN: Duration = Duration::from_millis(5);

/// Why a game was not removed or redacted.
#[derive(Debug)]
pub(crate) enum HousekeepingError {
    /// There is no such game.
    NoSuchGame { game: String },
    /// The game is not over.
    NotOver { game: String },
    /// The host has no file for archived games.
    NoArchive,
    /// The game could not be copied.
    Copy(CopyError),
    /// Names could not be replaced.
    Redaction(RedactionError),
    /// A store failed.
    Store(StoreError),
}

impl fmt::Display for HousekeepingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchGame { game } => write!(f, "There is no game {game}."),
            Self::NotOver { game } => write!(f, "Game {game} is not over; end it first."),
            Self::NoArchive => f.write_str("This host has no archive; start it with --archive FILE."),
            Self::Copy(error) => write!(f, "The game could not be copied into the archive: {error}."),
            Self::Redaction(error) => write!(f, "Nothing was replaced: {error}."),
            Self::Store(error) => write!(f, "The store fails: {error}."),
        }
    }
}

impl Error for HousekeepingError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Copy(error) => Some(error),
            Self::Redaction(error) => Some(error),
            Self::Store(error) => Some(error),
            Self::NoSuchGame { .. } | Self::NotOver { .. } | Self::NoArchive => None,
        }
    }
}

impl Host {
    /// Removes a finished game with everything that belongs to it. It leaves a tombstone.
    pub(crate) async fn delete_game(&self, game: &str) -> Result<Tombstone, HousekeepingError> {
        let record = self.finished(game).await?;
        self.remove(&record, WhyRemoved::Deleted).await
    }

    /// Moves a finished game into the archive.
    pub(crate) async fn archive_game(&self, game: &str) -> Result<Tombstone, HousekeepingError> {
        let record = self.finished(game).await?;
        if self.options.archive.is_none() {
            return Err(HousekeepingError::NoArchive);
        }
        self.remove(&record, WhyRemoved::Archived).await
    }

    /// Replaces names in a finished game. `new` is the word in their place.
    pub(crate) async fn redact_game(
        &self,
        game: &str,
        names: &[String],
        new: Option<&str>,
    ) -> Result<RedactedGame, HousekeepingError> {
        let record = self.finished(game).await?;
        let head = self.options.log.head(record.key).await.map_err(HousekeepingError::Store)?;
        let (log, chat, now) = (&*self.options.log, &*self.options.host_store, self.options.world.now());
        // Folding a game occupies a core; one request does it at a time.
        let _turn = self.viewer.turn().await.map_err(|_| HousekeepingError::Store(StoreError::Closed))?;
        let planned = PlannedRedaction::new(&self.options.games, log, chat, &head, names, new, now).await;
        let redacted = planned.map_err(HousekeepingError::Redaction)?.run(log, chat).await;
        let redacted = redacted.map_err(HousekeepingError::Redaction)?;
        info!(self.options.logger, "names were replaced"; "game" => game, "entries" => redacted.entries);
        Ok(redacted)
    }

    /// A game that is over, and whose room is gone.
    async fn finished(&self, game: &str) -> Result<GameRecord, HousekeepingError> {
        let found = self.options.log.find(game).await.map_err(HousekeepingError::Store)?;
        let record = found.ok_or_else(|| HousekeepingError::NoSuchGame { game: game.into() })?.record;
        if record.end.is_none() || self.room(game).is_some() {
            return Err(HousekeepingError::NotOver { game: game.into() });
        }
        Ok(record)
    }

    /// Removes a finished game. What is archived is copied first.
    async fn remove(&self, record: &GameRecord, why: WhyRemoved) -> Result<Tombstone, HousekeepingError> {
        let log = &self.options.log;
        if why == WhyRemoved::Archived
            && let Some(archive) = &self.options.archive
        {
            copy_game(&**log, record.key, &**archive).await.map_err(HousekeepingError::Copy)?;
        }
        let removed = log.remove(record.key, why, self.options.world.now()).await;
        let stone = removed.map_err(|error| {
            let game = || record.name.clone();
            if matches!(error, StoreError::NotOver { .. }) {
                HousekeepingError::NotOver { game: game() }
            } else if matches!(error, StoreError::NoSuchGame { .. }) {
                // Another host was faster.
                HousekeepingError::NoSuchGame { game: game() }
            } else {
                HousekeepingError::Store(error)
            }
        })?;
        // The game is gone first: a game without its rules would be open to all.
        if let Err(error) = self.options.host_store.forget(&record.name).await {
            warn!(self.options.logger, "the chat of a removed game stays"; "game" => &record.name, "cause" => %error);
        }
        lock(&self.hidden).remove(&record.name);
        self.metrics.games_removed.add(1);
        info!(self.options.logger, "game removed"; "game" => &record.name, "why" => why.word(), "entries" => stone.tail.entries);
        Ok(stone)
    }

    /// Removes games as the operator wants, until the host stops.
    pub(super) async fn keep_house(self: Arc<Self>) {
        let stopping = self.services.stopping.clone();
        loop {
            for rules in self.options.games.iter().map(HostedGame::name) {
                let swept = stopping.run_until_cancelled(self.sweep(rules)).await;
                match swept {
                    None => return,
                    Some(Ok(())) => {}
                    Some(Err(error)) => {
                        self.metrics.removals_failed.add(1);
                        warn!(self.options.logger, "old games stay for now"; "rulebook" => rules, "cause" => %error);
                    }
                }
            }
            let pause = tokio::time::sleep(self.options.retention.pause());
            if stopping.run_until_cancelled(pause).await.is_none() {
                return;
            }
        }
    }

    /// Removes the games of a rulebook that are too old or too many.
    async fn sweep(&self, rulebook: &str) -> Result<(), HousekeepingError> {
        let kept = self.options.retention.of(rulebook);
        if kept.is_all() {
            return Ok(());
        }
        let log = &self.options.log;
        let why = if self.options.archive.is_some() { WhyRemoved::Archived } else { WhyRemoved::Expired };
        loop {
            let count = log.count_ended(rulebook).await.map_err(HousekeepingError::Store)?;
            let first = log.first_ended(rulebook, BATCH).await.map_err(HousekeepingError::Store)?;
            let now = self.options.world.now();
            let is_over = |(place, record): &(u64, &GameRecord)| {
                is_expired(kept, now, count.saturating_sub(*place), record) && self.room(&record.name).is_none()
            };
            let expired: Vec<&GameRecord> = (0..).zip(&first).filter(is_over).map(|(_, record)| record).collect();
            for record in &expired {
                match self.remove(record, why).await {
                    Ok(_) | Err(HousekeepingError::NoSuchGame { .. }) => {}
                    Err(error) => return Err(error),
                }
                tokio::time::sleep(BETWEEN).await;
            }
            if expired.is_empty() {
                return Ok(());
            }
        }
    }
}

/// Whether a game is too old, or one of too many. `among` is how many games ended no earlier, with this one.
fn is_expired(kept: Kept, now: i64, among: u64, record: &GameRecord) -> bool {
    let Some(end) = &record.end else { return false };
    let age = u64::try_from(now.saturating_sub(end.at)).unwrap_or_default();
    kept.age.is_some_and(|most| u128::from(age) > most.as_millis()) || kept.count.is_some_and(|most| among > most)
}
