//! A program without TLS: nothing of this is reached.

use std::{convert::Infallible, error::Error, fmt, io, path::Path};

use tokio::net::TcpStream;

use crate::{Fingerprint, Stream};

/// How a client encrypts its connections. This program cannot.
#[derive(Clone, Debug)]
pub enum ClientTls {}

/// Fingerprints of trusted certificates.
#[derive(Clone, Debug, Default)]
pub struct Pins(());

/// This program was built without TLS.
#[derive(Debug)]
pub struct ClientTlsError;

impl fmt::Display for ClientTlsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("this program was built without TLS (feature `tls`)")
    }
}

impl Error for ClientTlsError {}

/// What is wrong with the TLS of a server.
pub type TlsFault = Infallible;

pub(crate) fn fault(_error: &io::Error) -> Option<TlsFault> {
    None
}

impl Pins {
    /// These fingerprints.
    pub fn new(_pins: Vec<Fingerprint>) -> Self {
        Self(())
    }
}

impl ClientTls {
    /// Fails.
    ///
    /// # Errors
    /// Always.
    pub fn checked(_name: &str, _authorities: Option<&Path>) -> Result<Self, ClientTlsError> {
        Err(ClientTlsError)
    }

    /// Fails.
    ///
    /// # Errors
    /// Always.
    pub fn pinned(_pins: Pins) -> Result<Self, ClientTlsError> {
        Err(ClientTlsError)
    }

    /// There is no way to encrypt a connection.
    ///
    /// # Errors
    /// Never.
    pub async fn connect(&self, _stream: TcpStream) -> io::Result<Box<dyn Stream>> {
        match *self {}
    }
}
