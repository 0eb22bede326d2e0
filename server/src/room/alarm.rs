//! A timer that a room sets again and again.

use std::pin::Pin;

use tokio::time::{Instant, Sleep, sleep_until};

/// Waits for moments that mostly come later and later. Each moment of its own would be a new timer of the runtime in every turn of
/// a room, under a lock of all rooms. This timer is set again only if it fires, or if a moment comes earlier than it would.
#[derive(Default)]
pub(super) struct Alarm {
    sleep: Option<Pin<Box<Sleep>>>,
    /// Whether the timer has yet to fire.
    is_set: bool,
}

impl Alarm {
    /// Waits until a moment; forever if there is none. A call that is dropped leaves the timer for the next one.
    pub(super) async fn until(&mut self, due: Option<Instant>) {
        let Some(due) = due else { return std::future::pending().await };
        let sleep = self.sleep.get_or_insert_with(|| {
            self.is_set = true;
            Box::pin(sleep_until(due))
        });
        if !self.is_set || due < sleep.deadline() {
            sleep.as_mut().reset(due);
            self.is_set = true;
        }
        loop {
            sleep.as_mut().await;
            self.is_set = false;
            if due <= sleep.deadline() {
                return;
            }
            // It was set for an earlier moment, which nothing waits for any more.
            sleep.as_mut().reset(due);
            self.is_set = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{future::Future, pin::pin, task::Context, time::Duration};

    use super::*;

    const MS: Duration = Duration::from_millis(1);

    fn is_pending(future: impl Future) -> bool {
        pin!(future).poll(&mut Context::from_waker(std::task::Waker::noop())).is_pending()
    }

    fn deadline(alarm: &Alarm) -> Instant {
        alarm.sleep.as_ref().expect("a timer").deadline()
    }

    #[tokio::test(start_paused = true)]
    async fn it_waits_for_the_last_moment_that_was_asked_for() {
        let (mut alarm, start) = (Alarm::default(), Instant::now());
        assert!(is_pending(alarm.until(Some(start + 250 * MS))));
        // Each turn of a room asks for a later moment.
        alarm.until(Some(start + 260 * MS)).await;
        assert_eq!(Instant::now(), start + 260 * MS);
        // An earlier one.
        assert!(is_pending(alarm.until(Some(start + 60_000 * MS))));
        alarm.until(Some(start + 300 * MS)).await;
        assert_eq!(Instant::now(), start + 300 * MS);
        // The same again, and one that is over.
        alarm.until(Some(start + 400 * MS)).await;
        alarm.until(Some(start + 400 * MS)).await;
        alarm.until(Some(start)).await;
        assert_eq!(Instant::now(), start + 400 * MS);
        // None, while the timer fires.
        assert!(is_pending(alarm.until(Some(start + 500 * MS))));
        let forever = tokio::time::timeout(1_000 * MS, alarm.until(None)).await;
        assert!(forever.is_err());
        alarm.until(Some(start + 1_500 * MS)).await;
        assert_eq!(Instant::now(), start + 1_500 * MS);
    }

    /// The reason for an alarm: 1,000 turns within 1 s, each with its own moment, set the timer 4 times and not 1,000 times.
    #[tokio::test(start_paused = true)]
    async fn it_is_set_only_when_it_fires() {
        let (mut alarm, mut times, mut last) = (Alarm::default(), 0, None);
        for _ in 0..1_000 {
            let due = Instant::now() + 250 * MS;
            assert!(is_pending(alarm.until(Some(due))));
            if last != Some(deadline(&alarm)) {
                (times, last) = (times + 1, Some(deadline(&alarm)));
            }
            tokio::time::advance(MS).await;
        }
        assert_eq!(times, 4);
    }
}
