//! Accepts connections. `connection` serves one of them over a `transport`: a socket, a `websocket`, or a link to another host.
//! `archive` serves games that are over. `forward` passes clients on to the hosts that play their games.

mod archive;
mod connection;
mod forward;
mod link_frames;
mod link_transport;
mod managing;
mod transport;
mod websocket;

use std::{net::SocketAddr, sync::Arc, time::Duration};

use commlib::{ConnectionId, Form, Peer, Reason, Refused, ServerConnection};
use slog::{debug, o};
use tokio::{sync::watch, time::timeout};
use tokio_util::task::TaskTracker;

pub(crate) use self::{connection::AccountSecret, websocket::WebSocketTransport};
use self::{connection::Connection, link_transport::LinkTransport, transport::Transport};
use crate::{
    cluster::link::LinkRequest,
    host::Host,
    limits::{Connections, Counted},
    tls::{HandshakeError, Opened, ServerTls},
    world::Stream,
};

/// Accepts connections until the host stops.
#[derive(Debug)]
pub struct Gateway {
    server: ServerConnection,
    connections: Connections,
    tls: Option<ServerTls>,
    /// The tasks of all connections.
    tasks: TaskTracker,
}

impl Gateway {
    /// Listens on an address.
    ///
    /// # Errors
    /// If the address cannot be bound.
    pub async fn bind(address: SocketAddr, host: &Host) -> std::io::Result<Self> {
        let server = ServerConnection::bind(address, host.options.limits.wire).await?;
        let connections = Connections::new(host.metrics.clone());
        Ok(Self { server, connections, tls: None, tasks: TaskTracker::new() })
    }

    /// Encrypts all connections with this certificate, if there is one.
    #[must_use]
    pub fn with_tls(self, tls: Option<ServerTls>) -> Self {
        Self { tls, ..self }
    }

    /// The address that it listens on.
    ///
    /// # Errors
    /// If the operating system cannot report it.
    pub fn local_addr(&self) -> std::io::Result<SocketAddr> {
        self.server.local_addr()
    }

