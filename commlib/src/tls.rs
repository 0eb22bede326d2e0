//! Encrypted connections of clients. A client trusts certificates of known authorities, or certificates whose fingerprint it has.

use std::{
    error::Error,
    fmt, io,
    path::{Path, PathBuf},
    sync::{Arc, PoisonError, RwLock},
};

use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, OtherError, RootCertStore, SignatureScheme,
    client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier},
    crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature},
    pki_types::{CertificateDer, InvalidDnsNameError, ServerName, UnixTime, pem::PemObject},
};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

use crate::{Fingerprint, Stream};

/// How a client encrypts its connections, and which servers it trusts.
#[derive(Clone)]
pub struct ClientTls(Arc<Settings>);

struct Settings {
    connector: TlsConnector,
    /// The name that the certificate must have, unless it is pinned.
    name: ServerName<'static>,
}

/// Fingerprints of trusted certificates. A server that gets a new certificate adds it for the clients in its own process.
#[derive(Clone, Debug, Default)]
pub struct Pins(Arc<RwLock<Vec<Fingerprint>>>);

/// Why a client cannot use TLS.
#[derive(Debug)]
pub enum ClientTlsError {
    /// The name of the server cannot be that of a certificate.
    Name {
        /// The name.
        name: String,
        /// The reason.
        cause: InvalidDnsNameError,
    },
    /// The file of authorities cannot be used.
    Authorities {
        /// The file.
        path: PathBuf,
        /// The reason.
        cause: String,
    },
    /// The system has no authorities.
    NoAuthorities,
    /// The library refuses the settings.
    Settings(rustls::Error),
}

impl fmt::Display for ClientTlsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name { name, cause } => write!(f, "{name:?} cannot be the name in a certificate: {cause}"),
            Self::Authorities { path, cause } => write!(f, "cannot use {}: {cause}", path.display()),
            Self::NoAuthorities => f.write_str("this system has no certificate authorities; pin the certificate"),
            Self::Settings(error) => error.fmt(f),
        }
    }
}

impl Error for ClientTlsError {}

/// What is wrong with the TLS of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TlsFault {
    /// The server has another certificate than the client expects.
    OtherCertificate {
        /// The fingerprint of the server's certificate.
        presented: Fingerprint,
    },
    /// The certificate is not valid for this server.
    Untrusted {
        /// The reason.
        cause: String,
    },
    /// The server does not use TLS.
    NotTls,
    /// Another fault.
    Other {
        /// The words of the library.
        words: String,
    },
}

impl fmt::Display for TlsFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherCertificate { presented } => {
                write!(f, "the server has another certificate than the pinned one; its fingerprint is {presented}")
            }
            Self::Untrusted { cause } => write!(f, "the certificate of the server is not trusted: {cause}"),
            Self::NotTls => f.write_str("the server does not use TLS on this port"),
            Self::Other { words } => write!(f, "TLS failed: {words}"),
        }
    }
}

impl Error for TlsFault {}

/// The fault of TLS in an error of a connection, if it has one.
pub(crate) fn fault(error: &io::Error) -> Option<TlsFault> {
    let error = error.get_ref()?.downcast_ref::<rustls::Error>()?;
    Some(if let rustls::Error::InvalidCertificate(certificate) = error {
        let pin = if let CertificateError::Other(other) = certificate { other.0.downcast_ref() } else { None };
        pin.cloned().unwrap_or_else(|| TlsFault::Untrusted { cause: error.to_string() })
    } else if let rustls::Error::InvalidMessage(_) = error {
        TlsFault::NotTls
    } else {
        TlsFault::Other { words: error.to_string() }
    })
}

impl Fingerprint {
    /// The fingerprint of a certificate (DER).
    pub fn of(certificate: &[u8]) -> Self {
        let suite = ring::cipher_suite::TLS13_AES_128_GCM_SHA256;
        let digest = suite.tls13().map(|suite| suite.common.hash_provider.hash(certificate));
        let bytes = digest.and_then(|digest| digest.as_ref().try_into().ok());
        Self(bytes.expect("this suite has SHA-256, whose digests have 32 bytes"))
    }
}

