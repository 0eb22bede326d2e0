//! Accepts connections.

use std::{
    fmt, io,
    net::SocketAddr,
    sync::atomic::{AtomicU64, Ordering},
};

use tokio::net::{TcpListener, TcpStream, ToSocketAddrs};

use crate::{Limits, Reader, Writer};

/// The number of a connection, from 1. A process never reuses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConnectionId(pub u64);

impl fmt::Display for ConnectionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// A listening port for clients.
#[derive(Debug)]
pub struct ServerConnection {
    listener: TcpListener,
    limits: Limits,
}

/// All ports of the process share one counter, because connections of one room may come from different ports.
static ACCEPTED: AtomicU64 = AtomicU64::new(0);

impl ServerConnection {
    /// Opens a port.
    ///
    /// # Errors
    /// If the port cannot be opened.
    pub async fn bind(address: impl ToSocketAddrs, limits: Limits) -> io::Result<Self> {
        Ok(Self::from_listener(TcpListener::bind(address).await?, limits))
    }

    /// Uses a port that is already open.
    pub fn from_listener(listener: TcpListener, limits: Limits) -> Self {
        Self { listener, limits }
    }

    /// The address of the port.
    ///
    /// # Errors
    /// If the system does not know it.
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Accepts the next connection. Cancel-safe.
    ///
    /// # Errors
    /// If this connection failed, or a resource is exhausted. The caller may try again.
    pub async fn accept(&self) -> io::Result<Peer> {
        let (stream, address) = self.listener.accept().await?;
        // This fails only if the peer is gone, and then the first read reports a better error.
        let _ = stream.set_nodelay(true);
        Ok(Peer { id: ConnectionId::next(), address, stream, limits: self.limits })
    }
}

impl ConnectionId {
    /// The number of a new connection. The connection may come from a port outside this crate.
    pub fn next() -> Self {
        Self(ACCEPTED.fetch_add(1, Ordering::Relaxed) + 1)
    }
}

/// A new connection, before its first message.
#[derive(Debug)]
pub struct Peer {
    id: ConnectionId,
    address: SocketAddr,
    stream: TcpStream,
    limits: Limits,
}

impl Peer {
    /// The number of the connection.
    pub fn id(&self) -> ConnectionId {
        self.id
    }

    /// The client's address.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The connection itself.
    pub fn into_stream(self) -> TcpStream {
        self.stream
    }

    /// Splits the connection into its two directions.
    pub fn split(self) -> (Reader, Writer) {
        let (reading, writing) = self.stream.into_split();
        (Reader::new(reading, self.limits), Writer::new(writing))
    }
}
