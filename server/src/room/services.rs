//! The services that all rooms of a host share.

use std::{
    fmt,
    sync::{Arc, Mutex},
};

use slog::Logger;

use crate::{bots::Opponents, interner::SetupInterner, log::EventLog, metrics::Metrics, world::World};

/// The services that all rooms of a host share.
pub struct RoomServices {
    pub(crate) log: Arc<dyn EventLog>,
    pub(crate) world: Arc<dyn World>,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) opponents: Arc<Opponents>,
    pub(crate) setups: Mutex<SetupInterner>,
    pub(crate) logger: Logger,
}

impl fmt::Debug for RoomServices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RoomServices").field("log", &self.log).finish_non_exhaustive()
    }
}
