//! The interface between a host and the outside world: the wall clock, randomness, blocking threads, and the network.
//!
//! A host gets everything from outside through [`World`], so that a simulation can control all of it with a seed. Programs use
//! [`RealWorld`].

use std::{
    fmt,
    future::Future,
    io,
    net::SocketAddr,
    num::NonZero,
    pin::Pin,
    thread,
    time::{SystemTime, UNIX_EPOCH},
};

pub use commlib::Stream;
use commlib::{Reason, Refused};
use tokio::{net::TcpStream, sync::oneshot};

/// Everything that a host gets from outside.
pub trait World: fmt::Debug + Send + Sync {
    /// The wall clock, in milliseconds since 1970. It is for people only: rules never see it.
    fn now(&self) -> i64;

    /// Fills the buffer with bytes that cannot be guessed.
    ///
    /// # Errors
    ///
    /// If the operating system provides no randomness.
    fn random(&self, bytes: &mut [u8]) -> io::Result<()>;

    /// Runs blocking work where it delays no task. The work always completes, unless it panics.
    fn run_blocking(&self, work: Box<dyn FnOnce() + Send>);

    /// Opens a connection to another program.
    fn dial(&self, address: SocketAddr) -> Dialing;

    /// How many blocking works run at the same time without delaying each other.
    fn cores(&self) -> NonZero<usize> {
        thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN)
    }
}

/// A connection that is being opened.
pub type Dialing = Pin<Box<dyn Future<Output = io::Result<Dialed>> + Send>>;

/// A connection that was opened.
pub struct Dialed {
    /// The connection itself.
    pub stream: Box<dyn Stream>,
    /// The local address of the connection.
    pub local: SocketAddr,
}

impl fmt::Debug for Dialed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dialed").field("local", &self.local).finish_non_exhaustive()
    }
}

/// Work that gave no result, because it panicked or the process is ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unfinished;

impl dyn World + '_ {
    /// Runs blocking work and returns its result.
    ///
    /// # Errors
    ///
    /// [`Unfinished`] if it panics.
    pub async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Unfinished> {
        let (done, given) = oneshot::channel();
        self.run_blocking(Box::new(move || drop(done.send(work()))));
        given.await.map_err(|_| Unfinished)
    }

    /// `N` bytes that cannot be guessed.
    pub(crate) fn random_bytes<const N: usize>(&self) -> Result<[u8; N], Refused> {
        let mut bytes = [0; N];
        self.random(&mut bytes)
            .map_err(|error| Refused::new(Reason::Internal, format!("The system gives no random numbers: {error}.")))?;
        Ok(bytes)
    }
}

/// The real world: the operating system's clock and randomness, tokio's threads, TCP.
#[derive(Clone, Copy, Debug, Default)]
pub struct RealWorld;

impl World for RealWorld {
    fn now(&self) -> i64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
    }

    fn random(&self, bytes: &mut [u8]) -> io::Result<()> {
        getrandom::fill(bytes).map_err(io::Error::other)
    }

    fn run_blocking(&self, work: Box<dyn FnOnce() + Send>) {
        drop(tokio::task::spawn_blocking(work));
    }

    fn dial(&self, address: SocketAddr) -> Dialing {
        Box::pin(async move {
            let stream = TcpStream::connect(address).await?;
            stream.set_nodelay(true)?;
            let local = stream.local_addr()?;
            Ok(Dialed { stream: Box::new(stream), local })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn work_gives_a_result_or_is_unfinished() {
        let world: &dyn World = &RealWorld;
        assert_eq!(world.blocking(|| 7).await, Ok(7));
        assert_eq!(world.blocking(|| -> u8 { panic!("a test wants it") }).await, Err(Unfinished));
    }

    #[tokio::test]
    async fn a_connection_knows_its_own_address() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let (dialed, accepted) = tokio::join!(RealWorld.dial(address), listener.accept());
        assert_eq!(dialed.expect("a connection").local, accepted.expect("the same").1);
    }
}
