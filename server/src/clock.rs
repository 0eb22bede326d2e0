//! A game's own clock and its timers. Rules see neither; they receive `elapsed` and the timer that is due.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use engine::TimerChange;
use tokio::time::Instant;

/// A timer beyond this is never due in practice.
const LONGEST: Duration = Duration::from_secs(100 * 365 * 24 * 3600);

/// Milliseconds that a game has been running, without the time when its process was down or its store was silent. All clones
/// are the same clock. Only the room of the game stops it.
#[derive(Clone, Debug)]
pub(crate) struct Clock(Arc<ClockState>);

#[derive(Debug)]
struct ClockState {
    before: u64,
    since: Instant,
    /// How long the clock has stood so far, without the present time.
    stood: AtomicU64,
    /// The time at which the clock stands, plus 1; 0 while it runs.
    standing: AtomicU64,
}

impl Clock {
    /// Continues from the elapsed time of the game.
    pub(crate) fn from(elapsed: u64) -> Self {
        let (stood, standing) = (AtomicU64::new(0), AtomicU64::new(0));
        Self(Arc::new(ClockState { before: elapsed, since: Instant::now(), stood, standing }))
    }

    pub(crate) fn elapsed(&self) -> u64 {
        match self.0.standing.load(Ordering::Acquire) {
            0 => self.0.running(Instant::now()),
            standing => standing - 1,
        }
    }

    /// Stops the clock as of this instant, which may be over, but not before a time that the game has seen.
    pub(crate) fn stand(&self, at: Instant, seen: u64) {
        if !self.is_standing() {
            self.0.standing.store(self.0.running(at).max(seen) + 1, Ordering::Release);
        }
    }

    /// Lets the clock run on from where it stands.
    pub(crate) fn go(&self) {
        let standing = self.0.standing.load(Ordering::Acquire);
        if standing > 0 {
            let missed = self.0.running(Instant::now()).saturating_sub(standing - 1);
            // This comes first, so that no reader sees the time jump.
            self.0.stood.fetch_add(missed, Ordering::Release);
            self.0.standing.store(0, Ordering::Release);
        }
    }

    /// When the clock shows this time; `None` while it stands.
    pub(crate) fn instant(&self, elapsed: u64) -> Option<Instant> {
        let after = elapsed.saturating_sub(self.0.before).saturating_add(self.0.stood.load(Ordering::Acquire));
        (!self.is_standing()).then(|| self.0.since + Duration::from_millis(after).min(LONGEST))
    }

    fn is_standing(&self) -> bool {
        self.0.standing.load(Ordering::Acquire) > 0
    }
}

impl ClockState {
    /// The time of the clock at an instant if it runs.
    fn running(&self, at: Instant) -> u64 {
        let since = u64::try_from(at.saturating_duration_since(self.since).as_millis()).unwrap_or(u64::MAX);
        self.before.saturating_add(since.saturating_sub(self.stood.load(Ordering::Acquire)))
    }
}

/// The timers that a game has set.
#[derive(Clone, Debug)]
pub(crate) struct Timers<T> {
    /// Each timer with the time of the game's clock at which it is due.
    set: Vec<(T, u64)>,
}

impl<T: Clone + Eq> Timers<T> {
    pub(crate) fn new() -> Self {
        Self { set: Vec::new() }
    }

    /// Applies changes that happen at this time of the game's clock.
    pub(crate) fn change(&mut self, changes: &[TimerChange<T>], elapsed: u64) {
        for change in changes {
            match change {
                TimerChange::Set { timer, after_ms } => {
                    let due = elapsed.saturating_add(*after_ms);
                    match self.set.iter_mut().find(|(set, _)| set == timer) {
                        Some((_, at)) => *at = due,
                        None => self.set.push((timer.clone(), due)),
                    }
                }
                TimerChange::Cancelled { timer } => self.set.retain(|(set, _)| set != timer),
            }
        }
    }

    /// The time of the game's clock at which the next timer is due.
    pub(crate) fn next(&self) -> Option<u64> {
        self.set.iter().map(|(_, due)| *due).min()
    }

    /// Removes and returns a timer that is due at this time of the game's clock.
    pub(crate) fn take_due(&mut self, elapsed: u64) -> Option<T> {
        let at = self.set.iter().position(|(_, due)| *due <= elapsed)?;
        Some(self.set.swap_remove(at).0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_clock_that_stands_misses_time() {
        let clock = Clock::from(100);
        let reader = clock.clone();
        let pass = |ms| tokio::time::advance(Duration::from_millis(ms));
        pass(5).await;
        assert_eq!(reader.elapsed(), 105);
        assert_eq!(clock.instant(110), Some(Instant::now() + Duration::from_millis(5)));
        for _ in 0..2 {
            clock.stand(Instant::now(), 0);
            pass(50).await;
            assert_eq!((reader.elapsed(), clock.instant(110)), (105, None));
        }
        clock.go();
        clock.go();
        assert_eq!(reader.elapsed(), 105);
        assert_eq!(clock.instant(110), Some(Instant::now() + Duration::from_millis(5)));
        pass(7).await;
        assert_eq!(reader.elapsed(), 112);
        clock.stand(Instant::now() - Duration::from_millis(5), 109);
        assert_eq!(reader.elapsed(), 109, "as of 5 ms ago, but the game has seen 109");
        clock.go();
        clock.stand(Instant::now() - Duration::from_millis(5), 0);
        assert_eq!(reader.elapsed(), 104);
        clock.go();
        assert!(clock.instant(u64::MAX) > Some(Instant::now() + LONGEST / 2), "never due in practice");
    }

    #[test]
    fn timers_are_due_by_the_clock_of_the_game() {
        let mut timers = Timers::new();
        let set = |timer, after_ms| TimerChange::Set { timer, after_ms };
        timers.change(&[set('a', 10), set('b', 5), set('c', u64::MAX)], 100);
        assert_eq!((timers.next(), timers.take_due(104)), (Some(105), None));
        assert_eq!((timers.take_due(105), timers.take_due(105)), (Some('b'), None));
        timers.change(&[set('a', 10)], 103);
        assert_eq!((timers.next(), timers.take_due(112)), (Some(113), None));
        timers.change(&[TimerChange::Cancelled { timer: 'a' }], 112);
        assert_eq!(timers.next(), Some(u64::MAX));
    }
}
