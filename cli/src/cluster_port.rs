//! The options of the port for other hosts.

use std::{
    error::Error,
    fmt, fs,
    net::SocketAddr,
    path::{Path, PathBuf},
};

use server::cluster::{ClusterSecret, ClusterTls, ClusterTlsError};

use crate::{
    address::{AddressError, listen_address},
    secret_file::{SecretFileError, check_private},
};

/// The port for other hosts, and the secret that protects it.
#[derive(Debug, clap::Args)]
pub struct ClusterPortOptions {
    /// Listen for the other hosts on this address. They pass clients on to the host that plays their game. Without --cluster-cert nothing
    /// is encrypted: then the network between the hosts must be private.
    #[arg(long, value_name = "ADDR", value_parser = peer_address, requires_all = ["cluster_name", "cluster_secret_file"])]
    pub cluster_listen: Option<SocketAddr>,
    /// The file with the secret of all hosts: at least 16 bytes that cannot be guessed. No other user of this machine may read it.
    #[arg(long, value_name = "FILE", value_parser = secret_file, requires = "cluster_listen")]
    pub cluster_secret_file: Option<ClusterSecret>,
    /// The certificate of this host for encrypted connections between hosts, with its chain, as PEM. It names the address of
    /// --cluster-listen (IP). All hosts need one, or none has one.
    #[arg(long, value_name = "FILE", requires_all = ["cluster_listen", "cluster_key", "cluster_ca"])]
    pub cluster_cert: Option<PathBuf>,
    /// The key of --cluster-cert, as PEM. No other user of this machine may read it.
    #[arg(long, value_name = "FILE", requires = "cluster_cert")]
    pub cluster_key: Option<PathBuf>,
    /// The authority that signs the certificates of all hosts, and of nothing else, as PEM.
    #[arg(long, value_name = "FILE", requires = "cluster_cert")]
    pub cluster_ca: Option<PathBuf>,
}

impl ClusterPortOptions {
    /// The certificates of this host, if it has some. Other hosts would accept them now.
    ///
    /// # Errors
    ///
    /// A file cannot be used, other users may read the key, or other hosts would refuse the certificate.
    pub fn tls(&self) -> Result<Option<ClusterTls>, CertificatesError> {
        let (Some(certificate), Some(key), Some(authority)) = (&self.cluster_cert, &self.cluster_key, &self.cluster_ca)
        else {
            return Ok(None);
        };
        check_private(key).map_err(CertificatesError::Key)?;
        let tls = ClusterTls::read(certificate, key, authority).map_err(CertificatesError::Tls)?;
        if let Some(listen) = self.cluster_listen {
            tls.check(listen.ip()).map_err(CertificatesError::Tls)?;
        }
        Ok(Some(tls))
    }
}

/// Why a host cannot use its certificates.
#[derive(Debug)]
pub enum CertificatesError {
    /// The file of the key.
    Key(SecretFileError),
    /// What the files contain.
    Tls(ClusterTlsError),
}

impl fmt::Display for CertificatesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key(error) => error.fmt(f),
            Self::Tls(error) => error.fmt(f),
        }
    }
}

impl Error for CertificatesError {}

/// Why an address is not one that other hosts reach.
#[derive(Debug)]
pub enum PeerAddressError {
    /// It is not an address.
    Address(AddressError),
    /// It means every interface.
    Unspecified,
}

impl fmt::Display for PeerAddressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address(error) => error.fmt(f),
            Self::Unspecified => f.write_str("other hosts connect to this address, so it must be one of this machine"),
        }
    }
}

impl Error for PeerAddressError {}

/// Parses an address to listen on that other hosts reach.
///
/// # Errors
///
/// The text is not an address, or the address means every interface.
pub fn peer_address(text: &str) -> Result<SocketAddr, PeerAddressError> {
    let address = listen_address(text).map_err(PeerAddressError::Address)?;
    if address.ip().is_unspecified() { Err(PeerAddressError::Unspecified) } else { Ok(address) }
}

/// Reads the secret of a cluster from a file that no other user may read.
///
/// # Errors
///
/// The file cannot be read, other users have access to it, or it is too short.
pub fn secret_file(path: &str) -> Result<ClusterSecret, SecretFileError> {
    let path = Path::new(path);
    check_private(path)?;
    let read = fs::read(path).map_err(|cause| SecretFileError::Read { path: path.into(), cause })?;
    ClusterSecret::new(&read).map_err(SecretFileError::Short)
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_secret_is_for_its_owner_only() {
        let path = std::env::temp_dir().join(format!("holdfast-secret-{}", std::process::id()));
        let text = path.to_str().expect("a path").to_owned();
        let check = |content: &str, mode| {
            fs::write(&path, content).expect("a file");
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("permissions");
            let read = secret_file(&text).map(drop).map_err(|error| error.to_string().replace(&text, "FILE"));
            fs::remove_file(&path).expect("the file");
            read.err().unwrap_or_default()
        };
        assert_eq!(check("0123456789abcdef\n", 0o600), "");
        assert_eq!(check("0123456789abcdef\n", 0o400), "");
        assert_eq!(check("0123456789abcde\n", 0o600), "the secret has 15 bytes; it needs at least 16");
        for mode in [0o640, 0o604, 0o660, 0o602] {
            assert_eq!(
                check("0123456789abcdef", mode),
                format!("FILE has the permissions {mode:o}, so other users have access; chmod 600 FILE")
            );
        }
        let missing = secret_file(&text).expect_err("no file").to_string();
        assert!(missing.starts_with(&format!("cannot read {text}: ")), "{missing}");
    }

    #[test]
    fn other_hosts_cannot_reach_every_interface() {
        assert_eq!(peer_address("127.0.0.1:7701").map(|address| address.port()).ok(), Some(7701));
        for text in ["0.0.0.0:7701", "[::]:7701"] {
            let error = peer_address(text).expect_err("an error").to_string();
            assert_eq!(error, "other hosts connect to this address, so it must be one of this machine");
        }
        assert!(peer_address("").is_err());
    }
}
