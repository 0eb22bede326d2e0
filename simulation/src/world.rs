//! The world of a simulated host: its clock is the runtime's driven clock, and its randomness is the seed's.

use std::{
    io,
    net::SocketAddr,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Mutex,
    time::Duration,
};

use server::{Dialing, World, sync::lock};
use tokio::time::{Instant, sleep};

use crate::random::Random;

/// The world of one host.
#[derive(Debug)]
pub(crate) struct SimWorld {
    /// The wall clock when the simulation began, in milliseconds since 1970.
    base: i64,
    began: Instant,
    random: Mutex<Random>,
}

impl SimWorld {
    /// A world whose wall clock showed `base` at `began`.
    pub(crate) fn new(base: i64, began: Instant, random: Random) -> Self {
        Self { base, began, random: Mutex::new(random) }
    }
}

impl World for SimWorld {
    fn now(&self) -> i64 {
        self.base + i64::try_from(self.began.elapsed().as_millis()).unwrap_or(i64::MAX)
    }

    fn random(&self, bytes: &mut [u8]) -> io::Result<()> {
        lock(&self.random).fill(bytes);
        Ok(())
    }

    /// Runs the work as a task, a little later: other tasks run in between, as they do beside a real thread.
    fn run_blocking(&self, work: Box<dyn FnOnce() + Send>) {
        let pause = Duration::from_micros(lock(&self.random).within(0..=3000));
        tokio::spawn(async move {
            sleep(pause).await;
            // A panic drops the sender of the result, which the caller notices.
            let _panicked = catch_unwind(AssertUnwindSafe(work));
        });
    }

    /// No simulated host calls another program.
    fn dial(&self, _: SocketAddr) -> Dialing {
        Box::pin(async { Err(io::ErrorKind::ConnectionRefused.into()) })
    }
}
