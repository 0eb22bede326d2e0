//! A game's own clock and its timers. Rules see neither; they receive `elapsed` and the timer that is due.

use std::time::Duration;

use engine::TimerChange;
use tokio::time::Instant;

/// Milliseconds that a game has been running, without the time when its process was down.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    before: u64,
    since: Instant,
}

impl Clock {
    /// Continues from the elapsed time of the game.
    pub(crate) fn from(elapsed: u64) -> Self {
        Self { before: elapsed, since: Instant::now() }
    }

    pub(crate) fn elapsed(&self) -> u64 {
        self.before + u64::try_from(self.since.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

const FOREVER: Duration = Duration::from_secs(100 * 365 * 24 * 3600);

/// The timers that a game has set.
#[derive(Clone, Debug)]
pub(crate) struct Timers<T> {
    set: Vec<(T, Instant)>,
}

impl<T: Clone + Eq> Timers<T> {
    pub(crate) fn new() -> Self {
        Self { set: Vec::new() }
    }

    pub(crate) fn change(&mut self, changes: &[TimerChange<T>]) {
        for change in changes {
            match change {
                TimerChange::Set { timer, after_ms } => {
                    // A timer beyond the range of the clock is never due in practice.
                    let now = Instant::now();
                    let due = now.checked_add(Duration::from_millis(*after_ms)).unwrap_or(now + FOREVER);
                    match self.set.iter_mut().find(|(set, _)| set == timer) {
                        Some((_, at)) => *at = due,
                        None => self.set.push((timer.clone(), due)),
                    }
                }
                TimerChange::Cancelled { timer } => self.set.retain(|(set, _)| set != timer),
            }
        }
    }

    /// When the next timer is due.
    pub(crate) fn next(&self) -> Option<Instant> {
        self.set.iter().map(|(_, due)| *due).min()
    }

    /// Removes and returns a timer that is due.
    pub(crate) fn take_due(&mut self) -> Option<T> {
        let now = Instant::now();
        let at = self.set.iter().position(|(_, due)| *due <= now)?;
        Some(self.set.swap_remove(at).0)
    }
}
