//! An address that is reserved for a server that starts later, or restarts.

use std::net::{Ipv4Addr, SocketAddr};

use tokio::net::TcpSocket;

/// A port that is reserved as long as this value lives. Nothing listens on it, so connections are refused until a server binds
/// it. A server can bind it, because both sockets allow their address to be reused.
#[derive(Debug)]
pub(crate) struct Port {
    socket: TcpSocket,
}

impl Port {
    pub(crate) fn reserve() -> Self {
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.set_reuseaddr(true).expect("an address can be used again");
        socket.bind((Ipv4Addr::LOCALHOST, 0).into()).expect("a free port");
        Self { socket }
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.socket.local_addr().expect("it is bound")
    }
}
