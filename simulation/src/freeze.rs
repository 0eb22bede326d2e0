//! A host that gets no processor time: nothing reaches it, and nothing leaves it, until it thaws.

use std::sync::Mutex;

use server::sync::lock;
use tokio::time::{Instant, sleep_until};

/// Whether a host is frozen, and until when.
#[derive(Debug, Default)]
pub(crate) struct Freeze {
    until: Mutex<Option<Instant>>,
}

impl Freeze {
    /// Freezes the host until this time.
    pub(crate) fn freeze(&self, until: Instant) {
        *lock(&self.until) = Some(until);
    }

    /// The time when the host thaws, if it is frozen now.
    pub(crate) fn until(&self) -> Option<Instant> {
        lock(&self.until).filter(|until| *until > Instant::now())
    }

    /// Waits until the host is not frozen.
    pub(crate) async fn thawed(&self) {
        while let Some(until) = self.until() {
            sleep_until(until).await;
        }
    }
}
