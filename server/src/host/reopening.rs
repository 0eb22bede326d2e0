//! Opens games again whose room has ended although the game has not.

use std::sync::Arc;

use commlib::{Reason, Refused};
use slog::info;

use super::{
    Host,
    claiming::{Owned, stopping},
};
use crate::{
    adapter::HostedRules,
    chronicle::unreadable,
    cluster::{Claimed, PeerHost},
    handle::GameHandle,
    log::{Fault, GameHead, GameKey},
    room::{RoomEnd, game_logger},
    sync::lock,
};

/// A game that a client asks for.
pub(crate) enum Located {
    /// It has a room.
    Open,
    /// It is over, and the log has all of it.
    Over(Box<GameHead>),
    /// Another host plays it.
    Elsewhere(PeerHost),
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
            Located::Elsewhere(peer) => {
                let words = format!("Host {} plays game {game}; ask it.", peer.name);
                Err(Refused::new(Reason::ShuttingDown, words))
            }
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

    /// Finds a game that had no room a moment ago. An unfinished one is opened again: its room ended because of a fault, or its
    /// host did. One of several hosts claims it first, if no other host has it.
    ///
    /// # Errors
    /// If there is no such game, it cannot be continued, or the log cannot be read.
    pub(crate) async fn locate(self: &Arc<Self>, game: &str) -> Result<Located, Refused> {
        if self.open_if_claimed(game).await? {
            return Ok(Located::Open);
        }
        let log = &self.options.log;
        let Some(head) = log.find(game).await.map_err(unreadable)? else { return Err(self.unknown(game).await) };
        if head.record.end.is_some() {
            return Ok(Located::Over(Box::new(head)));
        }
        if let Some(refused) = lock(&self.stuck).get(game) {
            return Err(refused.clone());
        }
        let key = head.record.key;
        let claimed = match &self.cluster {
            None => Claimed { key, name: game.to_owned(), elapsed_ms: None },
            Some(cluster) => match self.own(cluster, game).await? {
                Owned::Here(claimed) => claimed,
                Owned::Elsewhere(peer) => return Ok(Located::Elsewhere(peer)),
                Owned::Over => return self.over(key).await,
            },
        };
        let mut refused_games = self.reopening.lock().await;
        if self.room(game).is_some() {
            return Ok(Located::Open);
        }
        let _stop_waits = self.opening()?;
        // The room may have ended because the game has, after the log was read.
        let head = log.head(key).await.map_err(unreadable)?;
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
        let opened = self.services.until_stopped(self.open_all(&[claimed])).await;
        opened.ok_or_else(stopping)?.map_err(unreadable)?;
        if let Some(refused) = lock(&self.stuck).get(game) {
            return Err(refused.clone());
        }
        info!(game_logger(&self.options.logger, game), "game opened again");
        Ok(Located::Open)
    }

    /// A game without an owner, which is over.
    async fn over(&self, key: GameKey) -> Result<Located, Refused> {
        let head = self.options.log.head(key).await.map_err(unreadable)?;
        Ok(Located::Over(Box::new(head)))
    }

    async fn unknown(&self, game: &str) -> Refused {
        Refused::new(Reason::UnknownGame, format!("There is no game {game}; {}.", self.open_games().await))
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
