//! A histogram of durations in little memory. A bucket is at most a 64th of its values wide.

use std::time::Duration;

/// The number of buckets of equal width for each power of two.
const BUCKETS: u64 = 64;
const BITS: u32 = BUCKETS.ilog2();
/// The number of buckets for all 64-bit numbers of nanoseconds.
const ALL: usize = (BUCKETS * (u64::BITS - BITS + 1) as u64) as usize;

/// Counts durations.
#[derive(Clone, Debug)]
pub struct Histogram {
    counts: Vec<u64>,
    count: u64,
    longest: u64,
}

impl Default for Histogram {
    fn default() -> Self {
        Self { counts: vec![0; ALL], count: 0, longest: 0 }
    }
}

impl Histogram {
    /// Counts a duration.
    pub fn record(&mut self, took: Duration) {
        let nanos = u64::try_from(took.as_nanos()).unwrap_or(u64::MAX);
        self.counts[bucket(nanos)] += 1;
        self.count += 1;
        self.longest = self.longest.max(nanos);
    }

    /// Adds the counts of another histogram.
    pub fn merge(&mut self, other: &Self) {
        self.counts.iter_mut().zip(&other.counts).for_each(|(count, more)| *count += more);
        self.count += other.count;
        self.longest = self.longest.max(other.longest);
    }

    /// The number of durations.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The longest duration, exactly.
    pub fn longest(&self) -> Duration {
        Duration::from_nanos(self.longest)
    }

    /// The duration that the given share of all durations, from 0 to 1, does not exceed. The result is the upper end of a
    /// bucket, so it is never too short. Zero if nothing was recorded.
    pub fn quantile(&self, share: f64) -> Duration {
        let wanted = (share * self.count as f64).ceil().max(1.0) as u64;
        let mut seen = 0;
        let found = self.counts.iter().position(|count| {
            seen += count;
            seen >= wanted
        });
        Duration::from_nanos(found.map_or(self.longest, last_of).min(self.longest))
    }
}

/// The bucket of a number. Below `BUCKETS` each number has its own; above, a bucket holds numbers with the same first bits.
fn bucket(nanos: u64) -> usize {
    let shift = nanos.max(1).ilog2().saturating_sub(BITS);
    (u64::from(shift) * BUCKETS + (nanos >> shift)) as usize
}

/// The largest number in a bucket.
fn last_of(bucket: usize) -> u64 {
    let bucket = bucket as u64;
    let shift = (bucket / BUCKETS).saturating_sub(1);
    let first_bits = bucket - shift * BUCKETS;
    (first_bits << shift) + ((1 << shift) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_a_narrow_bucket() {
        let powers = (0..64).flat_map(|bit| [(1_u64 << bit) - 1, 1 << bit, (1 << bit) + 1]);
        for nanos in powers.chain([u64::MAX, 1_000_000, 999_999_999]) {
            let bucket = bucket(nanos);
            assert!(bucket < ALL, "{nanos}");
            let last = last_of(bucket);
            assert!(nanos <= last && last - nanos <= nanos / BUCKETS, "{nanos} is in the bucket up to {last}");
            assert_eq!(super::bucket(last), bucket, "{nanos}");
            assert!(last == u64::MAX || super::bucket(last + 1) == bucket + 1, "{nanos}");
        }
    }

    #[test]
    fn quantiles_are_those_of_a_sorted_list() {
        let mut histogram = Histogram::default();
        assert_eq!(histogram.quantile(0.5), Duration::ZERO);
        for micros in (1..=1000).rev() {
            histogram.record(Duration::from_micros(micros));
        }
        for (share, micros) in [(0.0, 1.0), (0.5, 500.0), (0.9, 900.0), (0.99, 990.0), (0.999, 999.0), (1.0, 1000.0)] {
            let found = histogram.quantile(share).as_secs_f64() * 1e6;
            assert!(found >= micros && found <= micros * (1.0 + 1.0 / 64.0), "{share}: {found} instead of {micros}");
        }
        assert_eq!(histogram.longest(), Duration::from_millis(1));
    }

    #[test]
    fn merging_counts_everything_once() {
        let [mut all, mut fast, mut slow] = [(); 3].map(|()| Histogram::default());
        for nanos in 0..500 {
            fast.record(Duration::from_nanos(nanos));
            slow.record(Duration::from_millis(nanos));
            all.record(Duration::from_nanos(nanos));
            all.record(Duration::from_millis(nanos));
        }
        fast.merge(&slow);
        assert_eq!((fast.count(), fast.longest()), (1000, Duration::from_millis(499)));
        assert_eq!(fast.counts, all.counts);
    }
}
