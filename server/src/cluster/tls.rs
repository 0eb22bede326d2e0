//! Encrypted connections between hosts. Both sides show a certificate of the cluster's own authority.

use std::{
    error::Error,
    fmt, io,
    net::{IpAddr, SocketAddr},
    path::{Path, PathBuf},
    sync::Arc,
};

use rustls::{
    CertificateError, ClientConfig, RootCertStore, ServerConfig,
    client::{WebPkiServerVerifier, danger::ServerCertVerifier},
    crypto::{CryptoProvider, ring},
    pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime, pem::PemObject},
    server::{WebPkiClientVerifier, danger::ClientCertVerifier},
    version::TLS13,
};
use tokio_rustls::{TlsAcceptor, TlsConnector};

use crate::world::Stream;

/// The certificate of a host, and the authority of all hosts.
#[derive(Clone)]
pub struct ClusterTls {
    acceptor: TlsAcceptor,
    connector: TlsConnector,
    own: Arc<Own>,
}

/// What is checked before a host starts.
struct Own {
    file: PathBuf,
    chain: Vec<CertificateDer<'static>>,
    of_servers: Arc<WebPkiServerVerifier>,
    of_clients: Arc<dyn ClientCertVerifier>,
}

/// Why certificates cannot be used.
#[derive(Debug)]
pub enum ClusterTlsError {
    /// A file cannot be read, or has nothing of the kind.
    File {
        /// The file.
        path: PathBuf,
        /// The reason.
        cause: String,
    },
    /// The other hosts would not accept the certificate.
    Refused {
        /// The file of the certificate.
        path: PathBuf,
        /// The reason.
        cause: rustls::Error,
    },
}

impl fmt::Display for ClusterTlsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { path, cause } => write!(f, "cannot use {}: {cause}", path.display()),
            Self::Refused { path, cause } => {
                write!(f, "other hosts would not accept {}: {}", path.display(), words(cause))
            }
        }
    }
}

impl Error for ClusterTlsError {}

impl fmt::Debug for ClusterTls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClusterTls").field("certificate", &self.own.file).finish_non_exhaustive()
    }
}

impl ClusterTls {
    /// Reads a certificate with its chain, its key, and the authorities that sign the certificates of all hosts. All files are PEM.
    ///
    /// # Errors
    /// If a file cannot be read, or the key is not that of the certificate.
    pub fn read(certificate: &Path, key: &Path, authorities: &Path) -> Result<Self, ClusterTlsError> {
        let failed = |path: &Path, cause: String| ClusterTlsError::File { path: path.into(), cause };
        let chain = read_certificates(certificate)?;
        let secret = PrivateKeyDer::from_pem_file(key).map_err(|error| failed(key, error.to_string()))?;
        let mut roots = RootCertStore::empty();
        for root in read_certificates(authorities)? {
            roots.add(root).map_err(|error| failed(authorities, words(&error)))?;
        }
        let (roots, provider) = (Arc::new(roots), Arc::new(ring::default_provider()));
        let of_clients = WebPkiClientVerifier::builder_with_provider(roots.clone(), provider.clone());
        let of_clients = of_clients.build().map_err(|error| failed(authorities, error.to_string()))?;
        let of_servers = WebPkiServerVerifier::builder_with_provider(roots, provider.clone());
        let of_servers = of_servers.build().map_err(|error| failed(authorities, error.to_string()))?;
        let server = server_config(provider.clone(), of_clients.clone(), chain.clone(), secret.clone_key());
        let server = server.map_err(|error| failed(key, words(&error)))?;
        let client = client_config(provider, of_servers.clone(), chain.clone(), secret);
        let client = client.map_err(|error| failed(key, words(&error)))?;
        Ok(Self {
            acceptor: TlsAcceptor::from(Arc::new(server)),
            connector: TlsConnector::from(Arc::new(client)),
            own: Arc::new(Own { file: certificate.into(), chain, of_servers, of_clients }),
        })
    }

    /// Checks the own certificate as other hosts will: its authority, its time, its purposes, and the address of this host in it.
    ///
    /// # Errors
    /// If they would not accept it.
    pub fn check(&self, address: IpAddr) -> Result<(), ClusterTlsError> {
        let Own { file, chain, of_servers, of_clients } = &*self.own;
        let refused = |cause| ClusterTlsError::Refused { path: file.clone(), cause };
        let Some((own, between)) = chain.split_first() else { return Ok(()) };
        let now = UnixTime::now();
        of_servers.verify_server_cert(own, between, &address.into(), &[], now).map_err(refused)?;
        of_clients.verify_client_cert(own, between, now).map_err(refused)?;
        Ok(())
    }

