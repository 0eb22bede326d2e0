//! Parses addresses on the command line, and formats the error for a host that does not answer.
//!
//! [`listen_address`] and [`connect_address`] are parsers for clap's `value_parser`. Both take `localhost:7700`, `7700`,
//! `:7700`, `127.0.0.1:7700`, `[::1]:7700` and names that resolve:
//!
//! ```
//! use std::net::SocketAddr;
//!
//! #[derive(clap::Args)]
//! struct Arguments {
//!     /// The address to listen on.
//!     #[arg(long, default_value = "127.0.0.1:7700", value_name = "ADDR", value_parser = cli::address::listen_address)]
//!     listen: SocketAddr,
//! }
//! ```

use std::{
    error::Error,
    fmt, io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs},
};

/// Parses an address to listen on. Without a host part it is loopback. Port 0 means any free port.
///
/// # Errors
///
/// The text has no port or a bad one, or its name does not resolve.
pub fn listen_address(text: &str) -> Result<SocketAddr, AddressError> {
    parse(text, None)
}

/// Parses an address to connect to. It is loopback without a host part, and also if the host part means every interface
/// (`0.0.0.0`).
///
/// # Errors
///
/// The text has no port or a bad one, or its name does not resolve.
pub fn connect_address(text: &str) -> Result<SocketAddr, AddressError> {
    to_connect(parse(text, None)?)
}

/// A parser like [`listen_address`] for an option whose port may be left out: `localhost` is `localhost:PORT`.
pub fn listen_address_or_port(
    port: u16,
) -> impl Fn(&str) -> Result<SocketAddr, AddressError> + Clone + Send + Sync + 'static {
    move |text| parse(text, Some(port))
}

/// A parser like [`connect_address`] for an option whose port may be left out: `localhost` is `localhost:PORT`.
pub fn connect_address_or_port(
    port: u16,
) -> impl Fn(&str) -> Result<SocketAddr, AddressError> + Clone + Send + Sync + 'static {
    move |text| to_connect(parse(text, Some(port))?)
}

/// The address at which this machine reaches a listener: loopback if it listens on every interface.
pub fn reachable(listening: SocketAddr) -> SocketAddr {
    let ip = match listening.ip() {
        ip if !ip.is_unspecified() => ip,
        IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
    };
    SocketAddr::new(ip, listening.port())
}

fn to_connect(address: SocketAddr) -> Result<SocketAddr, AddressError> {
    if address.port() == 0 { Err(AddressError::PortZero) } else { Ok(reachable(address)) }
}

fn parse(text: &str, default_port: Option<u16>) -> Result<SocketAddr, AddressError> {
    if let Ok(address) = text.parse() {
        return Ok(address);
    }
    let (host, port) = split(text, default_port)?;
    match host {
        "" | "localhost" => Ok(SocketAddr::new(Ipv4Addr::LOCALHOST.into(), port)),
        host => resolve(host, port),
    }
}

/// Splits a text that is not a complete address into host and port.
fn split(text: &str, default_port: Option<u16>) -> Result<(&str, u16), AddressError> {
    let is_ip = |text: &str| text.parse::<IpAddr>().is_ok();
    let (host, port) = match text.rsplit_once(':') {
        _ if text.is_empty() => return Err(AddressError::Empty),
        None if text.chars().all(|char| char.is_ascii_digit()) => ("", Some(text)),
        None => (text, None),
        Some((host, "")) if host.ends_with(']') || !host.contains(':') => (host, None),
        Some(_) if text.starts_with('[') && text.ends_with(']') => (text, None),
        Some((host, _)) if is_ip(text) || host.contains(':') && !host.starts_with('[') => {
            return Err(AddressError::NoBrackets { text: text.into() });
        }
        Some((host, port)) => (host, Some(port)),
    };
    let port = match port {
        Some(port) => port.parse().map_err(|_| AddressError::BadPort { port: port.into() })?,
        None => default_port.ok_or_else(|| AddressError::NoPort { host: host.into() })?,
    };
    Ok((host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host), port))
}

