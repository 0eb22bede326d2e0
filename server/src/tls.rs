//! Encrypted ports for clients. The certificate can be replaced while the host runs.

use std::{
    error::Error,
    fmt, io,
    path::{Path, PathBuf},
    sync::{Arc, PoisonError, RwLock},
    time::{Duration, SystemTime},
};

use commlib::{ClientTls, ClientTlsError, Fingerprint, Pins};
use rustls::{
    CertificateError, RootCertStore, ServerConfig,
    client::{WebPkiServerVerifier, danger::ServerCertVerifier},
    crypto::ring,
    pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer, ServerName, UnixTime, pem::PemObject},
};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::TcpStream,
    time::timeout,
};
use tokio_rustls::{TlsAcceptor, server::TlsStream};

/// The first byte of every connection with TLS: the type of the handshake's record.
const HANDSHAKE_RECORD: u8 = 22;

/// The certificate of the ports for clients, and its key. Clones share them.
#[derive(Clone)]
pub struct ServerTls(Arc<Shared>);

struct Shared {
    source: Source,
    current: RwLock<Identity>,
    /// Every certificate that this host has had.
    pins: Pins,
}

/// Where a certificate comes from.
enum Source {
    Files { certificate: PathBuf, key: PathBuf },
    SelfSigned,
}

/// A certificate in use.
#[derive(Clone)]
struct Identity {
    acceptor: TlsAcceptor,
    about: CertificateInfo,
}

/// What an operator wants to know about a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CertificateInfo {
    /// The fingerprint, which clients can pin.
    pub fingerprint: Fingerprint,
    /// When the certificate expires.
    pub expires: SystemTime,
}

/// Why a certificate cannot be used.
#[derive(Debug)]
pub enum TlsError {
    /// A file cannot be read, or has nothing of the kind.
    File {
        /// The file.
        path: PathBuf,
        /// The reason.
        cause: String,
    },
    /// The certificate is not valid now.
    NotNow {
        /// The file.
        path: PathBuf,
        /// The reason.
        cause: rustls::Error,
    },
    /// No certificate could be made.
    NotMade(rcgen::Error),
    /// The library refuses a certificate.
    Refused(rustls::Error),
}

impl fmt::Display for TlsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { path, cause } => write!(f, "cannot use {}: {cause}", path.display()),
            Self::NotNow { path, cause } => write!(f, "clients would not accept {}: {cause}", path.display()),
            Self::NotMade(cause) => write!(f, "cannot make a certificate: {cause}"),
            Self::Refused(cause) => write!(f, "cannot use the certificate: {cause}"),
        }
    }
}

impl Error for TlsError {}

/// The beginning of a connection to an encrypted port.
#[derive(Debug)]
pub(crate) enum Opened {
    /// Everything from here on is encrypted.
    Encrypted(Box<TlsStream<TcpStream>>),
    /// The client does not use TLS.
    Plain(TcpStream),
    /// There is no connection.
    Failed(HandshakeError),
}

/// Why a client and a host did not agree on a key.
#[derive(Debug)]
pub(crate) enum HandshakeError {
    /// The client was too slow.
    TimedOut,
    /// The client left, or does not accept what the host offers.
    Failed(io::Error),
}

impl fmt::Display for HandshakeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TimedOut => f.write_str("no TLS handshake in time"),
            Self::Failed(error) => error.fmt(f),
        }
    }
}

impl ServerTls {
    /// Reads a certificate with its chain, and its key. Both files are PEM.
    ///
    /// # Errors
    /// If a file cannot be read, the key is not that of the certificate, or the certificate is not valid now.
    pub fn read(certificate: &Path, key: &Path) -> Result<Self, TlsError> {
        let identity = Identity::read(certificate, key)?;
        Ok(Self::new(Source::Files { certificate: certificate.into(), key: key.into() }, identity))
    }

    /// Makes a certificate for these names and IP addresses. No authority signs it, so clients must pin it.
    ///
    /// # Errors
    /// If the system gives no random numbers, or a name cannot be in a certificate.
    pub fn self_signed(names: Vec<String>) -> Result<Self, TlsError> {
        let made = rcgen::generate_simple_self_signed(names).map_err(TlsError::NotMade)?;
        let key = PrivatePkcs8KeyDer::from(made.signing_key.serialize_der());
        let identity = Identity::new(vec![made.cert.der().clone()], key.into()).map_err(TlsError::Refused)?;
        Ok(Self::new(Source::SelfSigned, identity))
    }

