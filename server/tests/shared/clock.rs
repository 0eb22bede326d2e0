//! Time that passes only when a test says so, however busy the machine is.

use std::{future::Future, pin::pin, sync::mpsc, thread, time::Duration};

/// How much time passes at once, and how long everybody has to notice it.
const STEP: Duration = Duration::from_millis(10);
const MOMENT: Duration = Duration::from_millis(1);

/// While it lives, the clock of the runtime stands still. For runtimes of one thread.
pub(crate) struct Clock {
    _held: mpsc::Sender<()>,
}

impl Clock {
    pub(crate) fn stop() -> Self {
        tokio::time::pause();
        let (held, gone) = mpsc::channel::<()>();
        // A paused clock goes on by itself when all tasks wait, even if they wait for a socket; but not while there is a
        // blocking task.
        tokio::task::spawn_blocking(move || gone.recv());
        Self { _held: held }
    }

    /// Lets time pass.
    pub(crate) async fn pass(&self, time: Duration) {
        tokio::time::advance(time).await;
    }

    /// Lets time pass until something has happened.
    pub(crate) async fn until<T>(&self, happens: impl Future<Output = T>) -> T {
        let mut happens = pin!(happens);
        loop {
            tokio::select! {
                biased;
                happened = &mut happens => return happened,
                () = self.step() => {}
            }
        }
    }

    async fn step(&self) {
        tokio::task::yield_now().await;
        thread::sleep(MOMENT);
        self.pass(STEP).await;
    }
}
