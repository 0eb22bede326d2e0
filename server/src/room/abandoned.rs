//! Games without their players end by themselves, after a time that the operator chooses.

use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};

use engine::{CommId, Rulebook as _, Shown as _};
use tokio::time::Instant;

use super::Room;
use crate::{adapter::Adapter, limits::AbandonedLimits, stream::Subscriber};

/// When the game will end, in milliseconds since 1970, for lists of games; 0 if it will not.
pub(crate) type EndsAt = Arc<AtomicI64>;

/// Since when a game is without its players.
pub(crate) struct Attendance {
    last: Instant,
    ends_at: EndsAt,
    /// Clients that are bots of the host. They never leave, so they do not count.
    bots: Vec<CommId>,
    /// How many connections ever came in.
    entered: u64,
    /// Whether a player is here, and for which connections and bots this was found out: these numbers change with every one that comes
    /// or goes.
    is_here: bool,
    asked: (u64, usize, usize),
}

impl Default for Attendance {
    fn default() -> Self {
        Self {
            last: Instant::now(),
            ends_at: EndsAt::default(),
            bots: Vec::new(),
            entered: 0,
            is_here: false,
            asked: (0, 0, 0),
        }
    }
}

impl Attendance {
    pub(super) fn ends_at(&self) -> EndsAt {
        self.ends_at.clone()
    }

    /// A client has come, or has sent a command.
    pub(super) fn came(&mut self, client: CommId) {
        if !self.bots.contains(&client) {
            self.last = Instant::now();
        }
    }

    /// A connection has come in.
    pub(super) fn entered(&mut self) {
        self.entered += 1;
    }

    pub(super) fn is_bot(&mut self, client: CommId) {
        self.bots.push(client);
    }

    pub(super) fn has_bot(&self, client: CommId) -> bool {
        self.bots.contains(&client)
    }
}

impl<A: Adapter> Room<A> {
    /// When the game ends if no player comes back until then.
    pub(super) fn abandoned_at(&mut self) -> Option<Instant> {
        let AbandonedLimits { waiting, running } = self.services.limits.abandoned;
        if self.services.one_game || (waiting.is_none() && running.is_none()) {
            return None;
        }
        let Attendance { bots, entered, is_here, asked, last, ends_at } = &mut self.attendance;
        let now = (*entered, self.peers.len(), bots.len());
        if now != *asked {
            let is_player = |subscriber| match subscriber {
                Subscriber::Client { client, .. } => !bots.contains(&client),
                Subscriber::Watcher => false,
            };
            let was_here = *is_here;
            (*asked, *is_here) = (now, self.peers.iter().any(|peer| is_player(peer.subscriber)));
            if was_here || *is_here {
                *last = Instant::now();
            }
            ends_at.store(0, Ordering::Relaxed);
        }
        if *is_here {
            return None;
        }
        let limit = if self.has_begun() { running } else { waiting };
        let at = limit.and_then(|limit| self.attendance.last.checked_add(limit));
        let left = at.map(|at| at.saturating_duration_since(Instant::now()).as_millis());
        let ends_at = left.map_or(0, |left| self.services.world.now().saturating_add_unsigned(left as u64));
        self.attendance.ends_at.store(ends_at, Ordering::Relaxed);
        at
    }

    /// Whether the game waits for no more players. A rulebook that does not tell has begun with its first player.
    pub(super) fn has_begun(&self) -> bool {
        !self.seated.is_empty() && A::Rules::missing(&self.game.board()).is_none()
    }
}
