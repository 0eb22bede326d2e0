//! Ports for servers under test.

use std::{
    collections::BTreeSet,
    fmt, io,
    net::{Ipv4Addr, TcpListener},
    ops::RangeInclusive,
    sync::{Mutex, PoisonError},
    thread,
    time::{Duration, Instant},
};

/// The ports that servers may get. The system cannot choose one: it may give the same port to another program before the server
/// opens it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PortRange(RangeInclusive<u16>);

impl Default for PortRange {
    fn default() -> Self {
        Self(20_000..=31_999)
    }
}

impl fmt::Display for PortRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.0.start(), self.0.end())
    }
}

/// A text is not a range of ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotPorts;

impl fmt::Display for NotPorts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ports are written FIRST-LAST, for example 9000-9099; the first is at least 1024")
    }
}

impl std::error::Error for NotPorts {}

impl PortRange {
    /// Reads `FIRST-LAST`.
    ///
    /// # Errors
    /// If the text is not a range of unprivileged ports.
    pub fn parse(text: &str) -> Result<Self, NotPorts> {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let number = |text: &str| text.trim().parse::<u16>().ok().filter(|&port| port >= 1024).ok_or(NotPorts);
        let range = number(first)?..=number(last)?;
        if range.is_empty() { Err(NotPorts) } else { Ok(Self(range)) }
    }

    /// Reserves a port on which no program listens. If servers of this process have all of them, it waits for one.
    ///
    /// # Errors
    /// If there is no such port within the patience.
    pub(crate) fn reserve(&self, patience: Duration) -> io::Result<Port> {
        let since = Instant::now();
        loop {
            match self.try_reserve() {
                Ok(port) => return Ok(port),
                Err(error) if since.elapsed() > patience => return Err(error),
                Err(_) => thread::sleep(Duration::from_millis(10)),
            }
        }
    }

    fn try_reserve(&self) -> io::Result<Port> {
        let (first, count) = (u32::from(*self.0.start()), self.0.len() as u32);
        let mut ports = PORTS.lock().unwrap_or_else(PoisonError::into_inner);
        let mut last = io::Error::new(io::ErrorKind::AddrInUse, "servers have all of them");
        for _ in 0..count {
            ports.tried = ports.tried.wrapping_add(1);
            // Programs that run at the same time start with different ports.
            let port = (first + std::process::id().wrapping_mul(997).wrapping_add(ports.tried) % count) as u16;
            if ports.reserved.contains(&port) {
                continue;
            }
            match TcpListener::bind((Ipv4Addr::LOCALHOST, port)) {
                Ok(_) => {
                    ports.reserved.insert(port);
                    return Ok(Port(port));
                }
                Err(error) => last = error,
            }
        }
        Err(io::Error::new(last.kind(), format!("no port of {self} is free: {last}")))
    }
}

static PORTS: Mutex<Ports> = Mutex::new(Ports { reserved: BTreeSet::new(), tried: 0 });

struct Ports {
    reserved: BTreeSet<u16>,
    tried: u32,
}

/// A port that no other server of this process gets until this value is dropped.
#[derive(Debug)]
pub(crate) struct Port(u16);

impl Port {
    pub(crate) fn number(&self) -> u16 {
        self.0
    }
}

impl Drop for Port {
    fn drop(&mut self) {
        PORTS.lock().unwrap_or_else(PoisonError::into_inner).reserved.remove(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges() {
        assert_eq!(PortRange::parse("9000-9001"), Ok(PortRange(9000..=9001)));
        assert_eq!(PortRange::parse("9000"), Ok(PortRange(9000..=9000)));
        for wrong in ["", "80-90", "9001-9000", "9000-", "9000-99999", "a-b"] {
            assert_eq!(PortRange::parse(wrong), Err(NotPorts), "{wrong}");
        }
    }

    /// A port is given to one server at a time, and not while another program listens on it.
    #[test]
    fn reserved_ports() {
        let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        let port = taken.local_addr().expect("an address").port();
        let range = PortRange(port..=port);
        assert!(range.reserve(Duration::ZERO).is_err());
        drop(taken);
        let reserved = range.reserve(Duration::ZERO).expect("it is free now");
        assert_eq!(reserved.number(), port);
        let said = range.reserve(Duration::ZERO).expect_err("a server has it").to_string();
        assert_eq!(said, format!("no port of {port}-{port} is free: servers have all of them"));
        drop(reserved);
        assert!(range.reserve(Duration::ZERO).is_ok());
    }
}
