//! An address that is reserved for a server that starts later, or restarts.

use std::net::{Ipv4Addr, SocketAddr};

use tokio::net::TcpSocket;

/// A port that is reserved as long as this value lives. Nothing listens on it, so connections are refused until a server binds
/// it. A server can bind it, because both sockets allow their address to be reused.
#[derive(Debug)]
pub(crate) struct Port {
    address: SocketAddr,
    _reserved: Option<TcpSocket>,
}

impl Port {
    pub(crate) fn reserve() -> Self {
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.set_reuseaddr(true).expect("an address can be used again");
        socket.bind((Ipv4Addr::LOCALHOST, 0).into()).expect("a free port");
        Self { address: socket.local_addr().expect("it is bound"), _reserved: Some(socket) }
    }

    /// A port of another machine, where nothing else listens.
    #[allow(dead_code, reason = "not all tests have other machines")]
    pub(crate) fn on(machine: Ipv4Addr, port: u16) -> Self {
        Self { address: (machine, port).into(), _reserved: None }
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }
}
