//! The address of a client, as limits count it, and the proxies that are believed to tell it.

use std::{
    error::Error,
    fmt,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    str::FromStr,
};

/// What counts as one client address: an IPv4 address, or the first 64 bits of an IPv6 address. A single machine usually has
/// all addresses of such a prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ClientAddress(IpAddr);

impl From<IpAddr> for ClientAddress {
    fn from(address: IpAddr) -> Self {
        Self(match address.to_canonical() {
            IpAddr::V6(six) => IpAddr::V6(Ipv6Addr::from_bits(six.to_bits() & !u128::from(u64::MAX))),
            four @ IpAddr::V4(_) => four,
        })
    }
}

/// The addresses of a network, for example `10.0.0.0/8`. An address alone is a network of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network {
    address: IpAddr,
    bits: u8,
}

/// The text is not a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkError {
    /// The text.
    pub text: String,
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is not a network; it is like 10.0.0.0/8, fd00::/8 or 192.0.2.7", self.text)
    }
}

impl Error for NetworkError {}

impl FromStr for Network {
    type Err = NetworkError;

    fn from_str(text: &str) -> Result<Self, NetworkError> {
        let parse = || {
            let (address, bits) = match text.split_once('/') {
                Some((address, bits)) => (address, Some(bits)),
                None => (text, None),
            };
            let address: IpAddr = address.parse().ok()?;
            let most = if address.is_ipv4() { 32 } else { 128 };
            let bits = bits.map_or(Some(most), |bits| bits.parse().ok().filter(|bits| *bits <= most))?;
            Some(Self { address, bits })
        };
        parse().ok_or_else(|| NetworkError { text: text.into() })
    }
}

impl fmt::Display for Network {
    /// The first address of the network, and the number of bits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bits = u32::from(self.bits);
        let first = match self.address {
            IpAddr::V4(four) => {
                IpAddr::V4(Ipv4Addr::from_bits(four.to_bits() & !u32::MAX.checked_shr(bits).unwrap_or(0)))
            }
            IpAddr::V6(six) => {
                IpAddr::V6(Ipv6Addr::from_bits(six.to_bits() & !u128::MAX.checked_shr(bits).unwrap_or(0)))
            }
        };
        write!(f, "{first}/{}", self.bits)
    }
}

impl Network {
    /// Whether an address belongs to the network.
    pub fn contains(&self, address: IpAddr) -> bool {
        let shift = |length: u32| length - u32::from(self.bits);
        match (self.address, address.to_canonical()) {
            (IpAddr::V4(own), IpAddr::V4(four)) => {
                (own.to_bits() ^ four.to_bits()).checked_shr(shift(32)).unwrap_or_default() == 0
            }
            (IpAddr::V6(own), IpAddr::V6(six)) => {
                (own.to_bits() ^ six.to_bits()).checked_shr(shift(128)).unwrap_or_default() == 0
            }
            (IpAddr::V4(_), IpAddr::V6(_)) | (IpAddr::V6(_), IpAddr::V4(_)) => false,
        }
    }
}

/// The address of the client behind trusted proxies. `forwarded` are the addresses of `X-Forwarded-For` in their order. Each
/// proxy appends the address that it was called from, so only the entries of trusted proxies are believed: the last ones.
pub(crate) fn client_behind<'a>(
    peer: IpAddr,
    trusted: &[Network],
    forwarded: impl DoubleEndedIterator<Item = &'a str>,
) -> IpAddr {
    let is_trusted = |address: IpAddr| trusted.iter().any(|network| network.contains(address));
    let mut client = peer;
    for entry in forwarded.rev() {
        if !is_trusted(client) {
            break;
        }
        let Some(address) = forwarded_address(entry.trim()) else { break };
        client = address;
    }
    client
}

/// Some proxies write a port behind the address.
fn forwarded_address(entry: &str) -> Option<IpAddr> {
    let address = |text: &str| text.parse::<IpAddr>().ok();
    let without_port = || entry.parse::<std::net::SocketAddr>().ok().map(|with_port| with_port.ip());
    address(entry).or_else(without_port).or_else(|| address(entry.strip_prefix('[')?.strip_suffix(']')?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    #[test]
    fn addresses_of_one_client() {
        for (one, other, same) in [
            ("192.0.2.1", "192.0.2.1", true),
            ("192.0.2.1", "192.0.2.2", false),
            ("::ffff:192.0.2.1", "192.0.2.1", true),
            ("2001:db8:1:2::1", "2001:db8:1:2:ffff::", true),
            ("2001:db8:1:2::1", "2001:db8:1:3::1", false),
        ] {
            assert_eq!(ClientAddress::from(ip(one)) == ClientAddress::from(ip(other)), same, "{one} {other}");
        }
    }

    #[test]
    fn networks() {
        for (network, address, inside) in [
            ("10.0.0.0/8", "10.255.0.1", true),
            ("10.0.0.0/8", "11.0.0.1", false),
            ("10.0.0.0/8", "::ffff:10.1.1.1", true),
            ("192.0.2.7", "192.0.2.7", true),
            ("192.0.2.7", "192.0.2.6", false),
            ("0.0.0.0/0", "203.0.113.9", true),
            ("0.0.0.0/0", "2001:db8::1", false),
            ("fd00::/8", "fd12::1", true),
            ("fd00::/8", "fe80::1", false),
            ("::/0", "2001:db8::1", true),
            ("::1", "::1", true),
            ("::1", "::2", false),
        ] {
            let parsed: Network = network.parse().expect("a network");
            assert_eq!(parsed.contains(ip(address)), inside, "{network} {address}");
        }
        for wrong in ["", "10.0.0.0/33", "fd00::/129", "10.0.0.0/", "10.0.0.0/-1", "localhost", "*", "10.0.0.0/8/8"] {
            assert!(wrong.parse::<Network>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn only_trusted_proxies_are_believed() {
        for (peer, trusted, forwarded, client) in [
            ("192.0.2.1", "", "203.0.113.9", "192.0.2.1"),
            ("127.0.0.1", "127.0.0.1", "203.0.113.9", "203.0.113.9"),
            ("127.0.0.1", "127.0.0.1", "", "127.0.0.1"),
            // What a client wrote itself stands before what the proxy knows.
            ("127.0.0.1", "127.0.0.1", "10.1.1.1, 203.0.113.9", "203.0.113.9"),
            ("10.0.0.1", "10.0.0.0/8", "198.51.100.7, 203.0.113.9,10.0.0.2", "203.0.113.9"),
            ("10.0.0.1", "10.0.0.0/8", "10.0.0.9, 10.0.0.2", "10.0.0.9"),
            ("10.0.0.1", "10.0.0.0/8", "203.0.113.9, nonsense", "10.0.0.1"),
            ("10.0.0.1", "10.0.0.0/8", "203.0.113.9:5123", "203.0.113.9"),
            ("10.0.0.1", "10.0.0.0/8", "[2001:db8::1]", "2001:db8::1"),
            ("10.0.0.1", "10.0.0.0/8", "[2001:db8::1]:80", "2001:db8::1"),
        ] {
            let trusted: Vec<Network> = trusted.split_whitespace().map(|text| text.parse().expect("one")).collect();
            let entries = forwarded.split(',').filter(|entry| !entry.is_empty());
            assert_eq!(client_behind(ip(peer), &trusted, entries), ip(client), "{peer} {forwarded}");
        }
    }
}
