//! How long answers take beyond what the actions cost.

use std::{collections::HashMap, fmt, sync::Arc, time::Duration};

use engine::CommId;
use tokio::time::Instant;

/// So many requests are measured at a time; more are not worth the memory.
const MOST_WAITING: usize = 10_000;
/// Microseconds of a step of the measure.
const STEP: u64 = 100;
const LONGEST: usize = 100_000;

/// Answers by how late they were, and requests that wait for theirs.
#[derive(Debug, Default)]
pub(super) struct Delays {
    /// When each is due: after what it waits for, and what it costs.
    due: HashMap<(CommId, Arc<str>), Instant>,
    free: HashMap<CommId, Instant>,
    /// How many answers there were for each step of the measure; the last one is for all that were later.
    counts: Vec<u64>,
}

impl Delays {
    /// A request came. One that came before is still the same.
    pub(super) fn asked(&mut self, client: CommId, id: &Arc<str>, at: Instant, cost: Duration) {
        if self.due.len() >= MOST_WAITING {
            self.due.clear();
        }
        let free = self.free.entry(client).or_insert(at);
        let due = at.max(*free) + cost;
        if let std::collections::hash_map::Entry::Vacant(vacant) = self.due.entry((client, id.clone())) {
            vacant.insert(due);
            *free = due;
        }
    }

    /// Its answer leaves now, or it is known that there is none.
    pub(super) fn answered(&mut self, client: CommId, id: &Arc<str>, now: Instant) {
        let Some(due) = self.due.remove(&(client, id.clone())) else { return };
        let step = (now.saturating_duration_since(due).as_micros() / u128::from(STEP)).min(LONGEST as u128) as usize;
        if self.counts.len() <= step {
            self.counts.resize(step + 1, 0);
        }
        self.counts[step] += 1;
    }

    /// So many of a thousand answers were not later.
    fn quantile(&self, of_thousand: u64) -> Duration {
        let wanted = (self.counts.iter().sum::<u64>() * of_thousand).div_ceil(1000);
        let mut passed = 0;
        let step = self.counts.iter().position(|count| {
            passed += count;
            passed >= wanted
        });
        Duration::from_micros((step.unwrap_or(0) as u64 + 1) * STEP)
    }
}

/// For people: `120 answers; half within 0.4 ms, 99 % within 2.1 ms, all within 3.0 ms`.
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
        // Behind the first, and it comes twice.
        delays.asked(CommId(1), &two, begin + ms(10), ms(100));
        delays.asked(CommId(1), &two, begin + ms(90), ms(100));
        delays.answered(CommId(1), &one, begin + ms(102));
        delays.answered(CommId(1), &two, begin + ms(200));
        delays.answered(CommId(1), &two, begin + ms(900));
        assert_eq!(delays.to_string(), "2 answers; half within 0.1 ms, 99 % within 2.1 ms, all within 2.1 ms");
    }
}
