//! The services that all rooms of a host share.

use std::{
    fmt,
    sync::{Arc, Mutex},
    time::Duration,
};

use slog::Logger;
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

use crate::{
    accounts::Accounts, address_limits::Addresses, bots::Opponents, cluster::Certainty, host_store::HostStore,
    interner::SetupInterner, limits::Limits, log::EventLog, metrics::Metrics, moderation::Moderation, world::World,
};

/// How long a host that stops waits for a silent store.
const STOP_GRACE: Duration = Duration::from_secs(5);

/// The services that all rooms of a host share.
pub struct RoomServices {
    pub(crate) log: Arc<dyn EventLog>,
    pub(crate) world: Arc<dyn World>,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) opponents: Arc<Opponents>,
    pub(crate) setups: Arc<Mutex<SetupInterner>>,
    pub(crate) logger: Logger,
    /// Whether the host is certain to own its games, if it is one of several.
    pub(crate) certainty: Option<Arc<Certainty>>,
    /// What the host keeps beside the log.
    pub(crate) host_store: Arc<dyn HostStore>,
    pub(crate) limits: Limits,
    /// What each address uses.
    pub(crate) addresses: Addresses,
    /// The accounts of people.
    pub(crate) accounts: Accounts,
    /// What may be written in chat.
    pub(crate) moderation: Moderation,
    /// Whether the host has exactly one game. Then the rules alone decide: there are no notices, and commands need no admission.
    pub(crate) one_game: bool,
    /// Cancelled when the host stops.
    pub(crate) stopping: CancellationToken,
}

impl RoomServices {
    /// Since when the host is not certain to own its games, if it is not. It lets no client in then.
    pub(crate) fn uncertain(&self) -> Option<Instant> {
        self.certainty.as_ref().and_then(|certainty| certainty.lost())
    }

    /// Waits for a store. If the host stops, it waits only a little longer, and then gives up with `None`.
    pub(crate) async fn until_stopped<T>(&self, answer: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            biased;
            answer = answer => Some(answer),
            () = self.gives_up() => None,
        }
    }

    /// Resolves when a host that stops has waited long enough for its store.
    pub(crate) async fn gives_up(&self) {
        self.stopping.cancelled().await;
        sleep(STOP_GRACE).await;
    }
}

impl fmt::Debug for RoomServices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RoomServices").field("log", &self.log).finish_non_exhaustive()
    }
}
