//! The HTTP port: connections and their limits. The answers are in `routes`.

mod access;
mod accounts;
mod answer;
mod at_host;
pub mod body;
mod change;
mod chat;
mod client;
mod forward;
mod framing;
mod games;
mod housekeeping;
mod live;
mod origin;
mod pages;
mod play;
mod query;
mod routes;
mod rulebook_port;
mod rules;
mod write_timeout;

use std::{fmt, io, net::SocketAddr, sync::Arc, time::Duration};

use axum::{
    Extension, Router,
    http::{StatusCode, header},
    middleware,
    response::{IntoResponse as _, Response},
};
use commlib::Reason;
use hyper::server::conn::http1;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore, watch},
    task::JoinSet,
    time::timeout,
};

use self::{
    answer::ApiError,
    framing::{FramingStream, TwoLengths},
    origin::Origins,
    write_timeout::WriteTimeoutStream,
};
pub use self::{
    client::RequestClient,
    rulebook_port::{NamePlace, PassedGame, RequestGame, RulebookPort},
};
use crate::{
    address_limits::Used,
    host::Host,
    limits::{Connections, Limits},
    metrics::Metrics,
    tls::{Opened, ServerTls},
    world::Stream,
};

/// The maximum number of connections of the port for operators.
const OPERATORS: usize = 64;

/// The maximum number of connections that are told that their address has too many. Others are closed without a word.
const TURNED_AWAY: usize = 64;

/// The time for this answer.
const TURN_AWAY: Duration = Duration::from_secs(1);

/// The client of a request, and the resources that it holds as long as its connection is open.
#[derive(Clone, Debug)]
struct Visitor {
    /// The client. Behind a trusted proxy, this is the address that the proxy names.
    address: SocketAddr,
    /// Whether the client connects from this machine to a loopback address: a person at this machine, or a proxy.
    local: bool,
    /// Whether another host took the client. That host has checked the name of the host and the origin of the request, and counts
    /// the client.
    is_forwarded: bool,
    /// Whether the client is encrypted. Then its cookies are sent over TLS only.
    is_encrypted: bool,
    /// Whether a request of this connection had two lengths.
    two_lengths: TwoLengths,
    /// A connection of the port. One that became a WebSocket keeps it.
    place: Arc<(OwnedSemaphorePermit, Used)>,
    /// The connections of players over this port.
    players: Connections,
    stop: watch::Receiver<bool>,
}

/// The HTTP server.
///
/// `axum::serve` would take one line, but it has no timeouts: a client that sends half a request could keep its connection open
/// without limit.
#[derive(Debug)]
pub struct Http {
    listener: TcpListener,
    tls: Option<ServerTls>,
}

impl Http {
    /// Listens on an address.
    ///
    /// # Errors
    /// If the address cannot be bound.
    pub async fn bind(address: SocketAddr) -> io::Result<Self> {
        Ok(Self { listener: TcpListener::bind(address).await?, tls: None })
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
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves the pages and the API until `stop` becomes true.
    pub async fn serve(self, host: Arc<Host>, stop: watch::Receiver<bool>) {
        let (on_loopback, is_encrypted) = (self.is_on_loopback(), self.tls.is_some());
        let streams = HttpStreams::serving(host, on_loopback, stop);
        self.run(HttpStreams { is_encrypted, ..streams }).await;
    }

    /// Serves `/health` and `/metrics` alone until `stop` becomes true.
    pub async fn serve_operators(self, host: Arc<Host>, stop: watch::Receiver<bool>) {
        let on_loopback = self.is_on_loopback();
        self.run(HttpStreams::for_operators(host, on_loopback, stop)).await;
    }

    /// Serves the port of a rulebook until `stop` becomes true. Requests that have arrived by then are still answered. Pages of
    /// other sites get no answer; programs may call this host by any name.
    pub async fn answer(self, host: &Arc<Host>, port: RulebookPort, stop: watch::Receiver<bool>) {
        let on_loopback = self.is_on_loopback();
        self.run(HttpStreams::answering(host, port, on_loopback, stop)).await;
    }

    fn is_on_loopback(&self) -> bool {
        self.local_addr().is_ok_and(|address| address.ip().is_loopback())
    }

    async fn run(self, streams: HttpStreams) {
        let mut stop = streams.stop.clone();
        let mut open = JoinSet::new();
        loop {
            let accepted = tokio::select! {
                _ = stop.wait_for(|stop| *stop) => break,
                Some(_) = open.join_next() => continue,
                accepted = self.accept(&streams.places) => accepted,
            };
            match accepted {
                Ok((place, stream, address)) => {
                    match &self.tls {
                        None => open.spawn(streams.connection(place, streams.admit(address), address, stream)),
                        Some(tls) => open.spawn(streams.encrypted(tls.clone(), place, address, stream)),
                    };
                }
                Err(error) => {
                    // Most likely there are too many open files. Wait for other connections to end.
                    slog::warn!(streams.logger, "a connection for HTTP could not be taken"; "cause" => %error);
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
            }
        }
        drop(self.listener);
        while open.join_next().await.is_some() {}
        // A player keeps its permit until its last message is sent.
        let all = if streams.is_for_operators { OPERATORS } else { streams.limits.http_connections };
        let all = u32::try_from(all).unwrap_or(u32::MAX);
        let _all_closed = streams.places.acquire_many(all).await;
    }

    /// Waits for a permit, then accepts the next connection.
    async fn accept(&self, places: &Arc<Semaphore>) -> io::Result<(OwnedSemaphorePermit, TcpStream, SocketAddr)> {
        let place = places.clone().acquire_owned().await.map_err(io::Error::other)?;
        let (stream, address) = self.listener.accept().await?;
        // Fails only if the client is gone.
        let _ = stream.set_nodelay(true);
        Ok((place, stream, address))
    }
}

/// An HTTP server without a port: it serves streams that another part of the program accepted, as [`Http`] serves the
/// connections of its port.
#[derive(Clone)]
pub struct HttpStreams {
    router: Router,
    limits: Limits,
    logger: slog::Logger,
    players: Connections,
    metrics: Arc<Metrics>,
    places: Arc<Semaphore>,
    host: Arc<Host>,
    /// Connections of addresses that have too many, while they are told so.
    turned_away: Arc<Semaphore>,
    on_loopback: bool,
    is_forwarded: bool,
    is_for_operators: bool,
    is_encrypted: bool,
    stop: watch::Receiver<bool>,
}

impl fmt::Debug for HttpStreams {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpStreams").finish_non_exhaustive()
    }
}

impl HttpStreams {
    /// Serves the pages and the API. `on_loopback` says whether clients reach this server only through a loopback address.
    pub fn serving(host: Arc<Host>, on_loopback: bool, stop: watch::Receiver<bool>) -> Self {
        let router = routes::router(host.clone());
        Self::checking(&host, router, on_loopback, false, stop)
    }