    /// The listening side of a connection: the other one shows a certificate.
    pub(crate) async fn accept(&self, stream: Box<dyn Stream>) -> io::Result<Box<dyn Stream>> {
        Ok(Box::new(self.acceptor.accept(stream).await?))
    }

    /// The dialling side of a connection. The certificate of the other one has its address.
    pub(crate) async fn connect(&self, address: SocketAddr, stream: Box<dyn Stream>) -> io::Result<Box<dyn Stream>> {
        let name = ServerName::IpAddress(address.ip().into());
        Ok(Box::new(self.connector.connect(name, stream).await?))
    }
}

/// The words for a fault of TLS, if the error is one.
pub(crate) fn fault_of_tls(error: &io::Error) -> Option<String> {
    error.get_ref()?.downcast_ref::<rustls::Error>().map(words)
}

fn read_certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, ClusterTlsError> {
    let failed = |cause: String| ClusterTlsError::File { path: path.into(), cause };
    let read: Result<Vec<_>, _> = CertificateDer::pem_file_iter(path).and_then(Iterator::collect);
    let certificates = read.map_err(|error| failed(error.to_string()))?;
    if certificates.is_empty() { Err(failed("it has no certificate".into())) } else { Ok(certificates) }
}

fn server_config(
    provider: Arc<CryptoProvider>,
    of_clients: Arc<dyn ClientCertVerifier>,
    chain: Vec<CertificateDer<'static>>,
    key: PrivateKeyDer<'static>,
) -> Result<ServerConfig, rustls::Error> {
    ServerConfig::builder_with_provider(provider)
        .with_protocol_versions(&[&TLS13])?
        .with_client_cert_verifier(of_clients)
        .with_single_cert(chain, key)
}

fn client_config(
    provider: Arc<CryptoProvider>,
    of_servers: Arc<WebPkiServerVerifier>,
    chain: Vec<CertificateDer<'static>>,
    key: PrivateKeyDer<'static>,
) -> Result<ClientConfig, rustls::Error> {
    ClientConfig::builder_with_provider(provider)
        .with_protocol_versions(&[&TLS13])?
        .with_webpki_verifier(of_servers)
        .with_client_auth_cert(chain, key)
}

