//! Origins of pages, as browsers send them: a scheme, a host and perhaps a port.

use std::{error::Error, fmt, str::FromStr};

/// An origin of pages that may use the API, for example `http://localhost:5173`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebOrigin(String);

/// The text is not an origin of pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebOriginError {
    /// The text.
    pub text: String,
}

impl fmt::Display for WebOriginError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:?} is not the origin of a page; it is like http://localhost:5173 or https://games.example, without a path",
            self.text
        )
    }
}

impl Error for WebOriginError {}

impl FromStr for WebOrigin {
    type Err = WebOriginError;

    fn from_str(text: &str) -> Result<Self, WebOriginError> {
        normal(text).map(Self).ok_or_else(|| WebOriginError { text: text.into() })
    }
}

impl WebOrigin {
    /// Whether the header `Origin` of a request names this origin. A browser writes it in one form only.
    pub(crate) fn is(&self, header: &str) -> bool {
        self.0 == header
    }
}

/// The form that browsers send: lower case, and without the port that belongs to the scheme.
fn normal(text: &str) -> Option<String> {
    let text = text.to_ascii_lowercase();
    let (scheme, authority) = text.split_once("://")?;
    let usual = match scheme {
        "http" => 80,
        "https" => 443,
        _ => return None,
    };
    let (host, port) = match authority.rsplit_once(':') {
        // The colons of an IPv6 address are in brackets.
        Some((host, port)) if !port.ends_with(']') => (host, Some(port)),
        Some(_) | None => (authority, None),
    };
    if !is_host(host) {
        return None;
    }
    match port {
        None => Some(format!("{scheme}://{host}")),
        Some(port) => {
            let is_number = !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
            let number = port.parse::<u16>().ok().filter(|number| is_number && *number > 0)?;
            Some(if number == usual { format!("{scheme}://{host}") } else { format!("{scheme}://{host}:{number}") })
        }
    }
}

fn is_host(host: &str) -> bool {
    if let Some(six) = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
        return six.parse::<std::net::Ipv6Addr>().is_ok();
    }
    let known = |character: char| character.is_ascii_alphanumeric() || matches!(character, '-' | '_' | '.');
    !host.is_empty() && host.len() <= 253 && host.chars().all(known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins() {
        for (text, header) in [
            ("http://localhost:5173", "http://localhost:5173"),
            ("HTTP://LocalHost:5173", "http://localhost:5173"),
            ("https://games.example", "https://games.example"),
            ("https://games.example:443", "https://games.example"),
            ("http://games.example:80", "http://games.example"),
            ("http://games.example:443", "http://games.example:443"),
            ("http://[::1]:5173", "http://[::1]:5173"),
            ("http://[::1]", "http://[::1]"),
        ] {
            let origin: WebOrigin = text.parse().unwrap_or_else(|error| panic!("{error}"));
            assert!(origin.is(header), "{text} is not {header}: {origin:?}");
            assert!(!origin.is(&format!("{header}.evil.test")) && !origin.is("null") && !origin.is(""), "{text}");
        }
        for text in [
            "",
            "*",
            "null",
            "localhost:5173",
            "http://",
            "http://localhost:5173/",
            "http://localhost/page",
            "http://localhost:",
            "http://localhost:0",
            "http://localhost:65536",
            "http://localhost:+1",
            "http://*.example",
            "http://user@localhost",
            "http://[::1",
            "http://::1",
            "file:///tmp",
            "ws://localhost",
        ] {
            assert_eq!(text.parse::<WebOrigin>(), Err(WebOriginError { text: text.into() }));
        }
    }
}