/// Prefers IPv4, on which a host listens unless its operator chooses otherwise.
fn resolve(host: &str, port: u16) -> Result<SocketAddr, AddressError> {
    let unresolved = |cause| AddressError::Unresolved { host: host.into(), cause };
    let all: Vec<SocketAddr> = (host, port).to_socket_addrs().map_err(unresolved)?.collect();
    let first = all.iter().find(|address| address.is_ipv4()).or(all.first());
    first.copied().ok_or_else(|| unresolved(io::ErrorKind::NotFound.into()))
}

/// The reasons why a text is not an address.
#[derive(Debug)]
pub enum AddressError {
    /// The text is empty.
    Empty,
    /// The text has a host but no port.
    NoPort {
        /// The host.
        host: String,
    },
    /// The part after the last colon is not a number up to 65535.
    BadPort {
        /// The text after the last colon.
        port: String,
    },
    /// Port 0 means any free port, so no client can connect to it.
    PortZero,
    /// An IPv6 address that is not in brackets.
    NoBrackets {
        /// The whole text.
        text: String,
    },
    /// The name has no address.
    Unresolved {
        /// The name.
        host: String,
        /// The error of the system's resolver.
        cause: io::Error,
    },
}

impl fmt::Display for AddressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("expected an address like localhost:7700"),
            Self::NoPort { host } => write!(f, "the port is missing: write {host}:PORT"),
            Self::BadPort { port } => write!(f, "`{port}` is not a port: ports are numbers from 0 to 65535"),
            Self::PortZero => f.write_str("nothing can connect to port 0"),
            Self::NoBrackets { text } => {
                write!(f, "`{text}` is ambiguous: put an IPv6 address in brackets, as in [::1]:7700")
            }
            Self::Unresolved { host, cause } => write!(f, "cannot resolve `{host}`: {cause}"),
        }
    }
}

impl Error for AddressError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Unresolved { cause, .. } => Some(cause),
            Self::Empty | Self::NoPort { .. } | Self::BadPort { .. } | Self::PortZero | Self::NoBrackets { .. } => None,
        }
    }
}

/// A host that cannot be reached. The message is for the person who tried.
///
/// ```
/// use std::{io, net::SocketAddr};
///
/// let refused = io::Error::from(io::ErrorKind::ConnectionRefused);
/// let address = SocketAddr::from(([127, 0, 0, 1], 7700));
/// let error = cli::address::ConnectError::new(address, refused, "holdfast host");
/// assert_eq!(error.to_string(), "nothing listens on 127.0.0.1:7700; start a host with `holdfast host`");
/// ```
#[derive(Debug)]
pub struct ConnectError {
    address: SocketAddr,
    start: String,
    cause: Box<dyn Error + Send + Sync>,
}

impl ConnectError {
    /// Creates the error. `start` is the command that starts a host at `address`. The cause is an [`io::Error`], or an error
    /// that has one among its [sources](Error::source).
    pub fn new(address: SocketAddr, cause: impl Into<Box<dyn Error + Send + Sync>>, start: impl Into<String>) -> Self {
        Self { address, start: start.into(), cause: cause.into() }
    }

    fn is_refused(&self) -> bool {
        let first: &(dyn Error + 'static) = &*self.cause;
        let mut causes = std::iter::successors(Some(first), |&error| error.source());
        causes.any(|error| {
            let cause = error.downcast_ref::<io::Error>();
            cause.is_some_and(|cause| cause.kind() == io::ErrorKind::ConnectionRefused)
        })
    }
}

impl fmt::Display for ConnectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { address, start, cause } = self;
        if self.is_refused() {
            write!(f, "nothing listens on {address}; start a host with `{start}`")
        } else {
            write!(f, "{address}: {cause}")
        }
    }
}

