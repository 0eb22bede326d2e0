//! The port for other hosts, which pass clients on to the host that plays their game.

use std::{
    collections::HashMap,
    io,
    net::{IpAddr, SocketAddr},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use commlib::Form;
use slog::{Logger, debug, warn};
use tokio::{net::TcpListener, sync::watch, time::timeout};
use tokio_util::task::TaskTracker;

use crate::{
    cluster::{
        ClusterTls,
        link::{self, ClusterSecret, HANDSHAKE, LinkError, LinkRequest, Passed, Verdict},
    },
    gateway::{OpenConnections, attend_link},
    host::{Host, Located},
    http::HttpStreams,
    sync::lock,
    world::Stream,
};

/// The maximum number of connections from one address that have not proven the secret yet. A host proves it within milliseconds.
const UNPROVEN_PER_ADDRESS: usize = 64;

/// The maximum number of all such connections.
const UNPROVEN: usize = 1024;

/// The port for other hosts.
#[derive(Debug)]
pub struct ClusterPort {
    listener: TcpListener,
}

impl ClusterPort {
    /// Listens on an address.
    ///
    /// # Errors
    /// If the address cannot be bound.
    pub async fn bind(address: SocketAddr) -> io::Result<Self> {
        Ok(Self { listener: TcpListener::bind(address).await? })
    }

    /// The address that it listens on.
    ///
    /// # Errors
    /// If the operating system cannot report it.
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves other hosts until `stop` becomes true. Clients that are passed on then end with their rooms. A host whose options
    /// have no secret serves none.
    pub async fn serve(self, host: Arc<Host>, mut stop: watch::Receiver<bool>) -> OpenConnections {
        let tasks = TaskTracker::new();
        let logger = host.options.logger.clone();
        let links = ClusterLinks::new(host, stop.clone());
        loop {
            let accepted = tokio::select! {
                _ = stop.wait_for(|stop| *stop) => return OpenConnections(tasks),
                accepted = self.listener.accept() => accepted,
            };
            match accepted {
                Ok((stream, address)) => {
                    // Fails only if the other side is gone.
                    let _ = stream.set_nodelay(true);
                    let links = links.clone();
                    tasks.spawn(async move { links.serve_stream(address, stream).await });
                }
                Err(error) => {
                    // Most likely too many files are open. Wait for other connections to end.
                    warn!(logger, "a connection of another host could not be taken"; "cause" => %error);
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
            }
        }
    }
}

/// A cluster port without a listener: it serves streams that another part of the program accepted.
#[derive(Clone)]
pub struct ClusterLinks {
    host: Arc<Host>,
    secret: Option<ClusterSecret>,
    tls: Option<ClusterTls>,
    pages: HttpStreams,
    unproven: Arc<Unproven>,
    open: Arc<AtomicUsize>,
    logger: Logger,
    stop: watch::Receiver<bool>,
}

impl std::fmt::Debug for ClusterLinks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ClusterLinks").finish_non_exhaustive()
    }
}

impl ClusterLinks {
    /// Serves other hosts until `stop` becomes true.
    pub fn new(host: Arc<Host>, stop: watch::Receiver<bool>) -> Self {
        Self {
            secret: host.cluster_secret().cloned(),
            tls: host.cluster_tls().cloned(),
            pages: HttpStreams::forwarded_pages(&host, stop.clone()),
            unproven: Arc::default(),
            open: Arc::default(),
            logger: host.options.logger.clone(),
            host,
            stop,
        }
    }

    /// The same port for connections that end when another `stop` becomes true.
    #[must_use]
    pub fn stopped_by(&self, stop: watch::Receiver<bool>) -> Self {
        Self { stop, ..self.clone() }
    }

    /// Serves one connection of another host.
    pub async fn serve_stream(&self, address: SocketAddr, stream: impl Stream + 'static) {
        if let Err(error) = self.try_serve(address, Box::new(stream)).await {
            self.host.metrics.links_refused.add(1);
            debug!(self.logger, "no connection with another host"; "address" => %address, "cause" => %error);
        }
    }