    fn new(source: Source, identity: Identity) -> Self {
        let pins = Pins::new(vec![identity.about.fingerprint]);
        Self(Arc::new(Shared { source, current: RwLock::new(identity), pins }))
    }

    /// Reads the files again. New connections get the new certificate; open ones stay as they are. A certificate without files
    /// stays the same.
    ///
    /// # Errors
    /// As [`read`](Self::read). Then the old certificate stays in use.
    pub fn reload(&self) -> Result<CertificateInfo, TlsError> {
        match &self.0.source {
            Source::SelfSigned => Ok(self.certificate()),
            Source::Files { certificate, key } => {
                let identity = Identity::read(certificate, key)?;
                let about = identity.about;
                // A client of this process may see the new certificate at once.
                self.0.pins.add(about.fingerprint);
                *self.0.current.write().unwrap_or_else(PoisonError::into_inner) = identity;
                Ok(about)
            }
        }
    }

    /// The certificate that new connections get.
    pub fn certificate(&self) -> CertificateInfo {
        self.current().about
    }

    /// For clients in this process: trusts every certificate that this host has had.
    ///
    /// # Errors
    /// If the library refuses the settings.
    pub fn client(&self) -> Result<ClientTls, ClientTlsError> {
        ClientTls::pinned(self.0.pins.clone())
    }

    /// Agrees with a client on a key, over any connection. The caller limits the time.
    ///
    /// # Errors
    /// If the client leaves, sends something else than a handshake, or does not accept what the host offers.
    pub async fn accept<S: AsyncRead + AsyncWrite + Send + Unpin>(&self, stream: S) -> io::Result<TlsStream<S>> {
        self.current().acceptor.accept(stream).await
    }

    /// Agrees with a client on a key, within a time limit.
    pub(crate) async fn open(&self, stream: TcpStream, limit: Duration) -> Opened {
        let opening = async {
            let mut first = [0];
            let failed = HandshakeError::Failed;
            match stream.peek(&mut first).await {
                Ok(0) => return Opened::Failed(failed(io::ErrorKind::UnexpectedEof.into())),
                Ok(_) if first != [HANDSHAKE_RECORD] => return Opened::Plain(stream),
                Ok(_) => {}
                Err(error) => return Opened::Failed(failed(error)),
            }
            match self.accept(stream).await {
                Ok(stream) => Opened::Encrypted(Box::new(stream)),
                Err(error) => Opened::Failed(failed(error)),
            }
        };
        timeout(limit, opening).await.unwrap_or(Opened::Failed(HandshakeError::TimedOut))
    }

    fn current(&self) -> Identity {
        self.0.current.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl fmt::Debug for ServerTls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServerTls").field("certificate", &self.certificate()).finish_non_exhaustive()
    }
}

impl Identity {
    fn read(certificate: &Path, key: &Path) -> Result<Self, TlsError> {
        let failed = |path: &Path, cause: String| TlsError::File { path: path.into(), cause };
        let read: Result<Vec<_>, _> = CertificateDer::pem_file_iter(certificate).and_then(Iterator::collect);
        let chain = read.map_err(|error| failed(certificate, error.to_string()))?;
        let Some(own) = chain.first().cloned() else {
            return Err(failed(certificate, "it has no certificate".into()));
        };
        let secret = PrivateKeyDer::from_pem_file(key).map_err(|error| failed(key, error.to_string()))?;
        let identity = Self::new(chain, secret).map_err(|error| failed(key, error.to_string()))?;
        match not_valid(&own, UnixTime::now()) {
            Some(cause) => Err(TlsError::NotNow { path: certificate.into(), cause }),
            None => Ok(identity),
        }
    }

    fn new(chain: Vec<CertificateDer<'static>>, key: PrivateKeyDer<'static>) -> Result<Self, rustls::Error> {
        let own = chain.first().cloned().ok_or(rustls::Error::NoCertificatesPresented)?;
        let about = CertificateInfo { fingerprint: Fingerprint::of(&own), expires: expires(&own) };
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()?
            .with_no_client_auth()
            .with_single_cert(chain, key)?;
        Ok(Self { acceptor: TlsAcceptor::from(Arc::new(config)), about })
    }
}