    /// Serves `/health` and `/metrics` alone, for operators. Clients use up neither its connections nor those of their addresses.
    pub fn for_operators(host: Arc<Host>, on_loopback: bool, stop: watch::Receiver<bool>) -> Self {
        let router = routes::operator_router(host.clone());
        let places = Arc::new(Semaphore::new(OPERATORS));
        Self { places, is_for_operators: true, ..Self::checking(&host, router, on_loopback, false, stop) }
    }

    /// Serves the port of a rulebook, as [`Http::answer`] does.
    pub fn answering(host: &Arc<Host>, port: RulebookPort, on_loopback: bool, stop: watch::Receiver<bool>) -> Self {
        Self::checking(host, port.into_router(host), on_loopback, true, stop)
    }

    /// Serves requests for the pages and the API that another host passes on.
    pub(crate) fn forwarded_pages(host: &Arc<Host>, stop: watch::Receiver<bool>) -> Self {
        Self::forwarded(host, routes::router(host.clone()), stop)
    }

    /// Serves requests for the port of a rulebook that another host passes on, if this host has such a port. All are of one game.
    pub(crate) fn forwarded_port(
        host: &Arc<Host>,
        rulebook: &str,
        game: String,
        stop: watch::Receiver<bool>,
    ) -> Option<Self> {
        let router = host.kept_routes(rulebook)?.layer(Extension(PassedGame(game)));
        Some(Self::forwarded(host, router, stop))
    }

    /// The host that took the clients has checked and counted them.
    fn forwarded(host: &Arc<Host>, router: Router, stop: watch::Receiver<bool>) -> Self {
        let places = Arc::new(Semaphore::new(Semaphore::MAX_PERMITS));
        Self { places, is_forwarded: true, ..Self::new(host, router, false, stop) }
    }

    fn checking(
        host: &Arc<Host>,
        router: Router,
        on_loopback: bool,
        any_name_for_programs: bool,
        stop: watch::Receiver<bool>,
    ) -> Self {
        let names = host.options.host_names.clone().into();
        // The port of a rulebook has a protocol of its own, for programs.
        let allowed = if any_name_for_programs { Arc::default() } else { host.options.allowed_origins.clone().into() };
        let origins = Origins { on_loopback, names, allowed, any_name_for_programs };
        let router = router.layer(middleware::from_fn_with_state(origins, origin::keep_out));
        let router = router.layer(middleware::from_fn_with_state(host.clone(), client::find));
        Self::new(host, router, on_loopback, stop)
    }

    fn new(host: &Arc<Host>, router: Router, on_loopback: bool, stop: watch::Receiver<bool>) -> Self {
        Self {
            router,
            limits: host.options.limits,
            logger: host.options.logger.clone(),
            players: Connections::new(host.metrics.clone()),
            metrics: host.metrics.clone(),
            places: Arc::new(Semaphore::new(host.options.limits.http_connections)),
            host: host.clone(),
            turned_away: Arc::new(Semaphore::new(TURNED_AWAY)),
            on_loopback,
            is_forwarded: false,
            is_for_operators: false,
            is_encrypted: false,
            stop,
        }
    }

