//! The end of a room, and its last messages.

use std::sync::Mutex;

use commlib::{Reason, Refused};
use engine::{Rulebook, Shown};
use slog::info;
use tokio::sync::oneshot;

use super::{Room, RoomServices};
use crate::{
    adapter::Adapter,
    log::{End, Ending, Fault, GameKey, StoreError},
    sync::lock,
};

/// Why a room ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the line of a variant explains its fields")]
pub enum RoomEnd {
    /// The game is over, and all clients were told.
    Over { outcome: String },
    /// The process ends; the game can be continued later.
    Stopped,
    /// The log takes no more entries of this game.
    StoreFailed { fault: Fault, cause: String },
    /// The log did not take the new game.
    NotCreated { fault: Fault, cause: String },
    /// The rules or the host panicked; this game is not continued.
    Broken,
}

impl RoomEnd {
    /// The reason for clients.
    pub(crate) fn to_refused(&self) -> Refused {
        let (reason, words) = match self {
            Self::Over { outcome } => (Reason::GameOver, format!("The game is over: {outcome}.")),
            Self::Stopped => (Reason::ShuttingDown, "The server stops; resume when it is back.".into()),
            Self::StoreFailed { fault: Fault::Passing, cause } => {
                (Reason::StoreUnavailable, format!("The game cannot be stored now; resume later. The cause: {cause}."))
            }
            Self::StoreFailed { fault: Fault::Game, cause } => {
                (Reason::StoreFailed, format!("The game cannot be stored and stops here: {cause}."))
            }
            Self::StoreFailed { fault: Fault::Fenced, .. } => {
                (Reason::ShuttingDown, "Another server continues this game; resume there.".into())
            }
            Self::NotCreated { fault: Fault::Passing, cause } => {
                let words =
                    format!("The game cannot be stored now, so it was not created; try again. The cause: {cause}.");
                (Reason::StoreUnavailable, words)
            }
            Self::NotCreated { fault: Fault::Game | Fault::Fenced, cause } => {
                (Reason::StoreFailed, format!("The game cannot be stored, so it was not created: {cause}."))
            }
            Self::Broken => (Reason::Internal, "The game stops here because of a bug; please report it.".into()),
        };
        Refused::new(reason, words)
    }
}

impl<A: Adapter> Room<A> {
    /// The end of a room whose store failed.
    pub(super) fn store_failed(&self, error: &StoreError) -> RoomEnd {
        let (fault, cause) = (error.fault(), error.to_string());
        if self.watermark.has_game() {
            RoomEnd::StoreFailed { fault, cause }
        } else {
            RoomEnd::NotCreated { fault, cause }
        }
    }

    /// Tells all clients why the room ends.
    pub(crate) fn farewell(self, end: &RoomEnd) {
        let Refused { reason, message: words } = end.to_refused();
        self.peers.iter().for_each(|peer| peer.sink.close(reason, &words));
        info!(self.logger, "room closed"; "why" => words);
    }

    /// Stops the room because the process ends. Pending entries are stored and their events sent first.
    pub(super) async fn stop(&mut self) -> RoomEnd {
        if let Err(failed) = self.settle().await {
            return failed;
        }
        self.end().await
    }

    /// Ends a game after a panic: clients receive everything before it, and the log marks the game as broken.
    pub(super) async fn break_off(&mut self) -> RoomEnd {
        if let Err(failed) = self.settle().await {
            return failed;
        }
        mark_broken(&self.services, self.key, &self.players).await;
        RoomEnd::Broken
    }

    /// Ends a game that is not over by its rules. Clients receive everything before that.
    pub(super) async fn end_early(&mut self, outcome: String) -> RoomEnd {
        if let Err(failed) = self.settle().await {
            return failed;
        }
        let players = lock(&self.players).clone();
        let ending = Ending { outcome: outcome.clone(), at: self.services.world.now(), players, results: Vec::new() };
        info!(self.logger, "game ended early"; "outcome" => &outcome);
        let stored = store_ending(&self.services, self.key, ending);
        let _failed_or_there = self.wait_for_store(stored).await;
        RoomEnd::Over { outcome }
    }

    /// Waits until the end of the game is in the log: before that, a resuming client would find neither a room nor an end.
    pub(super) async fn end(&mut self) -> RoomEnd {
        let Some(outcome) = self.game.outcome().map(|outcome| outcome.to_string()) else { return RoomEnd::Stopped };
        if let Some(stored) = self.ending.take() {
            let _failed_or_there = self.wait_for_store(stored).await;
        }
        RoomEnd::Over { outcome }
    }

    /// Waits until everything is durable and sent. If the store stays silent, a host that stops does not wait for it: what is
    /// not durable was told to no client.
    async fn settle(&mut self) -> Result<(), RoomEnd> {
        loop {
            if let Some(error) = self.watermark.failed.get() {
                return Err(self.store_failed(error));
            }
            self.release();
            if self.waiting.is_empty() {
                return Ok(());
            }
            let watermark = self.watermark.clone();
            if self.wait_for_store(watermark.changed.notified()).await.is_none() {
                return Err(RoomEnd::Stopped);
            }
        }
    }
}

/// Marks a game in the log that must not be continued.
pub(crate) async fn mark_broken(services: &RoomServices, game: GameKey, players: &Mutex<Vec<String>>) {
    let (outcome, players) = (End::BROKEN.into(), lock(players).clone());
    let ending = Ending { outcome, at: services.world.now(), players, results: Vec::new() };
    let _failed_or_there = services.until_stopped(store_ending(services, game, ending)).await;
}

/// Stores the end of a game, if it is over. The receiver resolves when the end is stored.
pub(crate) fn finish<R: Shown>(services: &RoomServices, key: GameKey, game: &R) -> Option<oneshot::Receiver<()>> {
    let outcome = game.outcome()?.to_string();
    let (players, results) = (R::players(&game.board()), game.results());
    Some(store_ending(services, key, Ending { outcome, at: services.world.now(), players, results }))
}

fn store_ending(services: &RoomServices, game: GameKey, ending: Ending) -> oneshot::Receiver<()> {
    let (done, stored) = oneshot::channel();
    let answer = move |_| {
        let _room_is_gone = done.send(());
    };
    services.log.finish(game, ending, Box::new(answer));
    stored
}