    async fn try_serve(&self, address: SocketAddr, mut stream: Box<dyn Stream>) -> Result<(), LinkError> {
        let Some(secret) = &self.secret else { return Err(LinkError::WrongSecret) };
        let nonce = self.host.options.world.random_bytes().map_err(|refused| io::Error::other(refused.message))?;
        let unproven = self.unproven.admit(address.ip()).ok_or(LinkError::TooMany)?;
        if let Some(tls) = &self.tls {
            stream = timeout(HANDSHAKE, tls.accept(stream)).await.map_err(|_| LinkError::TimedOut)??;
        }
        let proven = link::accept(&mut *stream, secret, nonce).await?;
        drop(unproven);
        let counted = Counted::new(&self.open, self.host.options.limits.forwarded);
        let verdict = match &counted {
            None => Verdict::TooMany,
            Some(_) => self.judge(&proven.request).await,
        };
        proven.answer(&mut *stream, secret, verdict).await?;
        if verdict != Verdict::Accepted {
            return Ok(());
        }
        self.host.metrics.forwards_accepted.add(1);
        let request = proven.request;
        let (host, stop) = (self.host.clone(), self.stop.clone());
        match &request.passed {
            Passed::Frames => attend_link(request, Form::Binary, stream, host, stop).await,
            Passed::Lines => attend_link(request, Form::Json, stream, host, stop).await,
            Passed::Pages => self.pages.serve_stream(request.client, stream).await,
            Passed::Port { rulebook } => {
                if let Some(port) = HttpStreams::forwarded_port(&host, rulebook, request.game.clone(), stop) {
                    port.serve_stream(request.client, stream).await;
                }
            }
        }
        Ok(())
    }

    /// Whether this host answers for the game. It never passes a client on that another host passed on, so there are no loops.
    async fn judge(&self, request: &LinkRequest) -> Verdict {
        if self.host.incarnation() != Some(request.to) {
            return Verdict::NotHere;
        }
        if self.host.room(&request.game).is_some() {
            return Verdict::Accepted;
        }
        match self.host.locate_by(&request.game, self.host.entry_deadline()).await {
            Ok(Located::Elsewhere(_)) => Verdict::NotHere,
            // The client hears why there is no game.
            Ok(Located::Open | Located::Over(_)) | Err(_) => Verdict::Accepted,
        }
    }
}

/// The connections that have not proven the secret yet.
#[derive(Debug, Default)]
struct Unproven(Mutex<HashMap<IpAddr, usize>>);

/// A connection that has not proven the secret; counted until it is dropped.
struct UnprovenLink {
    unproven: Arc<Unproven>,
    address: IpAddr,
}

impl Unproven {
    fn admit(self: &Arc<Self>, address: IpAddr) -> Option<UnprovenLink> {
        let mut counts = lock(&self.0);
        let here = counts.get(&address).copied().unwrap_or_default();
        if here >= UNPROVEN_PER_ADDRESS || counts.values().sum::<usize>() >= UNPROVEN {
            return None;
        }
        counts.insert(address, here + 1);
        Some(UnprovenLink { unproven: self.clone(), address })
    }
}

impl Drop for UnprovenLink {
    fn drop(&mut self) {
        let mut counts = lock(&self.unproven.0);
        if let Some(here) = counts.get_mut(&self.address) {
            *here -= 1;
            if *here == 0 {
                counts.remove(&self.address);
            }
        }
    }
}

/// A client or a request of another host; counted until it is dropped.
struct Counted(Arc<AtomicUsize>);

impl Counted {
    fn new(open: &Arc<AtomicUsize>, most: usize) -> Option<Self> {
        let counted = Self(open.clone());
        (open.fetch_add(1, Ordering::Relaxed) < most).then_some(counted)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    #[test]
    fn unproven_connections_are_counted_until_they_end() {
        let unproven = Arc::new(Unproven::default());
        let address = |last: usize| IpAddr::V4(Ipv4Addr::new(192, 0, 2, u8::try_from(last).expect("a byte")));
        let mut open: Vec<UnprovenLink> =
            (0..UNPROVEN_PER_ADDRESS).map(|_| unproven.admit(address(1)).expect("room")).collect();
        assert!(unproven.admit(address(1)).is_none(), "too many from one address");
        assert!(unproven.admit(address(2)).is_some(), "another one is not affected");
        open.pop();
        open.push(unproven.admit(address(1)).expect("one has ended"));
        for last in 2..=UNPROVEN / UNPROVEN_PER_ADDRESS {
            open.extend((0..UNPROVEN_PER_ADDRESS).map(|_| unproven.admit(address(last)).expect("room")));
        }
        assert!(unproven.admit(address(100)).is_none(), "too many in all");
        drop(open);
        assert!(lock(&unproven.0).is_empty());
    }

    #[test]
    fn passed_connections_are_counted_until_they_end() {
        let open = Arc::default();
        let first = Counted::new(&open, 2);
        let _second = Counted::new(&open, 2).expect("room");
        assert!(Counted::new(&open, 2).is_none());
        drop(first);
        assert!(Counted::new(&open, 2).is_some());
    }
}
