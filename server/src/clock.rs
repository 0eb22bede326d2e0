//! A game's own clock and its timers. Rules see neither; they are told `elapsed` and which timer is due.

use std::time::Duration;

use engine::TimerChange;
use tokio::time::Instant;

/// Milliseconds that a game has been running, not counting when its process was down.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    before: u64,
    since: Instant,
}

impl Clock {
    /// Goes on from where the game stood.
    pub(crate) fn from(elapsed: u64) -> Self {
        Self { before: elapsed, since: Instant::now() }
    }

    pub(crate) fn elapsed(&self) -> u64 {
        self.before + u64::try_from(self.since.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

/// The timers that a game has set.
#[derive(Clone, Debug)]
pub(crate) struct Timers<T> {
    set: Vec<(T, Duration, Instant)>,
}

impl<T: Clone + Eq> Timers<T> {
    pub(crate) fn new() -> Self {
        Self { set: Vec::new() }
    }

    pub(crate) fn change(&mut self, changes: &[TimerChange<T>]) {
        for change in changes {
            match change {
                TimerChange::Set { timer, after } => {
                    let after = Duration::from_millis(*after);
                    let due = Instant::now() + after;
                    match self.set.iter_mut().find(|(set, ..)| set == timer) {
                        Some(found) => (found.1, found.2) = (after, due),
                        None => self.set.push((timer.clone(), after, due)),
                    }
                }
                TimerChange::Cancelled { timer } => self.set.retain(|(set, ..)| set != timer),
            }
        }
    }

    /// After a restart every timer has its full length again.
    pub(crate) fn restart(&mut self) {
        let now = Instant::now();
        self.set.iter_mut().for_each(|(_, after, due)| *due = now + *after);
    }

    /// When the next timer is due.
    pub(crate) fn next(&self) -> Option<Instant> {
        self.set.iter().map(|(.., due)| *due).min()
    }

    /// Takes a timer that is due.
    pub(crate) fn take_due(&mut self) -> Option<T> {
        let now = Instant::now();
        let at = self.set.iter().position(|(.., due)| *due <= now)?;
        Some(self.set.swap_remove(at).0)
    }
}
