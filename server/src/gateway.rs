//! Taking connections. What one of them does is in `connection`; games that are over are answered by `archive`.

mod archive;
mod connection;

use std::{net::SocketAddr, sync::Arc, time::Duration};

use commlib::{Peer, Refused, ServerConnection};
use slog::{debug, o};
use tokio::{sync::watch, time::timeout};

use crate::{
    host::Host,
    limits::{Connections, Counted},
};
use connection::Connection;

/// Takes connections until the host stops.
#[derive(Debug)]
pub struct Gateway {
    server: ServerConnection,
    connections: Connections,
}

impl Gateway {
    pub async fn bind(address: SocketAddr, host: &Host) -> std::io::Result<Self> {
        let server = ServerConnection::bind(address, host.options.limits.wire).await?;
        Ok(Self { server, connections: Connections::new(host.metrics.clone()) })
    }

    pub fn local_addr(&self) -> std::io::Result<SocketAddr> {
        self.server.local_addr()
    }

    /// Serves until `stop` changes. Connections that are open then end when their rooms do.
    pub async fn serve(self, host: Arc<Host>, mut stop: watch::Receiver<bool>) -> OpenConnections {
        let logger = host.options.logger.clone();
        loop {
            let accepted = tokio::select! {
                _ = stop.wait_for(|stop| *stop) => return OpenConnections(self.connections),
                accepted = self.server.accept() => accepted,
            };
            let peer = match accepted {
                Ok(peer) => peer,
                Err(error) => {
                    // Too many open files, most likely: others may end meanwhile.
                    slog::warn!(logger, "a connection could not be taken"; "cause" => %error);
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
            };
            let admitted = self.connections.admit(peer.address().ip(), &host.options.limits);
            tokio::spawn(attend(peer, admitted, host.clone(), stop.clone()));
        }
    }
}

/// Serves somebody who has come, in whichever way, or says why not.
pub(crate) async fn attend(
    peer: Peer,
    admitted: Result<Counted, Refused>,
    host: Arc<Host>,
    stop: watch::Receiver<bool>,
) {
    let logger = host.options.logger.new(o!("connection" => peer.id().0));
    debug!(logger, "connected"; "address" => %peer.address());
    let id = peer.id();
    let (reader, writer) = peer.split();
    match admitted {
        Ok(_counted_until_it_ends) => Connection::new(id, reader, writer, host, logger).run(stop).await,
        Err(refused) => {
            debug!(logger, "closed"; "why" => &refused.message);
            commlib::turn_away(reader, writer, refused).await;
        }
    }
}

/// Connections that were open when a gateway stopped.
#[derive(Debug)]
pub struct OpenConnections(Connections);

impl OpenConnections {
    /// Waits until all have heard the last word, for so long at most.
    pub async fn ended(self, patience: Duration) {
        let all_gone = async {
            while self.0.all() > 0 {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        };
        let _some_never_read = timeout(patience, all_gone).await;
    }
}
