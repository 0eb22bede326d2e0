//! Where a server is, and whether a client encrypts what it sends there.

use std::{fmt, io, net::SocketAddr};

use tokio::net::TcpStream;

use crate::{Stream, tls::ClientTls};

/// Where a server is, and how clients connect to it.
#[derive(Clone, Debug)]
pub struct ServerAddress {
    /// Host and port.
    pub address: String,
    /// How to encrypt the connection; `None` for plain TCP.
    pub tls: Option<ClientTls>,
}

impl ServerAddress {
    /// Opens a connection.
    ///
    /// # Errors
    /// If the server cannot be reached. If it does not use TLS as expected, the error has a [`TlsFault`](crate::TlsFault).
    pub async fn connect(&self) -> io::Result<Box<dyn Stream>> {
        let stream = TcpStream::connect(&*self.address).await?;
        stream.set_nodelay(true)?;
        match &self.tls {
            None => Ok(Box::new(stream)),
            Some(tls) => tls.connect(stream).await,
        }
    }
}

impl From<SocketAddr> for ServerAddress {
    fn from(address: SocketAddr) -> Self {
        Self { address: address.to_string(), tls: None }
    }
}

impl From<&str> for ServerAddress {
    fn from(address: &str) -> Self {
        Self { address: address.into(), tls: None }
    }
}

impl fmt::Display for ServerAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.address)
    }
}
