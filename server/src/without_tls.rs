//! A program without TLS: nothing of this is reached.

use std::{
    error::Error,
    fmt,
    path::Path,
    time::{Duration, SystemTime},
};

use commlib::{ClientTls, ClientTlsError, Fingerprint};
use tokio::net::TcpStream;

/// The certificate of the ports for clients. This program has none.
#[derive(Clone, Debug)]
pub enum ServerTls {}

/// What an operator wants to know about a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CertificateInfo {
    /// The fingerprint, which clients can pin.
    pub fingerprint: Fingerprint,
    /// When the certificate expires.
    pub expires: SystemTime,
}

/// This program was built without TLS.
#[derive(Debug)]
pub struct TlsError;

impl fmt::Display for TlsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("this program was built without TLS (feature `tls`)")
    }
}

impl Error for TlsError {}

/// The beginning of a connection to an encrypted port.
#[expect(dead_code, reason = "nothing is encrypted here")]
pub(crate) enum Opened {
    Encrypted(Box<TcpStream>),
    Plain(TcpStream),
    Failed(HandshakeError),
}

#[expect(dead_code, reason = "nothing is encrypted here")]
pub(crate) enum HandshakeError {
    TimedOut,
    Failed(std::io::Error),
}

impl fmt::Display for HandshakeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no TLS here")
    }
}

impl ServerTls {
    /// Fails.
    ///
    /// # Errors
    /// Always.
    pub fn read(_certificate: &Path, _key: &Path) -> Result<Self, TlsError> {
        Err(TlsError)
    }

    /// Fails.
    ///
    /// # Errors
    /// Always.
    pub fn self_signed(_names: Vec<String>) -> Result<Self, TlsError> {
        Err(TlsError)
    }

    /// There is no certificate.
    ///
    /// # Errors
    /// Never.
    pub fn reload(&self) -> Result<CertificateInfo, TlsError> {
        match *self {}
    }

    /// There is no certificate.
    pub fn certificate(&self) -> CertificateInfo {
        match *self {}
    }

    /// There is no certificate.
    ///
    /// # Errors
    /// Never.
    pub fn client(&self) -> Result<ClientTls, ClientTlsError> {
        match *self {}
    }

    /// There is no certificate.
    ///
    /// # Errors
    /// Never.
    pub async fn accept<S: Send>(&self, _stream: S) -> std::io::Result<S> {
        match *self {}
    }

    pub(crate) async fn open(&self, _stream: TcpStream, _limit: Duration) -> Opened {
        match *self {}
    }
}