/// What is wrong, for operators.
fn words(error: &rustls::Error) -> String {
    if let rustls::Error::InvalidCertificate(CertificateError::UnknownIssuer) = error {
        "the certificate is not from the authority of this cluster".into()
    } else if let rustls::Error::NoCertificatesPresented = error {
        "the other side shows no certificate".into()
    } else if let rustls::Error::InvalidMessage(_) = error {
        "the other side does not use TLS".into()
    } else if let rustls::Error::AlertReceived(alert) = error {
        format!("the other side refuses this host: {alert:?}")
    } else {
        // Their own words name the facts: times, names, purposes.
        error.to_string()
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use testkit::{Certificates, Need, Validity, has};
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    use super::*;

    const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

    struct Folder(PathBuf);

    impl Folder {
        fn new() -> Self {
            let path = std::env::temp_dir().join(format!("holdfast-cluster-tls-{}", std::process::id()));
            std::fs::create_dir_all(&path).expect("a folder");
            Self(path)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _left_behind = std::fs::remove_dir_all(&self.0);
        }
    }

    fn read(made: &Certificates, name: &str, authority: &str) -> ClusterTls {
        let path = |file: String| made.path(&file);
        let read = ClusterTls::read(
            &path(format!("{name}.pem")),
            &path(format!("{name}.key")),
            &path(format!("{authority}.pem")),
        );
        read.expect("files")
    }

    /// What the dialling and the listening side say about a connection. Each of them sends a byte.
    async fn connect(dialling: &ClusterTls, listening: &ClusterTls) -> [String; 2] {
        let (one, other) = duplex(1 << 16);
        let exchanged = async |stream: io::Result<Box<dyn Stream>>| {
            let mut stream = stream?;
            stream.write_all(b"x").await?;
            stream.flush().await?;
            stream.read_u8().await
        };
        let dialled = async { exchanged(dialling.connect((HERE, 7701).into(), Box::new(one)).await).await };
        let accepted = async { exchanged(listening.accept(Box::new(other)).await).await };
        let (dialled, accepted) = tokio::join!(dialled, accepted);
        let word = |error: io::Error| fault_of_tls(&error).unwrap_or_else(|| error.kind().to_string());
        [dialled, accepted].map(|said| said.map_or_else(word, |_| "ok".into()))
    }

    #[tokio::test]
    async fn both_sides_are_checked() {
        if !has(&[Need::Program("openssl")]) {
            return;
        }
        let folder = Folder::new();
        let made = Certificates::new(&folder.0)
            .authority("cluster")
            .authority("foreign")
            .certificate("a", "cluster", "IP:127.0.0.1", Validity::NOW)
            .certificate("b", "cluster", "IP:127.0.0.1", Validity::NOW)
            .certificate("elsewhere", "cluster", "IP:192.0.2.1", Validity::NOW)
            .certificate("expired", "cluster", "IP:127.0.0.1", Validity::EXPIRED)
            .certificate("early", "cluster", "IP:127.0.0.1", Validity::NOT_YET)
            .certificate("stranger", "foreign", "IP:127.0.0.1", Validity::NOW);
        let of = |name| read(&made, name, "cluster");
        let (a, b) = (of("a"), of("b"));
        assert_eq!(connect(&a, &b).await, ["ok", "ok"]);

        // A bad certificate of the listening side: the dialling side names the fact, and the other one hears of it.
        let check = |said: [String; 2], dialling: &str, listening: &str| {
            let [dialled, accepted] = said;
            assert!(dialled.contains(dialling), "{dialled}");
            assert!(accepted.contains(listening), "{accepted}");
        };
        let refused = "the other side refuses this host: ";
        let issuer = "the certificate is not from the authority of this cluster";
        check(connect(&a, &of("expired")).await, "expired", &format!("{refused}CertificateExpired"));
        check(connect(&a, &of("early")).await, "not valid yet", refused);
        check(connect(&a, &of("elsewhere")).await, "not valid for name", refused);
        check(connect(&a, &of("stranger")).await, issuer, &format!("{refused}UnknownCA"));

        // A bad certificate of the dialling side.
        check(connect(&of("expired"), &b).await, &format!("{refused}CertificateExpired"), "expired");
        check(connect(&of("early"), &b).await, refused, "not valid yet");
        check(connect(&of("stranger"), &b).await, &format!("{refused}UnknownCA"), issuer);

        // A host sees at its start what others would say.
        let own = |tls: ClusterTls| tls.check(HERE).map_or_else(|error| error.to_string(), |()| "ok".into());
        assert_eq!(own(a), "ok");
        for (name, fact) in [("expired", "expired"), ("early", "not valid yet"), ("elsewhere", "not valid for name")] {
            let said = own(of(name));
            let file = made.path(&format!("{name}.pem"));
            assert!(said.starts_with(&format!("other hosts would not accept {}: ", file.display())), "{said}");
            assert!(said.contains(fact), "{said}");
        }
        assert!(own(of("stranger")).ends_with(issuer));
        files_are_checked(&made);
        one_side_without_tls(&b).await;
    }

    fn files_are_checked(made: &Certificates) {
        let said = |certificate: &str, key: &str, authority: &str| {
            let read = ClusterTls::read(&made.path(certificate), &made.path(key), &made.path(authority));
            read.expect_err("a file that cannot be used").to_string()
        };
        let check = |said: String, file: &str, fact: &str| {
            assert!(said.starts_with(&format!("cannot use {}: ", made.path(file).display())), "{said}");
            assert!(said.contains(fact), "{said}");
        };
        check(said("missing.pem", "a.key", "cluster.pem"), "missing.pem", "No such file");
        check(said("a.key", "a.key", "cluster.pem"), "a.key", "it has no certificate");
        check(said("a.pem", "a.pem", "cluster.pem"), "a.pem", "no items found");
        check(said("a.pem", "b.key", "cluster.pem"), "b.key", "");
        check(said("a.pem", "a.key", "missing.pem"), "missing.pem", "No such file");
    }

    async fn one_side_without_tls(tls: &ClusterTls) {
        let (one, mut other) = duplex(1 << 16);
        other.write_all(b"holdfast link 1\n and 32 random bytes").await.expect("a buffer");
        let failed = tls.connect((HERE, 7701).into(), Box::new(one)).await.map(drop).expect_err("no TLS");
        assert_eq!(fault_of_tls(&failed).as_deref(), Some("the other side does not use TLS"));
    }
}