impl Pins {
    /// These fingerprints.
    pub fn new(pins: Vec<Fingerprint>) -> Self {
        Self(Arc::new(RwLock::new(pins)))
    }

    /// Adds a fingerprint.
    pub fn add(&self, pin: Fingerprint) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).push(pin);
    }

    fn has(&self, pin: Fingerprint) -> bool {
        self.0.read().unwrap_or_else(PoisonError::into_inner).contains(&pin)
    }
}

impl ClientTls {
    /// Trusts the authorities in a file (PEM), or those of the system, if the certificate has this name or IP address.
    ///
    /// # Errors
    /// If there are no authorities, or nothing can have this name.
    pub fn checked(name: &str, authorities: Option<&Path>) -> Result<Self, ClientTlsError> {
        let named = ServerName::try_from(name.to_owned());
        let name = named.map_err(|cause| ClientTlsError::Name { name: name.into(), cause })?;
        let mut roots = RootCertStore::empty();
        match authorities {
            Some(path) => {
                let failed = |cause: String| ClientTlsError::Authorities { path: path.into(), cause };
                for found in CertificateDer::pem_file_iter(path).map_err(|error| failed(error.to_string()))? {
                    let root = found.map_err(|error| failed(error.to_string()))?;
                    roots.add(root).map_err(|error| failed(error.to_string()))?;
                }
                if roots.is_empty() {
                    return Err(failed("it has no certificate".into()));
                }
            }
            None => {
                roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
                if roots.is_empty() {
                    return Err(ClientTlsError::NoAuthorities);
                }
            }
        }
        let config = builder()?.with_root_certificates(roots).with_no_client_auth();
        Ok(Self(Arc::new(Settings { connector: TlsConnector::from(Arc::new(config)), name })))
    }

    /// Trusts the certificates with these fingerprints and no others, whatever their names and times are.
    ///
    /// # Errors
    /// If the library refuses the settings.
    pub fn pinned(pins: Pins) -> Result<Self, ClientTlsError> {
        let verifier = PinVerifier { pins, provider: ring::default_provider() };
        let config = builder()?.dangerous().with_custom_certificate_verifier(Arc::new(verifier)).with_no_client_auth();
        // The name is sent to the server, and otherwise not used.
        let name = ServerName::try_from("localhost")
            .map_err(|cause| ClientTlsError::Name { name: "localhost".into(), cause })?;
        Ok(Self(Arc::new(Settings { connector: TlsConnector::from(Arc::new(config)), name })))
    }

    /// Encrypts a connection.
    ///
    /// # Errors
    /// If the handshake fails.
    pub async fn connect(&self, stream: TcpStream) -> io::Result<Box<dyn Stream>> {
        Ok(Box::new(self.0.connector.connect(self.0.name.clone(), stream).await?))
    }
}

fn builder() -> Result<rustls::ConfigBuilder<ClientConfig, rustls::WantsVerifier>, ClientTlsError> {
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
    builder.with_safe_default_protocol_versions().map_err(ClientTlsError::Settings)
}

impl fmt::Debug for ClientTls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientTls").field("name", &self.0.name).finish_non_exhaustive()
    }
}

/// Accepts pinned certificates. The signature of the handshake is checked as always: the server must have the key.
#[derive(Debug)]
struct PinVerifier {
    pins: Pins,
    provider: CryptoProvider,
}

impl ServerCertVerifier for PinVerifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _name: &ServerName<'_>,
        _ocsp: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        let presented = Fingerprint::of(end_entity);
        if self.pins.has(presented) {
            return Ok(ServerCertVerified::assertion());
        }
        let fault = OtherError(Arc::new(TlsFault::OtherCertificate { presented }));
        Err(rustls::Error::InvalidCertificate(CertificateError::Other(fault)))
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(message, certificate, signature, &self.provider.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, certificate, signature, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}
