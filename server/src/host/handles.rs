//! Handles of games, for gateways with a protocol of their own.

use std::time::Duration;

use engine::Rulebook;

use super::{Host, OpenGame, Options};
use crate::{
    adapter::{Adapter, HostedRules},
    clock::Clock,
    handle::GameHandle,
    log::{GameRecord, StoreError},
    room::{caught, folded},
};

/// A handle and the name of its game.
pub type NamedHandle<R> = (std::sync::Arc<str>, GameHandle<R>);

impl Host {
    /// The handle of an open game, if its rulebook uses handles.
    pub fn handle<R: HostedRules>(&self, game: &str) -> Option<GameHandle<R>> {
        self.games().get(game)?.handle.as_ref()?.downcast_ref().cloned()
    }

    /// The handles of all open games of a rulebook, oldest first.
    pub fn handles<R: HostedRules>(&self) -> Vec<NamedHandle<R>> {
        let games = self.games();
        let handle = |game: &OpenGame| game.handle.as_ref()?.downcast_ref::<GameHandle<R>>().cloned();
        let found = games.iter().filter_map(|(name, game)| Some((name.clone(), handle(game)?)));
        let mut found: Vec<NamedHandle<R>> = found.collect();
        found.sort_unstable_by_key(|(_, handle)| handle.key());
        found
    }

    /// Read-only handles of a rulebook's games that ended within this time.
    ///
    /// # Errors
    ///
    /// If the log cannot be read.
    pub async fn past_handles<A: Adapter>(&self, within: Duration) -> Result<Vec<NamedHandle<A::Rules>>, StoreError> {
        let log = &self.options.log;
        let within = i64::try_from(within.as_millis()).unwrap_or(i64::MAX);
        let since = self.options.world.now().saturating_sub(within).saturating_add(1);
        let mut found: Vec<NamedHandle<A::Rules>> = Vec::new();
        for record in log.ended_since(A::Rules::NAME, since).await? {
            found.extend(self.past_handle::<A>(&record).await?);
        }
        Ok(found)
    }

    /// A read-only handle of a finished game; `None` if the game cannot be folded.
    ///
    /// # Errors
    ///
    /// If the log cannot be read.
    pub async fn past_handle<A: Adapter>(
        &self,
        record: &GameRecord,
    ) -> Result<Option<NamedHandle<A::Rules>>, StoreError> {
        let Options { log, world, .. } = &self.options;
        let head = log.head(record.key).await?;
        let rows = log.rows(record.key, 1).await?;
        let game = world.blocking(move || caught(|| folded::<A>(&head.header, &rows))).await;
        let Ok(Ok(game)) = game else { return Ok(None) };
        let clock = Clock::from(self.since(record.created));
        let (handle, _no_room) = GameHandle::new(record.key, clock, record.tail.entries, game);
        Ok(Some((record.name.as_str().into(), handle)))
    }

    /// Milliseconds from a moment of the wall clock until now.
    fn since(&self, moment: i64) -> u64 {
        u64::try_from(self.options.world.now() - moment).unwrap_or_default()
    }
}
