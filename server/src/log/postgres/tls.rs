//! Encrypted connections to PostgreSQL.

use std::{
    io,
    path::PathBuf,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use rustls::{
    ClientConfig, RootCertStore,
    crypto::ring,
    pki_types::{CertificateDer, InvalidDnsNameError, ServerName, pem::PemObject},
};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::{
    Socket,
    tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream},
};
use tokio_rustls::{TlsConnector, client};

use crate::log::AddressError;

/// The authorities of the system, or those in a file.
pub(super) fn read_authorities(file: Option<PathBuf>) -> Result<RootCertStore, AddressError> {
    let mut roots = RootCertStore::empty();
    let failed = |path: &Option<PathBuf>, message: String| AddressError::Certificates { path: path.clone(), message };
    let certificates: Vec<CertificateDer<'static>> = match &file {
        Some(path) => {
            let read = CertificateDer::pem_file_iter(path).and_then(Iterator::collect);
            read.map_err(|error| failed(&file, error.to_string()))?
        }
        None => {
            let found = rustls_native_certs::load_native_certs();
            match found.errors.first() {
                Some(error) if found.certs.is_empty() => return Err(failed(&None, error.to_string())),
                Some(_) | None => found.certs,
            }
        }
    };
    // A system may have certificates that this library does not read.
    let (added, _ignored) = roots.add_parsable_certificates(certificates);
    if added == 0 { Err(failed(&file, "there are none".into())) } else { Ok(roots) }
}

/// Encrypts connections. The certificate and the name of the server are always checked.
pub(super) struct Tls {
    config: Arc<ClientConfig>,
}

impl Tls {
    pub(super) fn new(authorities: RootCertStore) -> Self {
        let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .expect("ring has what TLS 1.2 and 1.3 need")
            .with_root_certificates(authorities)
            .with_no_client_auth();
        Self { config: Arc::new(config) }
    }

    /// What the driver needs for one connection.
    pub(super) fn connector(&self) -> Connector {
        Connector { config: self.config.clone() }
    }
}

/// Makes a handshake for each host of an address.
#[derive(Clone)]
pub(super) struct Connector {
    config: Arc<ClientConfig>,
}

impl MakeTlsConnect<Socket> for Connector {
    type Stream = Encrypted;
    type TlsConnect = Handshake;
    type Error = InvalidDnsNameError;

    fn make_tls_connect(&mut self, domain: &str) -> Result<Handshake, InvalidDnsNameError> {
        let name = ServerName::try_from(domain)?.to_owned();
        Ok(Handshake { config: self.config.clone(), name })
    }
}

/// The handshake with one server.
pub(super) struct Handshake {
    config: Arc<ClientConfig>,
    name: ServerName<'static>,
}

impl TlsConnect<Socket> for Handshake {
    type Stream = Encrypted;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Encrypted>> + Send>>;

    fn connect(self, stream: Socket) -> Self::Future {
        let connecting = TlsConnector::from(self.config).connect(self.name, stream);
        Box::pin(async move { Ok(Encrypted(connecting.await?)) })
    }
}

/// An encrypted connection.
pub(super) struct Encrypted(client::TlsStream<Socket>);

impl TlsStream for Encrypted {
    fn channel_binding(&self) -> ChannelBinding {
        // The certificate is verified; the driver then authenticates without binding to the channel.
        ChannelBinding::none()
    }
}

impl AsyncRead for Encrypted {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(cx, into)
    }
}

impl AsyncWrite for Encrypted {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, from: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(cx, from)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(cx)
    }
}