/// Why a certificate is not valid at a time. Only its times count here: clients know which authorities they trust.
fn not_valid(certificate: &CertificateDer<'_>, at: UnixTime) -> Option<rustls::Error> {
    let mut roots = RootCertStore::empty();
    roots.add(certificate.clone().into_owned()).ok()?;
    let provider = Arc::new(ring::default_provider());
    let verifier = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider).build().ok()?;
    let any = ServerName::try_from("localhost").ok()?;
    let error = verifier.verify_server_cert(certificate, &[], &any, &[], at).err()?;
    let is_time = if let rustls::Error::InvalidCertificate(error) = &error {
        let expired = matches!(error, CertificateError::Expired | CertificateError::ExpiredContext { .. });
        expired || matches!(error, CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. })
    } else {
        false
    };
    is_time.then_some(error)
}

/// When a certificate expires. In a distant future it has, and the error says when.
fn expires(certificate: &CertificateDer<'_>) -> SystemTime {
    let distant = UnixTime::since_unix_epoch(Duration::from_secs(1 << 40));
    match not_valid(certificate, distant) {
        Some(rustls::Error::InvalidCertificate(CertificateError::ExpiredContext { not_after, .. })) => {
            SystemTime::UNIX_EPOCH + Duration::from_secs(not_after.as_secs())
        }
        Some(_) | None => SystemTime::UNIX_EPOCH + Duration::from_secs(1 << 40),
    }
}

#[cfg(test)]
mod tests {
    use testkit::{Certificates, Need, Validity, has};

    use super::*;

    struct Folder(PathBuf);

    impl Folder {
        fn new() -> Self {
            let path = std::env::temp_dir().join(format!("holdfast-server-tls-{}", std::process::id()));
            std::fs::create_dir_all(&path).expect("a folder");
            Self(path)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _left_behind = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn bad_files_are_refused_and_the_old_certificate_stays() {
        if !has(&[Need::Program("openssl")]) {
            return;
        }
        let folder = Folder::new();
        let made = Certificates::new(&folder.0)
            .authority("ca")
            .certificate("a", "ca", "DNS:localhost", Validity::NOW)
            .certificate("b", "ca", "DNS:localhost", Validity::NOW)
            .certificate("expired", "ca", "DNS:localhost", Validity::EXPIRED)
            .certificate("early", "ca", "DNS:localhost", Validity::NOT_YET);
        let path = |file: &str| made.path(file);
        std::fs::write(path("garbage"), "no PEM").expect("a file");
        std::fs::copy(path("a.pem"), path("live.pem")).expect("a copy");
        std::fs::copy(path("a.key"), path("live.key")).expect("a copy");
        let tls = ServerTls::read(&path("live.pem"), &path("live.key")).expect("good files");
        let first = tls.certificate();
        // The last day of 2099, as `Validity::NOW` has it.
        assert_eq!(first.expires, SystemTime::UNIX_EPOCH + Duration::from_secs(4_102_358_400));

        let check = |certificate: &str, key: &str, fact: &str| {
            std::fs::copy(path(certificate), path("live.pem")).expect("a copy");
            std::fs::copy(path(key), path("live.key")).expect("a copy");
            let said = tls.reload().expect_err(certificate).to_string();
            assert!(said.contains(fact), "{certificate}, {key}: {said}");
            assert_eq!(tls.certificate(), first);
        };
        check("expired.pem", "expired.key", "expired");
        check("early.pem", "early.key", "not valid yet");
        check("garbage", "a.key", "it has no certificate");
        check("a.pem", "garbage", "no items found");
        check("a.pem", "b.key", "live.key");
        std::fs::copy(path("b.pem"), path("live.pem")).expect("a copy");
        std::fs::copy(path("b.key"), path("live.key")).expect("a copy");
        let second = tls.reload().expect("good files");
        assert_ne!(second.fingerprint, first.fingerprint);
        assert_eq!(tls.certificate(), second);
    }

    #[test]
    fn a_certificate_to_try_with() {
        let tls = ServerTls::self_signed(vec!["localhost".into(), "127.0.0.1".into()]).expect("a certificate");
        let info = tls.certificate();
        assert!(info.expires > SystemTime::now());
        assert_eq!(tls.reload().expect("there are no files to read"), info);
        let other = ServerTls::self_signed(vec!["localhost".into()]).expect("a certificate");
        assert_ne!(other.certificate().fingerprint, info.fingerprint);
    }
}
