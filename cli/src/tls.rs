//! The options for encrypted connections: the certificate of a host, and what a client trusts.

use std::{error::Error, fmt, net::SocketAddr, path::PathBuf};

use commlib::{ClientTls, ClientTlsError, Fingerprint, Pins, ServerAddress};
use server::{HostName, ServerTls, TlsError};

use crate::{
    address::{AddressError, connect_address_or_port},
    secret_file::{SecretFileError, check_not_public},
};

/// The certificate of the ports for clients.
#[derive(Debug, clap::Args)]
pub struct HostTlsOptions {
    /// Encrypt all ports for clients with this certificate: a file with its chain, as PEM. SIGHUP reads it again.
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    pub tls_cert: Option<PathBuf>,
    /// The key of --tls-cert, as PEM. Only its owner and group may read it.
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    pub tls_key: Option<PathBuf>,
    /// Encrypt all ports for clients with a certificate that is made at every start, to try it out. Clients pin its fingerprint, which
    /// the host prints.
    #[arg(long, conflicts_with = "tls_cert")]
    pub tls_self_signed: bool,
}

/// Why a host cannot encrypt its ports.
#[derive(Debug)]
pub enum HostTlsError {
    /// The file of the key.
    Key(SecretFileError),
    /// The certificate.
    Tls(TlsError),
}

impl fmt::Display for HostTlsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key(error) => error.fmt(f),
            Self::Tls(error) => error.fmt(f),
        }
    }
}

impl Error for HostTlsError {}

impl HostTlsOptions {
    /// The certificate of a host that listens on these addresses and has these names; `None` if it does not encrypt.
    ///
    /// # Errors
    ///
    /// A file cannot be used, every user may read the key, or the certificate is not valid now.
    pub fn open(&self, listen: &[SocketAddr], names: &[HostName]) -> Result<Option<ServerTls>, HostTlsError> {
        if let (Some(certificate), Some(key)) = (&self.tls_cert, &self.tls_key) {
            check_not_public(key).map_err(HostTlsError::Key)?;
            return ServerTls::read(certificate, key).map(Some).map_err(HostTlsError::Tls);
        }
        if !self.tls_self_signed {
            return Ok(None);
        }
        let mut all: Vec<String> = ["localhost", "127.0.0.1", "::1"].map(str::to_owned).into();
        all.extend(listen.iter().filter(|at| !at.ip().is_unspecified()).map(|at| at.ip().to_string()));
        all.extend(names.iter().map(ToString::to_string));
        all.sort_unstable();
        all.dedup();
        ServerTls::self_signed(all).map(Some).map_err(HostTlsError::Tls)
    }
}

/// How a client encrypts its connection, and which server it trusts.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct ClientTlsOptions {
    /// Encrypt the connection. The certificate of the host must have the name of --connect and come from an authority of this system.
    #[arg(long)]
    pub tls: bool,
    /// Encrypt the connection, and trust only the certificate with this fingerprint (SHA-256), which the host prints. Can be repeated.
    #[arg(long, value_name = "SHA256")]
    pub tls_pin: Vec<Fingerprint>,
    /// Encrypt the connection, and trust the authorities in this file, as PEM, instead of those of the system.
    #[arg(long, value_name = "FILE", conflicts_with = "tls_pin")]
    pub tls_ca: Option<PathBuf>,
}

impl ClientTlsOptions {
    /// How to encrypt a connection to the host with this name; `None` for a plain one.
    ///
    /// # Errors
    ///
    /// There are no authorities, or nothing can have this name.
    pub fn open(&self, name: &str) -> Result<Option<ClientTls>, ClientTlsError> {
        if !self.tls_pin.is_empty() {
            ClientTls::pinned(Pins::new(self.tls_pin.clone())).map(Some)
        } else if self.tls || self.tls_ca.is_some() {
            ClientTls::checked(name, self.tls_ca.as_deref()).map(Some)
        } else {
            Ok(None)
        }
    }

    /// The same options as words of a command line.
    pub fn words(&self) -> Vec<String> {
        let tls = self.tls.then(|| "--tls".to_owned());
        let pins = self.tls_pin.iter().flat_map(|pin| ["--tls-pin".into(), pin.to_string()]);
        let ca = self.tls_ca.iter().flat_map(|file| ["--tls-ca".into(), file.display().to_string()]);
        tls.into_iter().chain(pins).chain(ca).collect()
    }
}

/// The host that a client connects to.
#[derive(Clone, Debug, clap::Args)]
pub struct ConnectOptions {
    /// The host to play on.
    #[arg(long, default_value = "127.0.0.1:7700", value_name = "ADDR", value_parser = remote)]
    pub connect: Remote,
    #[command(flatten)]
    tls: ClientTlsOptions,
}

/// The value of `--connect`.
#[derive(Clone, Debug)]
pub struct Remote {
    /// The address.
    pub address: SocketAddr,
    /// The name as it was given, without a port.
    name: String,
}

fn remote(text: &str) -> Result<Remote, AddressError> {
    let address = connect_address_or_port(7700)(text)?;
    Ok(Remote { address, name: host_part(text).into() })
}

/// The token of an account that commands play for, from the environment: `HOLDFAST_ACCOUNT_TOKEN`. On a command line, other users of the
/// machine would see it.
pub fn account_token() -> Option<String> {
    std::env::var("HOLDFAST_ACCOUNT_TOKEN").ok().map(|token| token.trim().to_owned()).filter(|token| !token.is_empty())
}

/// The name or IP address in `HOST:PORT`; a port alone is on this machine.
pub fn host_part(text: &str) -> &str {
    let host = match text.rsplit_once(':') {
        Some((host, port)) if port.chars().all(|char| char.is_ascii_digit()) => host,
        Some(_) | None => text,
    };
    let is_port = |text: &str| text.chars().all(|char| char.is_ascii_digit());
    match host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host) {
        port if is_port(port) => "localhost",
        host => host,
    }
}

impl ConnectOptions {
    /// The host, and how to connect to it.
    ///
    /// # Errors
    ///
    /// The client cannot use TLS as it was asked to.
    pub fn server(&self) -> Result<ServerAddress, ClientTlsError> {
        let (address, tls) = (self.connect.address.to_string(), self.tls.open(&self.connect.name)?);
        Ok(ServerAddress { address, tls, account: account_token() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_hosts() {
        let check = |text: &str, expected: &str| assert_eq!(host_part(text), expected, "{text}");
        check("games.example:7700", "games.example");
        check("games.example", "games.example");
        check("192.0.2.7:7700", "192.0.2.7");
        check("[::1]:7700", "::1");
        check("[::1]", "::1");
        check(":7700", "localhost");
        check("7700", "localhost");
    }
}