    /// Serves one client until its stream or the host ends. Waits while there are too many clients.
    pub async fn serve_stream(&self, address: SocketAddr, stream: impl Stream + 'static) {
        if let Ok(place) = self.places.clone().acquire_owned().await {
            self.connection(place, self.admit(address), address, stream).await;
        }
    }

    /// Serves a client of an encrypted port. The handshake has the time limit of a request's head.
    fn encrypted(
        &self,
        tls: ServerTls,
        place: OwnedSemaphorePermit,
        address: SocketAddr,
        stream: TcpStream,
    ) -> impl Future<Output = ()> + Send + use<> {
        let (streams, used) = (self.clone(), self.admit(address));
        async move {
            // A handshake costs more than an answer, so an address with too many connections gets neither.
            let Some(used) = used else { return };
            let mut stop = streams.stop.clone();
            let opened = tokio::select! {
                opened = tls.open(stream, streams.limits.http_head) => opened,
                _ = stop.wait_for(|stop| *stop) => return,
            };
            match opened {
                Opened::Encrypted(stream) => streams.connection(place, Some(used), address, stream).await,
                Opened::Plain(stream) => {
                    let _the_client_is_gone = timeout(streams.limits.wire.farewell, ask_for_tls(stream)).await;
                }
                Opened::Failed(error) => {
                    streams.metrics.handshakes_failed.add(1);
                    slog::debug!(streams.logger, "no TLS"; "address" => %address, "cause" => %error);
                }
            }
        }
    }

    /// Counts a connection of an address; `None` if the address has too many.
    fn admit(&self, address: SocketAddr) -> Option<Used> {
        let is_spared = self.is_forwarded || self.is_for_operators;
        if is_spared { Some(Used::nothing()) } else { self.host.services.addresses.http_connection(address.ip()) }
    }

    fn connection<S: Stream + 'static>(
        &self,
        place: OwnedSemaphorePermit,
        used: Option<Used>,
        address: SocketAddr,
        stream: S,
    ) -> impl Future<Output = ()> + Send + use<S> {
        let (players, stop, is_forwarded) = (self.players.clone(), self.stop.clone(), self.is_forwarded);
        let addresses = &self.host.services.addresses;
        let local = self.on_loopback && address.ip().is_loopback() && !addresses.is_proxy(address.ip());
        let (head, turned_away, is_encrypted) = (self.limits.http_head, self.turned_away.clone(), self.is_encrypted);
        let stream = WriteTimeoutStream::new(stream, self.limits.stall);
        let router = self.router.clone();
        async move {
            let Some(used) = used else {
                drop(place);
                if let Ok(_permit) = turned_away.try_acquire() {
                    let router = Router::new().fallback(too_many);
                    let _gone_or_silent = timeout(TURN_AWAY, answer(stream, router, TURN_AWAY, stop)).await;
                }
                return;
            };
            let place = Arc::new((place, used));
            let (stream, two_lengths) = FramingStream::new(stream);
            let stop_too = stop.clone();
            let visitor =
                Visitor { address, local, is_forwarded, is_encrypted, two_lengths, place, players, stop: stop_too };
            answer(stream, router.layer(Extension(visitor)), head, stop).await;
        }
    }
}

/// The answer to every request of an address with too many connections.
async fn too_many() -> Response {
    let words = "Your address has too many connections already; try again later.";
    let answer = ApiError::new(StatusCode::TOO_MANY_REQUESTS, Reason::TooMany.name(), words).into_response();
    ([(header::CONNECTION, "close")], answer).into_response()
}

/// Tells a client that speaks plain HTTP to an encrypted port.
async fn ask_for_tls(mut stream: TcpStream) -> io::Result<()> {
    const WORDS: &str = "This port uses TLS: the address begins with https://\n";
    let head = "HTTP/1.1 400 Bad Request\r\ncontent-type: text/plain\r\nconnection: close\r\ncontent-length: ";
    stream.write_all(format!("{head}{}\r\n\r\n{WORDS}", WORDS.len()).as_bytes()).await?;
    stream.shutdown().await?;
    // Closing a socket with unread bytes resets the connection, and the client may lose the answer.
    let mut dropped = [0; 8 << 10];
    while stream.read(&mut dropped).await? > 0 {}
    Ok(())
}

/// Answers the requests of one connection until the connection or the host ends.
async fn answer(stream: impl Stream + 'static, router: Router, head: Duration, mut stop: watch::Receiver<bool>) {
    let service = TowerToHyperService::new(router);
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(head);
    let mut connection = std::pin::pin!(http.serve_connection(TokioIo::new(stream), service).with_upgrades());
    // How a connection ends does not matter here: the client left, was too slow, or did not speak HTTP.
    tokio::select! {
        biased;
        _ended = connection.as_mut() => return,
        _ = stop.wait_for(|stop| *stop) => {}
    }
    connection.as_mut().graceful_shutdown();
    let _ended = connection.await;
}
