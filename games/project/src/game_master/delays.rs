//! Measures the delay of answers beyond the cost of the actions.

use std::{collections::HashMap, fmt, sync::Arc, time::Duration};

use engine::CommId;
use tokio::time::Instant;

/// The maximum number of requests that are measured at a time.
const MAX_PENDING: usize = 10_000;
/// The resolution of the measurement, in microseconds.
const STEP_US: u64 = 100;
/// The number of steps of delay that are counted. All later answers are counted in the last step.
const MAX_STEPS: usize = 100_000;

/// Requests without an answer, and the delays of the answers so far.
#[derive(Debug, Default)]
pub(super) struct Delays {
    /// When each answer is due: after the player's earlier actions, plus its own cost.
    due: HashMap<(CommId, Arc<str>), Instant>,
    free: HashMap<CommId, Instant>,
    /// The number of answers for each step of delay.
    counts: Vec<u64>,
}

impl Delays {
    /// Notes a request. A repeated request changes nothing.
    pub(super) fn asked(&mut self, client: CommId, id: &Arc<str>, at: Instant, cost: Duration) {
        if self.due.len() >= MAX_PENDING {
            self.due.clear();
        }
        let free = self.free.entry(client).or_insert(at);
        let due = at.max(*free) + cost;
        if let std::collections::hash_map::Entry::Vacant(vacant) = self.due.entry((client, id.clone())) {
            vacant.insert(due);
            *free = due;
        }
    }

    /// Notes that the answer is sent now, or that no answer will be sent.
    pub(super) fn answered(&mut self, client: CommId, id: &Arc<str>, now: Instant) {
        let Some(due) = self.due.remove(&(client, id.clone())) else { return };
        let step =
            (now.saturating_duration_since(due).as_micros() / u128::from(STEP_US)).min(MAX_STEPS as u128) as usize;
        if self.counts.len() <= step {
            self.counts.resize(step + 1, 0);
        }
        self.counts[step] += 1;
    }

    /// The delay that `of_thousand` of a thousand answers do not exceed.
    fn quantile(&self, of_thousand: u64) -> Duration {
        let wanted = (self.counts.iter().sum::<u64>() * of_thousand).div_ceil(1000);
        let mut passed = 0;
        let step = self.counts.iter().position(|count| {
            passed += count;
            passed >= wanted
        });
        Duration::from_micros((step.unwrap_or(0) as u64 + 1) * STEP_US)
    }
}

/// A text for people, such as `120 answers; half within 0.4 ms, 99 % within 2.1 ms, all within 3.0 ms`.
impl fmt::Display for Delays {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all: u64 = self.counts.iter().sum();
        if all == 0 {
            return write!(f, "no answers");
        }
        let [half, most, last] = [500, 990, 1000].map(|of| self.quantile(of).as_secs_f64() * 1000.0);
        write!(f, "{all} answers; half within {half:.1} ms, 99 % within {most:.1} ms, all within {last:.1} ms")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_measured_from_when_they_are_due() {
        let (mut delays, begin) = (Delays::default(), Instant::now());
        let ms = Duration::from_millis;
        let (one, two): (Arc<str>, Arc<str>) = ("one".into(), "two".into());
        assert_eq!(delays.to_string(), "no answers");
        delays.asked(CommId(1), &one, begin, ms(100));
        // The second request waits for the first one, and arrives twice.
        delays.asked(CommId(1), &two, begin + ms(10), ms(100));
        delays.asked(CommId(1), &two, begin + ms(90), ms(100));
        delays.answered(CommId(1), &one, begin + ms(102));
        delays.answered(CommId(1), &two, begin + ms(200));
        delays.answered(CommId(1), &two, begin + ms(900));
        assert_eq!(delays.to_string(), "2 answers; half within 0.1 ms, 99 % within 2.1 ms, all within 2.1 ms");
    }
}
