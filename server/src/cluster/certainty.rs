//! Until when a host is certain to own its games.

use std::{
    fmt,
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use tokio::{
    sync::Notify,
    time::{Instant, sleep_until},
};

use super::CERTAIN;

/// The certainty of one of several hosts. Its rooms ask for it with every message, so this takes no lock.
pub(crate) struct Certainty {
    began: Instant,
    /// Until when this host is certainly not buried, in microseconds since `began`. 0 while it is not registered.
    until_us: AtomicU64,
    /// Wakes the clients that wait until this host is certain, in the order in which they came.
    changed: Notify,
}

impl Certainty {
    pub(crate) fn new() -> Self {
        Self { began: Instant::now(), until_us: AtomicU64::new(0), changed: Notify::new() }
    }

    /// A beat or a registration that began at this instant is stored. Returns whether the host was not certain before.
    pub(crate) fn since(&self, began: Instant) -> bool {
        let was_certain = self.is_certain();
        let until = (began + CERTAIN).saturating_duration_since(self.began);
        self.until_us.store(u64::try_from(until.as_micros()).unwrap_or(u64::MAX), Ordering::Release);
        self.changed.notify_waiters();
        !was_certain
    }

    /// The host is not registered any more.
    pub(crate) fn lose(&self) {
        self.until_us.store(0, Ordering::Release);
    }

    pub(crate) fn is_certain(&self) -> bool {
        self.until() > Instant::now()
    }

    /// Since when the host is not certain, if it is not. A host that is not registered any more was certain a moment ago.
    pub(crate) fn lost(&self) -> Option<Instant> {
        let (now, until) = (Instant::now(), self.until());
        (until <= now).then(|| if until == self.began { now } else { until })
    }

    /// Waits until the host is certain.
    pub(crate) async fn certain(&self) {
        loop {
            let changed = self.changed.notified();
            if self.is_certain() {
                return;
            }
            changed.await;
        }
    }

    /// Waits until the host is not certain any more.
    pub(crate) async fn over(&self) {
        while self.is_certain() {
            sleep_until(self.until()).await;
        }
    }

    fn until(&self) -> Instant {
        self.began + Duration::from_micros(self.until_us.load(Ordering::Acquire))
    }
}

impl fmt::Debug for Certainty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Certainty").field("is_certain", &self.is_certain()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_beat_lasts_from_its_beginning() {
        let certainty = Certainty::new();
        tokio::time::advance(Duration::from_secs(1)).await;
        assert_eq!((certainty.is_certain(), certainty.lost()), (false, Some(Instant::now())), "not registered yet");
        let began = Instant::now();
        tokio::time::advance(Duration::from_millis(300)).await;
        assert!(certainty.since(began), "it is certain again");
        assert!(!certainty.since(began), "it was certain");
        assert_eq!((certainty.is_certain(), certainty.lost()), (true, None));
        tokio::time::advance(CERTAIN).await;
        assert_eq!((certainty.is_certain(), certainty.lost()), (false, Some(began + CERTAIN)));
        assert!(certainty.since(Instant::now()));
        certainty.lose();
        assert_eq!((certainty.is_certain(), certainty.lost()), (false, Some(Instant::now())));
    }
}
