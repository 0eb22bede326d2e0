//! The HTTP port: who may connect and for how long. What it answers is in `routes`.

mod answer;
pub mod body;
mod change;
mod games;
mod live;
mod pages;
mod patient;
mod play;
mod query;
mod routes;
mod rules;

use std::{io, net::SocketAddr, sync::Arc, time::Duration};

use axum::{Extension, Router};
use hyper::server::conn::http1;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore, watch},
    task::JoinSet,
};

use self::patient::Patient;
use crate::{host::Host, limits::Connections};

/// Whose request it is, and what stays with whoever stays.
#[derive(Clone, Debug)]
struct Visitor {
    address: SocketAddr,
    /// From this machine, to an address that nobody else reaches: a person before it, or a proxy.
    local: bool,
    /// Among the connections of the port. A connection that became a WebSocket keeps it.
    place: Arc<OwnedSemaphorePermit>,
    /// Whoever plays over this port.
    players: Connections,
    stop: watch::Receiver<bool>,
}

/// Answers HTTP until it is told to stop.
///
/// `axum::serve` would do this in a line, but it has no clock: whoever sends half a request could keep its place for ever.
#[derive(Debug)]
pub struct Http {
    listener: TcpListener,
}

impl Http {
    pub async fn bind(address: SocketAddr) -> io::Result<Self> {
        Ok(Self { listener: TcpListener::bind(address).await? })
    }

    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves the pages and what programs ask for until `stop` becomes true.
    pub async fn serve(self, host: Arc<Host>, stop: watch::Receiver<bool>) {
        let router = routes::router(host.clone());
        self.answer(&host, router, stop).await;
    }

    /// Answers what these routes know until `stop` becomes true; then requests that have come are still answered.
    pub async fn answer(self, host: &Host, router: Router, mut stop: watch::Receiver<bool>) {
        let limits = host.options.limits;
        let logger = host.options.logger.clone();
        let players = Connections::new(host.metrics.clone());
        let alone = self.local_addr().is_ok_and(|address| address.ip().is_loopback());
        let places = Arc::new(Semaphore::new(limits.http_connections));
        let mut open = JoinSet::new();
        loop {
            let accepted = tokio::select! {
                _ = stop.wait_for(|stop| *stop) => break,
                Some(_) = open.join_next() => continue,
                accepted = self.accept(&places) => accepted,
            };
            match accepted {
                Ok((place, stream, address)) => {
                    let local = alone && address.ip().is_loopback();
                    let (place, players) = (Arc::new(place), players.clone());
                    let visitor = Visitor { address, local, place, players, stop: stop.clone() };
                    let router = router.clone().layer(Extension(visitor));
                    open.spawn(answer(Patient::new(stream, limits.stall), router, limits.http_head, stop.clone()));
                }
                Err(error) => {
                    // Too many open files, most likely: others may end meanwhile.
                    slog::warn!(logger, "a connection for HTTP could not be taken"; "cause" => %error);
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
            }
        }
        drop(self.listener);
        while open.join_next().await.is_some() {}
        // Whoever plays has a place until it has heard the last word.
        let all = u32::try_from(limits.http_connections).unwrap_or(u32::MAX);
        let _everybody_is_gone = places.acquire_many(all).await;
    }

    /// The next connection, once there is a place for it.
    async fn accept(&self, places: &Arc<Semaphore>) -> io::Result<(OwnedSemaphorePermit, TcpStream, SocketAddr)> {
        let place = places.clone().acquire_owned().await.map_err(io::Error::other)?;
        let (stream, address) = self.listener.accept().await?;
        // Fails only for a visitor who is gone.
        let _ = stream.set_nodelay(true);
        Ok((place, stream, address))
    }
}

/// Answers the requests of one connection, until it ends or the host does.
async fn answer(stream: Patient, router: Router, head: Duration, mut stop: watch::Receiver<bool>) {
    let service = TowerToHyperService::new(router);
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(head);
    let mut connection = std::pin::pin!(http.serve_connection(TokioIo::new(stream), service).with_upgrades());
    // How a connection ends is its client's matter: it went away, was too slow, or sent what is no HTTP.
    tokio::select! {
        _ended = connection.as_mut() => return,
        _ = stop.wait_for(|stop| *stop) => {}
    }
    connection.as_mut().graceful_shutdown();
    let _ended = connection.await;
}