impl Error for ConnectError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&*self.cause)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(parsed: Result<SocketAddr, AddressError>) -> String {
        parsed.map_or_else(|error| error.to_string(), |address| address.to_string())
    }

    #[test]
    fn addresses() {
        let check = |text: &str, listening: &str, connecting: &str| {
            assert_eq!(words(listen_address(text)), listening, "--listen {text}");
            assert_eq!(words(connect_address(text)), connecting, "--connect {text}");
        };
        let both = |text: &str, expected: &str| check(text, expected, expected);
        both("localhost:7700", "127.0.0.1:7700");
        both("7700", "127.0.0.1:7700");
        both(":7700", "127.0.0.1:7700");
        both("127.0.0.1:7700", "127.0.0.1:7700");
        both("192.0.2.7:65535", "192.0.2.7:65535");
        both("[::1]:7700", "[::1]:7700");
        check("0.0.0.0:80", "0.0.0.0:80", "127.0.0.1:80");
        check("[::]:80", "[::]:80", "[::1]:80");
        check("0", "127.0.0.1:0", "nothing can connect to port 0");
        check("127.0.0.1:0", "127.0.0.1:0", "nothing can connect to port 0");
        both("", "expected an address like localhost:7700");
        both("localhost", "the port is missing: write localhost:PORT");
        both("localhost:", "the port is missing: write localhost:PORT");
        both("127.0.0.1", "the port is missing: write 127.0.0.1:PORT");
        both("[::1]", "the port is missing: write [::1]:PORT");
        both("65536", "`65536` is not a port: ports are numbers from 0 to 65535");
        both("localhost:http", "`http` is not a port: ports are numbers from 0 to 65535");
        both("localhost:-1", "`-1` is not a port: ports are numbers from 0 to 65535");
        both("::1:7700", "`::1:7700` is ambiguous: put an IPv6 address in brackets, as in [::1]:7700");
        both("::1", "`::1` is ambiguous: put an IPv6 address in brackets, as in [::1]:7700");
    }

    #[test]
    fn addresses_with_a_usual_port() {
        let check = |text: &str, expected: &str| {
            assert_eq!(words(listen_address_or_port(8000)(text)), expected, "--listen {text}");
            assert_eq!(words(connect_address_or_port(8000)(text)), expected, "--connect {text}");
        };
        check("localhost", "127.0.0.1:8000");
        check("127.0.0.1", "127.0.0.1:8000");
        check("[::1]", "[::1]:8000");
        check("127.0.0.1:9000", "127.0.0.1:9000");
        check("9000", "127.0.0.1:9000");
    }

    /// `.invalid` never resolves (RFC 6761).
    #[test]
    fn unknown_names() {
        let error = connect_address("holdfast.invalid:7700").expect_err("there is no such host");
        assert!(matches!(&error, AddressError::Unresolved { host, .. } if host == "holdfast.invalid"), "{error:?}");
    }

    #[test]
    fn hosts_that_cannot_be_reached() {
        #[derive(Debug)]
        struct Outer(io::Error);
        impl fmt::Display for Outer {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "outer: {}", self.0)
            }
        }
        impl Error for Outer {
            fn source(&self) -> Option<&(dyn Error + 'static)> {
                Some(&self.0)
            }
        }
        let address = SocketAddr::from(([127, 0, 0, 1], 7700));
        let check = |cause: Box<dyn Error + Send + Sync>, expected: &str| {
            assert_eq!(ConnectError::new(address, cause, "holdfast host").to_string(), expected);
        };
        let refused = "nothing listens on 127.0.0.1:7700; start a host with `holdfast host`";
        check(Box::new(io::Error::from(io::ErrorKind::ConnectionRefused)), refused);
        check(Box::new(Outer(io::ErrorKind::ConnectionRefused.into())), refused);
        check(Box::new(Outer(io::ErrorKind::TimedOut.into())), "127.0.0.1:7700: outer: timed out");
    }
}
