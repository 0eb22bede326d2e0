//! Accepting connections.

use std::{
    fmt, io,
    net::SocketAddr,
    sync::atomic::{AtomicU64, Ordering},
};

use tokio::net::{TcpListener, TcpStream, ToSocketAddrs};

use crate::{Limits, Reader, Writer};

/// A connection, as long as its socket lives; counted from 1 and never used again in this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConnectionId(pub u64);

impl fmt::Display for ConnectionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// The port that clients connect to.
#[derive(Debug)]
pub struct ServerConnection {
    listener: TcpListener,
    limits: Limits,
}

/// Over all ports of the process: a room knows its connections by their ids, whichever port they came to.
static ACCEPTED: AtomicU64 = AtomicU64::new(0);

impl ServerConnection {
    pub async fn bind(address: impl ToSocketAddrs, limits: Limits) -> io::Result<Self> {
        Ok(Self::from_listener(TcpListener::bind(address).await?, limits))
    }

    pub fn from_listener(listener: TcpListener, limits: Limits) -> Self {
        Self { listener, limits }
    }

    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// The next connection. Cancel-safe. An error is of one attempt or a want of resources; accepting may go on.
    pub async fn accept(&self) -> io::Result<Peer> {
        let (stream, address) = self.listener.accept().await?;
        // Fails only for a peer that is gone, and the first read says so better.
        let _ = stream.set_nodelay(true);
        Ok(Peer { id: ConnectionId::next(), address, stream, limits: self.limits })
    }
}

impl ConnectionId {
    /// For a connection that has just come, over a port of this crate or in another way.
    pub fn next() -> Self {
        Self(ACCEPTED.fetch_add(1, Ordering::Relaxed) + 1)
    }
}

/// Somebody who connected and has not been listened to.
#[derive(Debug)]
pub struct Peer {
    id: ConnectionId,
    address: SocketAddr,
    stream: TcpStream,
    limits: Limits,
}

impl Peer {
    pub fn id(&self) -> ConnectionId {
        self.id
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    pub fn split(self) -> (Reader, Writer) {
        let (reading, writing) = self.stream.into_split();
        (Reader::new(reading, self.limits), Writer::new(writing))
    }
}
