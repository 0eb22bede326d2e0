//! Who may not come in at all.

use std::net::IpAddr;

use serde::{Deserialize, Serialize};

use super::{AccountError, AccountName};
use crate::client_address::Network;

/// Whom the operator bans.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BanTarget {
    /// An account.
    Account(AccountName),
    /// An address or a network. An IPv6 address alone means its prefix of 64 bits.
    Network(Network),
}

impl BanTarget {
    /// Reads an address, a network, or the name of an account.
    ///
    /// # Errors
    /// If it is neither.
    pub fn parse(text: &str) -> Result<Self, AccountError> {
        let with_prefix = match text.parse::<IpAddr>() {
            Ok(IpAddr::V6(six)) => format!("{six}/64"),
            Ok(IpAddr::V4(_)) | Err(_) => text.to_owned(),
        };
        if let Ok(network) = with_prefix.parse() {
            return Ok(Self::Network(network));
        }
        let name = AccountName::parse(text).map_err(|_| AccountError::NoTarget { text: text.into() })?;
        Ok(Self::Account(name))
    }
}

/// A ban of addresses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ban {
    /// The network, like 192.0.2.7 or 2001:db8::/64.
    pub network: String,
    /// When it was banned, in milliseconds since 1970.
    pub since: i64,
    /// The operator's reason.
    #[serde(default)]
    pub why: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets() {
        let network = |text: &str| BanTarget::Network(text.parse().expect("a network"));
        assert_eq!(BanTarget::parse("192.0.2.7").expect("an address"), network("192.0.2.7/32"));
        assert_eq!(BanTarget::parse("192.0.2.0/24").expect("a network"), network("192.0.2.0/24"));
        assert_eq!(BanTarget::parse("2001:db8::7").expect("an address"), network("2001:db8::7/64"));
        assert_eq!(BanTarget::parse("2001:db8::/32").expect("a network"), network("2001:db8::/32"));
        assert!(matches!(BanTarget::parse("Ana"), Ok(BanTarget::Account(name)) if name.as_str() == "Ana"));
        assert!(matches!(BanTarget::parse("192.0.2.7/33"), Err(AccountError::NoTarget { .. })));
    }
}
