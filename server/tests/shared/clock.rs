//! A clock that moves only when a test moves it, however busy the machine is.

use std::{future::Future, pin::pin, sync::mpsc, thread, time::Duration};

/// The length of one step, and the real time that tasks have to react to it.
const STEP: Duration = Duration::from_millis(10);
const MOMENT: Duration = Duration::from_millis(1);

/// Stops the clock of the runtime until it is dropped. For single-threaded runtimes.
pub(crate) struct Clock {
    _held: mpsc::Sender<()>,
}

impl Clock {
    pub(crate) fn stop() -> Self {
        tokio::time::pause();
        let (held, gone) = mpsc::channel::<()>();
        // A paused clock moves by itself when all tasks wait, even if they wait for a socket. A running blocking task prevents
        // that.
        tokio::task::spawn_blocking(move || gone.recv());
        Self { _held: held }
    }

    /// Moves the clock.
    pub(crate) async fn pass(&self, time: Duration) {
        tokio::time::advance(time).await;
    }

    /// Moves the clock until the future is ready.
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
