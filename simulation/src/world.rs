//! The world of a simulated host: its clock is the runtime's driven clock, and its randomness is the seed's.

use std::{
    io,
    net::{Ipv4Addr, SocketAddr},
    num::NonZero,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex},
    time::Duration,
};

use server::{Dialed, Dialing, World, sync::lock};
use tokio::time::{Instant, sleep};

use crate::{
    freeze::Freeze,
    link::{Control, Quality},
    network::{Network, host_at},
    random::Random,
};

/// The cores of every simulated host.
const CORES: NonZero<usize> = NonZero::new(2).unwrap();

/// Opens the connections of one host to programs beside it.
#[derive(Debug)]
pub(crate) struct Dialer {
    /// The number of the host.
    number: usize,
    network: Arc<Network>,
    freeze: Arc<Freeze>,
    random: Mutex<Random>,
    /// The connections that it has opened.
    pub(crate) dialed: Arc<Mutex<Vec<Control>>>,
}

impl Dialer {
    pub(crate) fn new(number: usize, network: Arc<Network>, freeze: Arc<Freeze>, random: Random) -> Self {
        Self { number, network, freeze, random: Mutex::new(random), dialed: Arc::default() }
    }

    async fn dial(&self, address: SocketAddr) -> Option<Dialed> {
        let (quality, of_link) = {
            let mut random = lock(&self.random);
            (Quality::draw(&mut random), Random::new(random.next(), 0))
        };
        let freeze = self.freeze.clone();
        let (here, control) = match host_at(address) {
            Some(host) => self.network.dial_host([self.number, host], quality, of_link, freeze).await?,
            None => self.network.dial(address, quality, of_link, freeze)?,
        };
        let mut dialed = lock(&self.dialed);
        dialed.retain(Control::is_open);
        dialed.push(control);
        Some(Dialed { stream: Box::new(here), local: (Ipv4Addr::LOCALHOST, 4001).into() })
    }
}

/// The world of one host.
#[derive(Debug)]
pub(crate) struct SimWorld {
    /// The wall clock when the simulation began, in milliseconds since 1970.
    base: i64,
    began: Instant,
    random: Mutex<Random>,
    dialer: Arc<Dialer>,
}

impl SimWorld {
    /// A world whose wall clock showed `base` at `began`.
    pub(crate) fn new(base: i64, began: Instant, random: Random, dialer: Dialer) -> Self {
        Self { base, began, random: Mutex::new(random), dialer: Arc::new(dialer) }
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

    /// The same on every machine, so that a seed is.
    fn cores(&self) -> NonZero<usize> {
        CORES
    }

    fn dial(&self, address: SocketAddr) -> Dialing {
        let dialer = self.dialer.clone();
        Box::pin(async move { dialer.dial(address).await.ok_or_else(|| io::ErrorKind::ConnectionRefused.into()) })
    }
}
