//! Reaches the host that plays a game.

use std::{
    io,
    net::{SocketAddr, ToSocketAddrs},
    sync::Arc,
    time::Duration,
};

use commlib::{Reason, Refused};
use slog::{debug, warn};
use tokio::time::{sleep, timeout};

use super::{Host, membership::Known};
use crate::{
    cluster::{
        ClusterTls, Incarnation, PeerHost,
        link::{self, ClusterSecret, HANDSHAKE, LinkError, LinkRequest, Passed},
    },
    room::game_logger,
    world::Stream,
};

/// How long a client waits for a host that cannot be reached. If this host is dead, the others know it sooner.
const BURIAL: Duration = Duration::from_secs(10);

/// The number of tables without a host that was never in one, before it counts as dead.
const MISSING_TABLES: u32 = 3;

/// The pause before a host is dialled again, at first and at most. All clients of a dead host wait here at the same time.
const DIAL_AGAIN: Duration = Duration::from_millis(250);
const DIAL_SELDOM: Duration = Duration::from_secs(2);

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
    /// Whether this host is one of several that share a store.
    pub fn is_one_of_several(&self) -> bool {
        self.is_clustered()
    }

    /// Whether this host is one of several.
    pub(crate) fn is_clustered(&self) -> bool {
        self.cluster.is_some()
    }

    /// The secret of the cluster.
    pub(crate) fn cluster_secret(&self) -> Option<&ClusterSecret> {
        self.options.cluster.as_ref()?.secret.as_ref()
    }

    /// The certificates for connections between hosts.
    pub(crate) fn cluster_tls(&self) -> Option<&ClusterTls> {
        self.options.cluster.as_ref()?.tls.as_ref()
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
        self: &Arc<Self>,
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
            let mut pause = DIAL_AGAIN;
            loop {
                match self.dial(secret, address, &request).await {
                    Ok(stream) => {
                        self.metrics.forwards.add(1);
                        return Ok(Linked::To(Link { stream, owner: peer.incarnation }));
                    }
                    Err(LinkError::NotHere) => return Ok(Linked::Moved),
                    Err(error @ (LinkError::Io(_) | LinkError::TimedOut | LinkError::Silent)) => {
                        debug!(logger, "the owner cannot be reached"; "host" => &peer.name, "cause" => %error);
                        sleep(pause).await;
                        pause = (pause * 2).min(DIAL_SELDOM);
                    }
                    Err(
                        error @ (LinkError::Foreign
                        | LinkError::Tls(_)
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
            () = self.is_dead(peer.incarnation) => self.open_after(game).await.map(|()| Linked::Moved),
        };
        self.metrics.forwards_failed.add(u64::from(linked.is_err()));
        linked
    }

    /// Opens a game whose owner is dead, unless another host does. It is opened even if the caller is dropped.
    pub(crate) async fn open_after(self: &Arc<Self>, game: &str) -> Result<(), Refused> {
        let (host, game) = (self.clone(), game.to_owned());
        let opening = tokio::spawn(async move {
            match &host.cluster {
                Some(cluster) => host.open_wanted(cluster, &game).await,
                None => Ok(()),
            }
        });
        opening.await.unwrap_or_else(|_| Err(Refused::new(Reason::Internal, "The game could not be opened.")))
    }

    async fn dial(
        &self,
        secret: &ClusterSecret,
        address: &str,
        request: &LinkRequest,
    ) -> Result<Box<dyn Stream>, LinkError> {
        let nonce = self.options.world.random_bytes().map_err(|refused| io::Error::other(refused.message))?;
        let dialled = async {
            let address = self.resolve(address).await?;
            let stream = self.options.world.dial(address).await?.stream;
            match self.cluster_tls() {
                Some(tls) => tls.connect(address, stream).await,
                None => Ok(stream),
            }
        };
        let mut stream = timeout(HANDSHAKE, dialled).await.map_err(|_| LinkError::TimedOut)??;
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
