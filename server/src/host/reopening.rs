//! Opens games again whose room has ended although the game has not.

use std::sync::Arc;

use commlib::{Reason, Refused};
use slog::info;

use super::Host;
use crate::{
    chronicle::unreadable,
    log::{GameHead, Selection},
    recovery::{self, RecoveredGames},
    room::game_logger,
    sync::lock,
};

/// A game that a client asks for.
pub(crate) enum Located {
    /// It has a room.
    Open,
    /// It is over, and the log has all of it.
    Over(Box<GameHead>),
}

impl Host {
    /// Finds a game that had no room a moment ago. An unfinished one is opened again: its room ended because of a fault.
    ///
    /// # Errors
    /// If there is no such game, it cannot be continued, or the log cannot be read.
    pub(crate) async fn locate(self: &Arc<Self>, game: &str) -> Result<Located, Refused> {
        let unknown = || Refused::new(Reason::UnknownGame, format!("There is no game {game}; {}.", self.open_games()));
        let log = &self.options.log;
        let head = log.find(game).await.map_err(unreadable)?.ok_or_else(unknown)?;
        if head.record.end.is_some() {
            return Ok(Located::Over(Box::new(head)));
        }
        if let Some(refused) = lock(&self.stuck).get(game) {
            return Err(refused.clone());
        }
        let _one_at_a_time = self.reopening.lock().await;
        if self.room(game).is_some() {
            return Ok(Located::Open);
        }
        if self.is_stopping() {
            return Err(Refused::new(Reason::ShuttingDown, "The server stops; resume when it is back."));
        }
        // The room may have ended because the game has, after the log was read.
        let head = log.head(head.record.key).await.map_err(unreadable)?;
        if head.record.end.is_some() {
            return Ok(Located::Over(Box::new(head)));
        }
        let recovered = recovery::run(&self.services, &self.options.games, Selection::Keys(vec![head.record.key]));
        let RecoveredGames { ready, stuck } = recovered.await.map_err(unreadable)?;
        if let Some((name, refused)) = stuck.into_iter().next() {
            lock(&self.stuck).insert(name, refused.clone());
            return Err(refused);
        }
        for (key, rebuilding) in ready {
            info!(game_logger(&self.options.logger, game), "game opened again");
            self.start(rebuilding.start(&self.services, key));
        }
        Ok(Located::Open)
    }
}
