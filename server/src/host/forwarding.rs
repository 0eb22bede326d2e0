//! Reaches the host that plays a game.

use std::{
    io,
    net::{SocketAddr, ToSocketAddrs},
    time::Duration,
};

use commlib::{Reason, Refused};
use slog::{debug, warn};
use tokio::time::{sleep, timeout};

use super::{Host, membership::Known};
use crate::{
    cluster::{
        Incarnation, PeerHost,
        link::{self, ClusterSecret, HANDSHAKE, LinkError, LinkRequest, Passed},
    },
    room::game_logger,
    world::Stream,
};

/// How long a client waits for a host that cannot be reached. If this host is dead, the others know it sooner.
const BURIAL: Duration = Duration::from_secs(10);

/// The number of tables without a host that was never in one, before it counts as dead.
const MISSING_TABLES: u32 = 3;

/// The pause before a host is dialled again.
const DIAL_AGAIN: Duration = Duration::from_millis(250);

/// The attempt to pass a client on to the owner of its game.
pub(crate) enum Linked {
    /// The owner accepts the client.
    To(Link),
    /// The game has another owner by now.
    Moved,
}

/// A connection to the host that plays a game.
pub(crate) struct Link {
    pub(crate) stream: Box<dyn Stream>,
    pub(crate) owner: Incarnation,
}

impl Host {
    /// Whether this host is one of several.
    pub(crate) fn is_clustered(&self) -> bool {
        self.cluster.is_some()
    }

    /// The secret of the cluster.
    pub(crate) fn cluster_secret(&self) -> Option<&ClusterSecret> {
        self.options.cluster.as_ref()?.secret.as_ref()
    }

    /// The registration of this host, if it is one of several.
    pub(crate) fn incarnation(&self) -> Option<Incarnation> {
        self.cluster.as_ref()?.me()
    }

    /// Connects to the owner of a game for a client. While the owner cannot be reached, waits until it is declared dead.
    ///
    /// # Errors
    /// If the owner cannot be reached although it lives, or does not accept connections of this host.
    pub(crate) async fn link(
        &self,
        game: &str,
        peer: &PeerHost,
        client: SocketAddr,
        passed: Passed,
    ) -> Result<Linked, Refused> {
        let logger = game_logger(&self.options.logger, game);
        let elsewhere = || {
            let at = peer.addresses.client.as_deref().map(|address| format!(" at {address}")).unwrap_or_default();
            let words = format!("Game {game} is played by host {}{at}; resume there.", peer.name);
            Err(Refused::new(Reason::ShuttingDown, words))
        };
        let (Some(secret), Some(address)) = (self.cluster_secret(), &peer.addresses.cluster) else {
            return elsewhere();
        };
        let from = self.options.cluster.as_ref().map(|options| options.name.clone()).unwrap_or_default();
        let request = LinkRequest { from, to: peer.incarnation, client, game: game.to_owned(), passed };
        let linking = async {
            loop {
                match self.dial(secret, address, &request).await {
                    Ok(stream) => {
                        self.metrics.forwards.add(1);
                        return Ok(Linked::To(Link { stream, owner: peer.incarnation }));
                    }
                    Err(LinkError::NotHere) => return Ok(Linked::Moved),
                    Err(error @ (LinkError::Io(_) | LinkError::TimedOut)) => {
                        debug!(logger, "the owner cannot be reached"; "host" => &peer.name, "cause" => %error);
                        sleep(DIAL_AGAIN).await;
                    }
                    Err(
                        error @ (LinkError::Foreign
                        | LinkError::WrongSecret
                        | LinkError::BadRequest
                        | LinkError::TooMany),
                    ) => {
                        warn!(logger, "the owner takes no clients of this host"; "host" => &peer.name, "cause" => %error);
                        return elsewhere();
                    }
                }
            }
        };
        let linked = tokio::select! {
            biased;
            linked = timeout(BURIAL, linking) => linked.unwrap_or_else(|_| elsewhere()),
            () = self.is_dead(peer.incarnation) => Ok(Linked::Moved),
        };
        self.metrics.forwards_failed.add(u64::from(linked.is_err()));
        linked
    }

    async fn dial(
        &self,
        secret: &ClusterSecret,
        address: &str,
        request: &LinkRequest,
    ) -> Result<Box<dyn Stream>, LinkError> {
        let nonce = self.options.world.random_bytes().map_err(|refused| io::Error::other(refused.message))?;
        let dialled = async { self.options.world.dial(self.resolve(address).await?).await };
        let mut stream = timeout(HANDSHAKE, dialled).await.map_err(|_| LinkError::TimedOut)??.stream;
        link::dial(&mut *stream, secret, nonce, request).await?;
        Ok(stream)
    }

    /// Resolves when another host is dead, as far as this one knows.
    pub(crate) async fn is_dead(&self, peer: Incarnation) {
        let Some(cluster) = &self.cluster else { return std::future::pending().await };
        // A table may be older than the registration of the other host. So a host that was never in one is not dead at once.
        let mut missing = 0;
        loop {
            let next_table = cluster.tables.notified();
            match cluster.known(peer) {
                Known::NoTable => {}
                Known::Alive => missing = MISSING_TABLES - 1,
                Known::Dead => return,
                Known::Missing if missing + 1 >= MISSING_TABLES => return,
                Known::Missing => missing += 1,
            }
            next_table.await;
        }
    }

    /// The address of another host. Names are looked up on a blocking thread.
    async fn resolve(&self, address: &str) -> io::Result<SocketAddr> {
        if let Ok(address) = address.parse() {
            return Ok(address);
        }
        let name = address.to_owned();
        let found = self.options.world.blocking(move || name.to_socket_addrs().map(|mut found| found.next())).await;
        found.map_err(|_| io::Error::other("the name was not looked up"))??.ok_or(io::ErrorKind::NotFound.into())
    }
}
