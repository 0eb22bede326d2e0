//! Opens games again whose room has ended although the game has not.

use std::sync::Arc;

use commlib::{Reason, Refused};
use slog::info;

use super::Host;
use crate::{
    adapter::HostedRules,
    chronicle::unreadable,
    handle::GameHandle,
    log::{Fault, GameHead, Selection},
    recovery::{self, RecoveredGames},
    room::{RoomEnd, game_logger},
    sync::lock,
};

/// A game that a client asks for.
pub(crate) enum Located {
    /// It has a room.
    Open,
    /// It is over, and the log has all of it.
    Over(Box<GameHead>),
}

/// How often the store may refuse the same entry of a game before the game is given up. Every attempt costs a recovery, and starts
/// the game's bots again.
const MOST_REFUSED: u32 = 3;

/// A game whose room ended because the store refused something of this game alone.
#[derive(Debug, Default)]
pub(super) struct RefusedGame {
    /// The number of entries when the game was opened again.
    entries: Option<u64>,
    /// How often it was refused since then.
    times: u32,
    /// The reason for clients.
    why: Option<Refused>,
}

impl Host {
    /// The handle of a game whose room has ended. An unfinished game is opened again: its room ended because of a fault. `None`
    /// if the game is over.
    ///
    /// # Errors
    /// If there is no such game, it cannot be continued, the log cannot be read, or the host stops.
    pub async fn reopen<R: HostedRules>(self: &Arc<Self>, game: &str) -> Result<Option<GameHandle<R>>, Refused> {
        match self.locate(game).await? {
            Located::Open => Ok(self.handle(game)),
            Located::Over(_) => Ok(None),
        }
    }

    /// Remembers a game that the store refused.
    pub(super) async fn remember(&self, game: &str, end: &RoomEnd) {
        if matches!(end, RoomEnd::StoreFailed { fault: Fault::Game, .. }) {
            let mut games = self.reopening.lock().await;
            let refused = games.entry(game.to_owned()).or_default();
            refused.times += 1;
            refused.why = Some(end.to_refused());
        }
    }

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
        let mut refused_games = self.reopening.lock().await;
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
        if let Some(refused) = refused_games.get_mut(game)
            && let Some(why) = refused.give_up(head.record.tail.entries)
        {
            lock(&self.stuck).insert(game.to_owned(), why.clone());
            refused_games.remove(game);
            return Err(why);
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

impl RefusedGame {
    /// The reason for clients, if the game is refused again and again at the same entry.
    fn give_up(&mut self, entries: u64) -> Option<Refused> {
        if self.entries != Some(entries) {
            (self.entries, self.times) = (Some(entries), self.times.min(1));
        }
        if self.times > MOST_REFUSED { self.why.clone() } else { None }
    }
}
