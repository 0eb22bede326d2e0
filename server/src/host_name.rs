//! Names of hosts, as they are in the header `Host` and in the origin of a page.

use std::{error::Error, fmt, net::IpAddr, str::FromStr};

/// A name by which clients reach a host, for example `games.example`. It has no port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostName(String);

/// The text is not the name of a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostNameError {
    /// The text.
    pub text: String,
}

impl fmt::Display for HostNameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:?} is not the name of a host; it is like games.example, without http:// and without a port",
            self.text
        )
    }
}

impl Error for HostNameError {}

impl FromStr for HostName {
    type Err = HostNameError;

    fn from_str(text: &str) -> Result<Self, HostNameError> {
        let known = |character: char| character.is_ascii_alphanumeric() || matches!(character, '-' | '_' | '.');
        let is_name = !text.is_empty() && text.len() <= 253 && text.chars().all(known) && !text.starts_with('.');
        if is_name { Ok(Self(normal(text))) } else { Err(HostNameError { text: text.into() }) }
    }
}

impl fmt::Display for HostName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl HostName {
    /// Whether an authority (a name and perhaps a port) has this name, with any port.
    pub(crate) fn names(&self, authority: &str) -> bool {
        normal(without_port(authority)) == self.0
    }
}

/// Whether an authority is `localhost` or a name below it, or a loopback address. No one else can own these names.
pub(crate) fn is_this_machine(authority: &str) -> bool {
    let name = normal(without_port(authority));
    name == "localhost" || name.ends_with(".localhost") || address(&name).is_some_and(|address| address.is_loopback())
}

/// Whether an authority is an address and not a name.
pub(crate) fn is_address(authority: &str) -> bool {
    address(without_port(authority)).is_some()
}

fn address(name: &str) -> Option<IpAddr> {
    let in_brackets = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
    let address = match in_brackets {
        Some(six) => IpAddr::V6(six.parse().ok()?),
        None => IpAddr::V4(name.parse().ok()?),
    };
    Some(address.to_canonical())
}

/// Names are equal in any case, and with or without the dot of the root.
fn normal(name: &str) -> String {
    name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase()
}

fn without_port(authority: &str) -> &str {
    match authority.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        Some(_) | None => authority,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for (text, authority, expected) in [
            ("games.example", "games.example", true),
            ("games.example", "GAMES.example.:443", true),
            ("Games.Example.", "games.example:7780", true),
            ("games.example", "evil.games.example", false),
            ("games.example", "games.example.evil", false),
            ("games.example", "games.example:x", false),
            ("games.example", "games.example@evil", false),
            ("games.example", "", false),
        ] {
            let name: HostName = text.parse().expect("a name");
            assert_eq!(name.names(authority), expected, "{text} {authority}");
        }
        for text in
            ["", ".", ".example", "http://games.example", "games.example:80", "[::1]", "a b", "a/b", "*.example"]
        {
            assert_eq!(text.parse::<HostName>(), Err(HostNameError { text: text.into() }));
        }
    }

    #[test]
    fn this_machine() {
        for (authority, expected) in [
            ("localhost", true),
            ("localhost:7780", true),
            ("LOCALHOST.:7780", true),
            ("a.b.localhost:1", true),
            ("127.0.0.1", true),
            ("127.9.8.7:80", true),
            ("[::1]", true),
            ("[::1]:7780", true),
            ("[::ffff:127.0.0.1]:7780", true),
            ("", false),
            (":7780", false),
            ("localhost.evil.test", false),
            ("evil-localhost", false),
            ("notlocalhost:7780", false),
            ("127.0.0.1.evil.test", false),
            ("127.0.0.1:x", false),
            ("192.0.2.7:7780", false),
            ("0.0.0.0:7780", false),
            ("[::2]:7780", false),
            ("::1", false),
            ("localhost@evil.test", false),
        ] {
            assert_eq!(is_this_machine(authority), expected, "{authority}");
        }
        for (authority, expected) in
            [("192.0.2.7:80", true), ("[2001:db8::7]", true), ("games.example", false), ("192.0.2.7.example", false)]
        {
            assert_eq!(is_address(authority), expected, "{authority}");
        }
    }
}
