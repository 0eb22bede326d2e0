//! Read access to games: the log, the rulebooks that replay it, and a limit on concurrent work.

use std::{fmt, sync::Arc};

use commlib::{Reason, Refused};
use slog::{Logger, warn};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::{Chronicle, Chronicler, Sight};
use crate::{
    log::{GameHead, GameRecord, LogReader, ReplayError, StoreError},
    world::World,
};

/// A game with more entries is not shown, because it would take the memory that players need.
const LONGEST: u64 = 500_000;

/// Read access to games.
#[derive(Clone)]
pub(crate) struct Viewer {
    pub(crate) log: Arc<dyn LogReader>,
    world: Arc<dyn World>,
    chronicler: Arc<dyn Chronicler>,
    logger: Logger,
    /// The rulebooks of which all is shown.
    shows_all: Vec<&'static str>,
    /// Folding a game occupies a core. Only one request does it at a time, so that the other cores stay free for players.
    turns: Arc<Semaphore>,
}

/// A permit to fold games. It is released when the last clone is dropped.
#[derive(Clone, Debug)]
pub(crate) struct Turn(#[expect(dead_code, reason = "held, never read")] Arc<OwnedSemaphorePermit>);

impl Viewer {
    pub(crate) fn new(
        log: Arc<dyn LogReader>,
        world: Arc<dyn World>,
        chronicler: Arc<dyn Chronicler>,
        logger: Logger,
        shows_all: Vec<&'static str>,
    ) -> Self {
        Self { log, world, chronicler, logger, shows_all, turns: Arc::new(Semaphore::new(1)) }
    }

    /// How much of a game any client may see.
    pub(crate) fn sight(&self, record: &GameRecord) -> Sight {
        let rulebook = record.about.rulebook.as_str();
        if self.shows_all.contains(&rulebook) { Sight::Everything } else { Sight::of(record) }
    }

    /// The chronicle of a game before its first entry, as any client may see it.
    pub(super) fn blank(&self, head: &GameHead) -> Result<(Sight, Box<dyn Chronicle>), Refused> {
        if head.record.tail.entries > LONGEST {
            let words = "This game is too long to be shown here; holdfast log can tell it.";
            return Err(Refused::new(Reason::TooLarge, words));
        }
        let rulebook = &head.record.about.rulebook;
        let unknown = || Refused::new(Reason::Internal, format!("This host lacks the rulebook {rulebook}."));
        let sight = self.sight(&head.record);
        let chronicle = self.chronicler.chronicle(head, sight).ok_or_else(unknown)?;
        Ok((sight, chronicle.map_err(|why| self.damaged(&head.record.name, &why))?))
    }

    /// Logs the details for the operator only: they may reveal secrets of a running game.
    pub(super) fn damaged(&self, game: &str, why: &ReplayError) -> Refused {
        warn!(self.logger, "a game cannot be shown"; "game" => game, "why" => %why);
        Refused::new(Reason::Internal, "The log of this game cannot be read.")
    }

    pub(super) fn cannot_be_watched(&self, game: &str, refused: &Refused) {
        warn!(self.logger, "a game cannot be watched"; "game" => game, "why" => &refused.message);
    }

    /// Waits for a permit to fold games.
    pub(crate) async fn turn(&self) -> Result<Turn, Refused> {
        let stopped = |_| Refused::new(Reason::ShuttingDown, "The server stops.");
        self.turns.clone().acquire_owned().await.map(|turn| Turn(Arc::new(turn))).map_err(stopped)
    }

    /// Runs work that folds games on a blocking thread.
    pub(crate) async fn work<T: Send + 'static>(
        &self,
        turn: &Turn,
        work: impl FnOnce() -> Result<T, Refused> + Send + 'static,
    ) -> Result<T, Refused> {
        // The work holds the permit, because the caller may be dropped before the work is done.
        let turn = turn.clone();
        let done = self.world.blocking(move || {
            let _one_at_a_time = turn;
            work()
        });
        let failed = |_| Err(Refused::new(Reason::Internal, "This cannot be shown; please report it."));
        done.await.unwrap_or_else(failed)
    }
}

/// The refusal if the log cannot be read.
pub(crate) fn unreadable(error: StoreError) -> Refused {
    Refused::from(&error)
}

impl fmt::Debug for Viewer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Viewer").field("log", &self.log).finish_non_exhaustive()
    }
}
