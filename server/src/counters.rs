//! Counters, gauges and histograms. All are atomics: counting never waits and never allocates.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use commlib::Reason;

/// Buckets for durations in nanoseconds, from a fast disk's write to several seconds.
pub(crate) const DURATIONS: &[u64] = &[
    100_000,
    250_000,
    500_000,
    1_000_000,
    2_500_000,
    5_000_000,
    10_000_000,
    25_000_000,
    50_000_000,
    100_000_000,
    250_000_000,
    500_000_000,
    1_000_000_000,
    2_500_000_000,
    5_000_000_000,
    10_000_000_000,
];

/// A number that only goes up.
#[derive(Debug, Default)]
pub(crate) struct Counter(AtomicU64);

impl Counter {
    pub(crate) fn add(&self, count: u64) {
        self.0.fetch_add(count, Ordering::Relaxed);
    }

    pub(crate) fn value(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// A number that goes up and down.
#[derive(Debug, Default)]
pub(crate) struct Gauge(AtomicU64);

impl Gauge {
    pub(crate) fn up(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn down(&self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }

    pub(crate) fn set(&self, value: u64) {
        self.0.store(value, Ordering::Relaxed);
    }

    pub(crate) fn value(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// A counter for each [`Reason`] of the wire.
#[derive(Debug, Default)]
pub(crate) struct ByReason([Counter; Reason::ALL.len()]);

impl ByReason {
    pub(crate) fn count(&self, reason: Reason) {
        // `Reason::ALL` lists the reasons in the order of their numbers.
        self.0[reason as usize].add(1);
    }

    pub(crate) fn values(&self) -> impl Iterator<Item = (Reason, u64)> {
        Reason::ALL.into_iter().zip(self.0.iter().map(Counter::value))
    }
}

/// Counts how many values fall into each range.
#[derive(Debug)]
pub(crate) struct Histogram {
    /// The largest value of each bucket; one more bucket holds everything above the last.
    bounds: &'static [u64],
    buckets: Box<[AtomicU64]>,
    sum: AtomicU64,
}

impl Histogram {
    /// The bounds must be in ascending order.
    pub(crate) fn new(bounds: &'static [u64]) -> Self {
        let buckets = (0..=bounds.len()).map(|_| AtomicU64::new(0)).collect();
        Self { bounds, buckets, sum: AtomicU64::new(0) }
    }

    pub(crate) fn observe(&self, value: u64) {
        let bucket = self.bounds.iter().position(|bound| value <= *bound).unwrap_or(self.bounds.len());
        self.buckets[bucket].fetch_add(1, Ordering::Relaxed);
        self.sum.fetch_add(value, Ordering::Relaxed);
    }

    /// Observes a duration in nanoseconds.
    pub(crate) fn observe_duration(&self, duration: Duration) {
        self.observe(u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX));
    }

    /// Each bound, with the number of values that are at most this bound.
    pub(crate) fn up_to(&self) -> impl Iterator<Item = (u64, u64)> {
        let buckets = self.buckets.iter().map(|bucket| bucket.load(Ordering::Relaxed));
        let cumulative = buckets.scan(0, |all, here| {
            *all += here;
            Some(*all)
        });
        self.bounds.iter().copied().zip(cumulative)
    }

    pub(crate) fn count(&self) -> u64 {
        self.buckets.iter().map(|bucket| bucket.load(Ordering::Relaxed)).sum()
    }

    pub(crate) fn sum(&self) -> u64 {
        self.sum.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_belongs_to_its_bucket() {
        let histogram = Histogram::new(&[1, 10]);
        [0, 1, 2, 10, 11, 1000].into_iter().for_each(|value| histogram.observe(value));
        assert_eq!(histogram.up_to().collect::<Vec<_>>(), [(1, 2), (10, 4)]);
        assert_eq!((histogram.count(), histogram.sum()), (6, 1024));
    }

    #[test]
    fn every_reason_has_its_own_counter() {
        for reason in Reason::ALL {
            let counters = ByReason::default();
            counters.count(reason);
            let counted: Vec<_> = counters.values().filter(|(_, count)| *count == 1).collect();
            assert_eq!(counted, [(reason, 1)]);
        }
    }
}