    /// Serves until `stop` changes. Connections that are still open then end with their rooms.
    pub async fn serve(self, host: Arc<Host>, mut stop: watch::Receiver<bool>) -> OpenConnections {
        let logger = host.options.logger.clone();
        loop {
            let accepted = tokio::select! {
                _ = stop.wait_for(|stop| *stop) => return OpenConnections(self.tasks),
                accepted = self.server.accept() => accepted,
            };
            let peer = match accepted {
                Ok(peer) => peer,
                Err(error) => {
                    // Most likely too many files are open. Wait for other connections to end.
                    slog::warn!(logger, "a connection could not be taken"; "cause" => %error);
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
            };
            let admitted = self.connections.admit(host.counted(peer.address().ip()), &host.options.limits);
            if let Some(tls) = &self.tls {
                self.tasks.spawn(attend_encrypted(peer, tls.clone(), admitted, host.clone(), stop.clone()));
                continue;
            }
            let (id, address) = (peer.id(), peer.address());
            let (reader, writer) = peer.split();
            let arrival = Arrival { id, address, transport: Transport::Socket { reader, writer }, secret: None };
            self.tasks.spawn(attend(arrival, admitted, host.clone(), stop.clone()));
        }
    }

    /// Serves one client over a stream that another program part accepted, until the client leaves or `stop` changes. Such a
    /// client does not count as a connection of this port.
    pub async fn serve_stream(
        host: Arc<Host>,
        address: SocketAddr,
        stream: impl Stream + 'static,
        stop: watch::Receiver<bool>,
    ) {
        let uncounted = Connections::new(host.metrics.clone()).admit(None, &host.options.limits);
        let (reader, writer) = commlib::split_stream(stream, host.options.limits.wire);
        let arrival = Arrival {
            id: ConnectionId::next(),
            address,
            transport: Transport::Socket { reader, writer },
            secret: None,
        };
        attend(arrival, uncounted, host, stop).await;
    }
}

/// A client that has connected and has not sent anything yet.
pub(crate) struct Arrival {
    id: ConnectionId,
    address: SocketAddr,
    transport: Transport,
    /// The session of an account, of a browser.
    secret: Option<AccountSecret>,
}

impl Arrival {
    /// A client that connects with a WebSocket over the HTTP port, with the secret of an account if it sent one.
    pub(crate) fn over_web(address: SocketAddr, transport: WebSocketTransport, secret: Option<AccountSecret>) -> Self {
        Self { id: ConnectionId::next(), address, transport: Transport::WebSocket(Box::new(transport)), secret }
    }
}

/// Serves an admitted client over either transport, or sends the reason why it is not admitted.
pub(crate) async fn attend(
    arrival: Arrival,
    admitted: Result<Counted, Refused>,
    host: Arc<Host>,
    stop: watch::Receiver<bool>,
) {
    let logger = host.options.logger.new(o!("connection" => arrival.id.0));
    debug!(logger, "connected"; "address" => %arrival.address);
    match admitted {
        Ok(_counted_until_it_ends) => Connection::new(arrival, host, logger).run(stop).await,
        Err(refused) => {
            debug!(logger, "closed"; "why" => &refused.message);
            arrival.transport.turn_away(refused).await;
        }
    }
}

/// Serves a client of an encrypted port. The handshake is part of the connection: it counts as open, and has a time limit.
async fn attend_encrypted(
    peer: Peer,
    tls: ServerTls,
    admitted: Result<Counted, Refused>,
    host: Arc<Host>,
    mut stop: watch::Receiver<bool>,
) {
    let (id, address) = (peer.id(), peer.address());
    let limits = host.options.limits.wire;
    // A client that is not admitted gets only the time of a last message.
    let limit = if admitted.is_ok() { limits.handshake } else { limits.farewell };
    let opened = tokio::select! {
        opened = tls.open(peer.into_stream(), limit) => opened,
        _ = stop.wait_for(|stop| *stop) => return,
    };
    let (stream, refused): (Box<dyn Stream>, _) = match opened {
        Opened::Encrypted(stream) => (stream, None),
        Opened::Plain(stream) => {
            let refused = Refused::new(Reason::BadMessage, "This port uses TLS; connect with TLS.");
            (Box::new(stream), Some(refused))
        }
        Opened::Failed(error) => {
            host.metrics.handshakes_failed.add(1);
            if let HandshakeError::TimedOut = error {
                host.metrics.connections_refused.count(Reason::Timeout);
            }
            debug!(host.options.logger, "no TLS"; "connection" => id.0, "address" => %address, "cause" => %error);
            return;
        }
    };
    let (mut reader, writer) = commlib::split_stream(stream, limits);
    let admitted = match refused {
        Some(refused) => {
            host.metrics.connections_refused.count(refused.reason);
            // The answer has the form of what the client has sent.
            reader.has_more().await;
            Err(refused)
        }
        None => admitted,
    };
    attend(
        Arrival { id, address, transport: Transport::Socket { reader, writer }, secret: None },
        admitted,
        host,
        stop,
    )
    .await;
}

/// Serves a client that another host took. That host counts it, and checks its limits.
pub(crate) async fn attend_link(
    request: LinkRequest,
    form: Form,
    stream: Box<dyn Stream>,
    host: Arc<Host>,
    stop: watch::Receiver<bool>,
) {
    let LinkRequest { from, client: address, .. } = request;
    let transport = Transport::Link(Box::new(LinkTransport::new(stream, form, host.options.limits.wire)));
    let arrival = Arrival { id: ConnectionId::next(), address, transport, secret: None };
    let logger = host.options.logger.new(o!("connection" => arrival.id.0, "via" => from));
    debug!(logger, "connected"; "address" => %address);
    Connection::new(arrival, host, logger).run(stop).await;
}

/// Connections that were open when a port stopped.
#[derive(Debug)]
pub struct OpenConnections(pub(crate) TaskTracker);

impl OpenConnections {
    /// Waits until all clients have received their last message, for at most `patience`.
    pub async fn ended(self, patience: Duration) {
        self.0.close();
        let _some_never_read = timeout(patience, self.0.wait()).await;
    }
}
