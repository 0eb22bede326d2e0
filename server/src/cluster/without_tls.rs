//! A program without TLS: it has no certificates, so nothing of this is reached.

use std::{
    error::Error,
    fmt, io,
    net::{IpAddr, SocketAddr},
    path::Path,
};

use crate::world::Stream;

/// The certificate of a host. This program has none.
#[derive(Clone, Debug)]
pub enum ClusterTls {}

/// This program was built without TLS.
#[derive(Debug)]
pub struct ClusterTlsError;

impl fmt::Display for ClusterTlsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("this program was built without TLS (feature `tls`)")
    }
}

impl Error for ClusterTlsError {}

impl ClusterTls {
    /// Fails.
    ///
    /// # Errors
    /// Always.
    pub fn read(_certificate: &Path, _key: &Path, _authorities: &Path) -> Result<Self, ClusterTlsError> {
        Err(ClusterTlsError)
    }

    /// There is no certificate.
    ///
    /// # Errors
    /// Never.
    pub fn check(&self, _address: IpAddr) -> Result<(), ClusterTlsError> {
        match *self {}
    }

    pub(crate) async fn accept(&self, _stream: Box<dyn Stream>) -> io::Result<Box<dyn Stream>> {
        match *self {}
    }

    pub(crate) async fn connect(&self, _address: SocketAddr, _stream: Box<dyn Stream>) -> io::Result<Box<dyn Stream>> {
        match *self {}
    }
}

/// The words for a fault of TLS.
pub(crate) fn fault_of_tls(_error: &io::Error) -> Option<String> {
    None
}
