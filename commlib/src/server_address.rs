//! Where a server is, and whether a client encrypts what it sends there.

use std::{fmt, io, net::SocketAddr};

use tokio::net::TcpStream;

use crate::{ClientTls, Stream};

/// Where a server is, and how clients connect to it.
#[derive(Clone)]
pub struct ServerAddress {
    /// Host and port.
    pub address: String,
    /// How to encrypt the connection; `None` for plain TCP.
    pub tls: Option<ClientTls>,
    /// The token of an account that the client plays for; `None` for a guest. It is sent before the first hello.
    pub account: Option<String>,
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
        Self { address: address.to_string(), tls: None, account: None }
    }
}

impl From<&str> for ServerAddress {
    fn from(address: &str) -> Self {
        Self { address: address.into(), tls: None, account: None }
    }
}

impl fmt::Debug for ServerAddress {
    /// Does not show the token.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServerAddress").field("address", &self.address).field("tls", &self.tls).finish_non_exhaustive()
    }
}

impl fmt::Display for ServerAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.address)
    }
}
