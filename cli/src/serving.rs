//! Runs a host: its log, its ports, and its end.

use std::{
    error::Error,
    fmt, io,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    path::{Path, PathBuf},
    str::FromStr,
    sync::{Arc, LazyLock, Mutex},
    time::Duration,
};

use commlib::{ClientTlsError, ServerAddress};
use server::{
    ClusterPort, Gateway, Host, HostError, HostName, Http, OpenConnections, Options, ServerTls, WebOrigin,
    host_store::{HostStore, MemoryHostStore, open_host_store},
    log::{EventLog, MemoryLog, StoreError, open_store, shown},
    sync::lock,
};
use slog::{Logger, info, warn};
use tokio::{
    signal::unix::{SignalKind, signal},
    sync::watch,
    task::{AbortHandle, JoinError, JoinHandle},
    time::timeout,
};

use crate::{
    address::{AddressError, listen_address},
    output,
    secret_file::{self, SecretFileError},
};

pub use crate::address::reachable as reached;

/// The options for what clients may do over HTTP besides watching.
#[derive(Debug, clap::Args)]
pub struct Administration {
    /// Token of the operator, of at least 16 characters: it is required to create or fork games over HTTP, and to manage the games of
    /// others. If unset, only this machine may.
    #[arg(long, value_name = "TOKEN", env = "HOLDFAST_ADMIN_TOKEN", hide_env_values = true,
          value_parser = admin_token)]
    pub admin_token: Option<String>,
    /// The file with the token of --admin-token. Only its owner and group may read it.
    #[arg(long, value_name = "FILE", conflicts_with = "admin_token")]
    pub admin_token_file: Option<PathBuf>,
    /// Also answer HTTP requests for this name, for example behind a proxy. On loopback, a host answers only for localhost and
    /// loopback addresses, so that no page of another site can reach it. Can be repeated.
    #[arg(long = "host-name", value_name = "NAME")]
    pub host_names: Vec<HostName>,
    /// Also let pages of this origin, such as http://localhost:5173, use the API and play over the WebSocket. For pages that you
    /// develop: they can do all that the host's own pages can. Can be repeated.
    #[arg(long = "allow-origin", value_name = "ORIGIN")]
    pub allowed_origins: Vec<WebOrigin>,
}

/// The minimum length of an admin token. Shorter ones can be guessed.
const SHORTEST_TOKEN: usize = 16;

/// An admin token is too short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AdminTokenTooShort;

impl fmt::Display for AdminTokenTooShort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an admin token has at least {SHORTEST_TOKEN} characters; make one with: openssl rand -hex 16")
    }
}

impl Error for AdminTokenTooShort {}

fn admin_token(text: &str) -> Result<String, AdminTokenTooShort> {
    if is_too_short(text) { Err(AdminTokenTooShort) } else { Ok(text.into()) }
}

fn is_too_short(token: &str) -> bool {
    token.chars().count() < SHORTEST_TOKEN
}

impl Administration {
    /// The token that the operator chose.
    ///
    /// # Errors
    ///
    /// Its file cannot be read, has no token that is long enough, or every user may read it.
    pub fn token(&self) -> Result<Option<String>, SecretFileError> {
        let Some(path) = &self.admin_token_file else { return Ok(self.admin_token.clone()) };
        let token = secret_file::read_text(path)?;
        if is_too_short(&token) {
            return Err(SecretFileError::ShortToken { path: path.clone(), shortest: SHORTEST_TOKEN });
        }
        Ok(Some(token))
    }
}

/// The default address for HTTP.
pub const HTTP: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 7780);

/// The value of `--http`: an address, or `off`.
#[derive(Clone, Copy, Debug)]
pub enum HttpPort {
    /// HTTP is served on this address.
    On(SocketAddr),
    /// HTTP is not served.
    Off,
}

impl FromStr for HttpPort {
    type Err = AddressError;

    fn from_str(word: &str) -> Result<Self, AddressError> {
        if word == "off" { Ok(Self::Off) } else { listen_address(word).map(Self::On) }
    }
}

/// The value of `--durability`: when a game's events may be sent to clients.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum Durability {
    /// Once they survive a power cut.
    Full,
    /// Once they survive a crash of this process.
    Normal,
    /// At once; a crash loses the last milliseconds.
    None,
}

/// Runs a future to its end on a new runtime. Threads that still work get a moment to finish.
///
/// # Errors
///
/// The future fails, or the runtime cannot be started.
pub fn block_on<T, E: From<ServeError>>(work: impl Future<Output = Result<T, E>>) -> Result<T, E> {
    let runtime = runtime()?;
    let done = runtime.block_on(work);
    runtime.shutdown_timeout(FAREWELL);
    done
}

/// A runtime on all cores.
///
/// # Errors
///
/// The runtime cannot be started.
pub fn runtime() -> Result<tokio::runtime::Runtime, ServeError> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(ServeError::Runtime)
}

/// Opens the log in a file or in the database at an address, or a log in memory if there is neither. A database always has full
/// durability.
///
/// # Errors
///
/// The store is not a log, or another process writes the file.
pub fn open_log(store: Option<&Path>, durability: Durability) -> Result<Arc<dyn EventLog>, ServeError> {
    let Some(store) = store else { return Ok(Arc::new(MemoryLog::new())) };
    let durability = match durability {
        Durability::Full => server::log::Durability::Full,
        Durability::Normal => server::log::Durability::Normal,
        Durability::None => server::log::Durability::None,
    };
    let options = server::log::Options { durability, ..Default::default() };
    Ok(open_store(store, options).map_err(|error| LogFileError::new(store, error))?)
}

/// Opens what a host keeps beside its log: a file beside the file of the log, tables in the same database, or memory.
///
/// # Errors
///
/// The file belongs to another program, or the database cannot be reached.
pub async fn open_beside(store: Option<&Path>) -> Result<Arc<dyn HostStore>, ServeError> {
    let Some(store) = store else { return Ok(Arc::new(MemoryHostStore::default())) };
    Ok(open_host_store(store).await.map_err(|error| LogFileError::new(store, error))?)
}

/// Opens a host, with every unfinished game of its log.
///
/// # Errors
///
/// The log cannot be read.
pub async fn open_host(options: Options) -> Result<Arc<Host>, ServeError> {
    let host = Host::open(options).await.map_err(ServeError::Host)?;
    await_signals()?;
    Ok(host)
}

/// Opens the port for clients of games.
///
/// # Errors
///
/// The address is not free, or does not belong to this machine.
pub async fn bind(address: SocketAddr, host: &Host) -> Result<Gateway, ServeError> {
    let listened = Gateway::bind(address, host).await;
    listened.map_err(|cause| ServeError::Listen { address, service: Service::Games, cause })
}

/// Opens the port for HTTP. Without an address it is the default port; if that is taken, perhaps by another host, this is only
/// logged.
///
/// # Errors
///
/// The given address is not free, or does not belong to this machine.
pub async fn bind_http(asked: Option<HttpPort>, logger: &Logger) -> Result<Option<Http>, ServeError> {
    match asked {
        Some(HttpPort::Off) => Ok(None),
        Some(HttpPort::On(address)) => {
            let bound = Http::bind(address).await;
            bound.map(Some).map_err(|cause| ServeError::Listen { address, service: Service::Http, cause })
        }
        None => Ok(match Http::bind(HTTP).await {
            Ok(http) => Some(http),
            Err(error) => {
                warn!(logger, "no HTTP; --http chooses another address"; "address" => %HTTP, "cause" => %error);
                None
            }
        }),
    }
}

/// A host with its open ports: one for clients of games, and any number for HTTP.
#[expect(missing_debug_implementations, reason = "a host has nothing to show")]
pub struct Serving {
    /// The host.
    pub host: Arc<Host>,
    /// The certificate of all ports for clients.
    tls: Option<ServerTls>,
    games: Option<ServingGames>,
    ports: Vec<Port>,
}

struct ServingGames {
    stop: watch::Sender<bool>,
    gateway: JoinHandle<OpenConnections>,
}

/// A port that answers HTTP.
struct Port {
    stop: watch::Sender<bool>,
    serving: JoinHandle<()>,
}

impl Serving {
    /// A host without open ports.
    pub fn new(host: Arc<Host>) -> Self {
        Self { host, tls: None, games: None, ports: Vec::new() }
    }

    /// Encrypts all ports for clients, if there is a certificate.
    #[must_use]
    pub fn with_tls(self, tls: Option<ServerTls>) -> Self {
        tls.iter().for_each(|tls| self.host.uses_certificate(tls.certificate()));
        Self { tls, ..self }
    }

    /// The certificate of the ports for clients.
    pub fn tls(&self) -> Option<&ServerTls> {
        self.tls.as_ref()
    }

    /// The way to a port of this host from within this process.
    ///
    /// # Errors
    ///
    /// TLS refuses its settings.
    pub fn own_port(&self, address: SocketAddr) -> Result<ServerAddress, ClientTlsError> {
        let tls = self.tls.as_ref().map(ServerTls::client).transpose()?;
        Ok(ServerAddress { tls, ..reached(address).into() })
    }

    /// Opens the port for clients of games, and returns its address.
    ///
    /// # Errors
    ///
    /// The address is not free, or does not belong to this machine.
    pub async fn games(&mut self, listen: SocketAddr) -> Result<SocketAddr, ServeError> {
        let gateway = bind(listen, &self.host).await?.with_tls(self.tls.clone());
        let address = gateway.local_addr().map_err(ServeError::NoAddress)?;
        self.host.opened_clients_port(address);
        let (stop, stopping) = watch::channel(false);
        self.games = Some(ServingGames { stop, gateway: tokio::spawn(gateway.serve(self.host.clone(), stopping)) });
        Ok(address)
    }

    /// Serves the host's pages and API, and returns their address.
    ///
    /// # Errors
    ///
    /// The system does not return the address of the port.
    pub fn pages(&mut self, http: Http) -> Result<SocketAddr, ServeError> {
        let address = http.local_addr().map_err(ServeError::NoAddress)?;
        let (host, http) = (self.host.clone(), http.with_tls(self.tls.clone()));
        self.answer(|stopping| http.serve(host, stopping));
        Ok(address)
    }

    /// Serves `/health` and `/metrics` on a port of their own, and returns its address.
    ///
    /// # Errors
    ///
    /// The system does not return the address of the port.
    pub fn operators(&mut self, http: Http) -> Result<SocketAddr, ServeError> {
        let address = http.local_addr().map_err(ServeError::NoAddress)?;
        let host = self.host.clone();
        self.answer(|stopping| http.serve_operators(host, stopping));
        Ok(address)
    }

    /// Opens the port for other hosts, and returns its address. It stays open until the host has ended: clients that other hosts
    /// passed on hear why.
    ///
    /// # Errors
    ///
    /// The address is not free, or does not belong to this machine.
    pub async fn links(&mut self, listen: SocketAddr) -> Result<SocketAddr, ServeError> {
        let bound = ClusterPort::bind(listen).await;
        let port = bound.map_err(|cause| ServeError::Listen { address: listen, service: Service::Cluster, cause })?;
        let address = port.local_addr().map_err(ServeError::NoAddress)?;
        let host = self.host.clone();
        self.answer(|stopping| async move { port.serve(host, stopping).await.ended(FAREWELL).await });
        Ok(address)
    }

    /// Serves another port until the host ends.
    pub fn answer<F: Future<Output = ()> + Send + 'static>(&mut self, serve: impl FnOnce(watch::Receiver<bool>) -> F) {
        let (stop, stopping) = watch::channel(false);
        self.ports.push(Port { stop, serving: tokio::spawn(serve(stopping)) });
    }

    /// Stops the host and closes its ports.
    ///
    /// # Errors
    ///
    /// The log could not be written to its end.
    pub async fn end(self) -> Result<(), ServeError> {
        let ended = match self.games {
            Some(ServingGames { stop, gateway }) => {
                stop.send_replace(true);
                end(&self.host, gateway).await
            }
            None => self.host.stop().await.map_err(ServeError::Host),
        };
        // The HTTP ports close last: until now they answer that the host stops.
        for port in self.ports {
            port.stop.send_replace(true);
            let _some_never_read = timeout(FAREWELL, port.serving).await;
        }
        ended
    }
}

/// Prints the address for clients, for people and for programs that start a server.
pub fn announce(games: SocketAddr, in_memory: bool) {
    if in_memory {
        output::announce("games are kept in memory only; --log FILE keeps them over a crash");
    }
    output::announce(&format!("listening on {games}"));
}

/// The time that clients have to receive the last messages.
const FAREWELL: Duration = Duration::from_secs(3);

/// Ends a host whose gateway takes no more connections. Clients still receive everything that is durable.
///
/// # Errors
///
/// The log could not be written to its end.
pub async fn end(host: &Host, serving: JoinHandle<OpenConnections>) -> Result<(), ServeError> {
    let open = serving.await.map_err(ServeError::Gateway)?;
    let stopped = host.stop().await.map_err(ServeError::Host);
    open.ended(FAREWELL).await;
    stopped
}

/// Waits for SIGTERM or Ctrl-C, and logs it.
///
/// # Errors
///
/// The process cannot receive signals.
pub async fn stopped(logger: &Logger) -> Result<(), ServeError> {
    interrupted().await?;
    info!(logger, "stopping");
    Ok(())
}

/// Waits for SIGTERM or Ctrl-C.
///
/// # Errors
///
/// The process cannot receive signals.
pub async fn interrupted() -> Result<(), ServeError> {
    let mut came = await_signals()?;
    let _never_dropped = came.wait_for(|came| *came).await;
    Ok(())
}

/// From now on, SIGTERM and Ctrl-C do not kill the process, but end [`interrupted`], even if that is called later. A program
/// must call this before it announces that it serves.
///
/// # Errors
///
/// The process cannot receive signals.
pub fn await_signals() -> Result<watch::Receiver<bool>, ServeError> {
    static CAME: LazyLock<watch::Sender<bool>> = LazyLock::new(|| watch::Sender::new(false));
    static LISTENING: Mutex<Option<AbortHandle>> = Mutex::new(None);
    let came = CAME.subscribe();
    let mut listening = lock(&LISTENING);
    // The task ends with its runtime; a process may have another one later.
    if listening.as_ref().is_some_and(|task| !task.is_finished()) {
        return Ok(came);
    }
    let mut terminate = signal(SignalKind::terminate()).map_err(ServeError::Signal)?;
    let mut interrupt = signal(SignalKind::interrupt()).map_err(ServeError::Signal)?;
    let task = tokio::spawn(async move {
        loop {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
            CAME.send_replace(true);
        }
    });
    *listening = Some(task.abort_handle());
    Ok(came)
}

/// The reasons why a host cannot serve.
#[derive(Debug)]
pub enum ServeError {
    /// The runtime cannot be started.
    Runtime(io::Error),
    /// The log cannot be opened.
    Log(LogFileError),
    /// The host failed.
    Host(HostError),
    /// A port cannot be opened.
    Listen {
        /// The requested address.
        address: SocketAddr,
        /// The purpose of the port.
        service: Service,
        /// The error of the system.
        cause: io::Error,
    },
    /// The system does not return the address of an open port.
    NoAddress(io::Error),
    /// The task that accepts connections ended too early.
    Gateway(JoinError),
    /// The process cannot receive signals.
    Signal(io::Error),
}

/// The purpose of a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Service {
    /// Clients of games.
    Games,
    /// Pages and API.
    Http,
    /// Other hosts.
    Cluster,
}

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Runtime(cause) => write!(f, "cannot start threads: {cause}"),
            Self::Log(error) => error.fmt(f),
            Self::Host(error) => error.fmt(f),
            Self::Listen { address, service: Service::Games, cause } => {
                write!(f, "cannot listen on {address}: {cause}")
            }
            Self::Listen { address, service: Service::Http, cause } => {
                write!(f, "cannot listen for HTTP on {address}: {cause}")
            }
            Self::Listen { address, service: Service::Cluster, cause } => {
                write!(f, "cannot listen for other hosts on {address}: {cause}")
            }
            Self::NoAddress(cause) => write!(f, "cannot read the address of a port: {cause}"),
            Self::Gateway(error) => write!(f, "the gateway failed: {error}"),
            Self::Signal(cause) => write!(f, "cannot receive signals: {cause}"),
        }
    }
}

impl Error for ServeError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Runtime(cause) | Self::Listen { cause, .. } | Self::NoAddress(cause) | Self::Signal(cause) => {
                Some(cause)
            }
            Self::Log(error) => Some(error),
            Self::Host(error) => Some(error),
            Self::Gateway(error) => Some(error),
        }
    }
}

impl From<LogFileError> for ServeError {
    fn from(error: LogFileError) -> Self {
        Self::Log(error)
    }
}

/// Used by commands whose errors are texts.
impl From<ServeError> for String {
    fn from(error: ServeError) -> Self {
        error.to_string()
    }
}

/// A log file that cannot be opened, read or written.
#[derive(Debug)]
pub struct LogFileError {
    path: PathBuf,
    error: StoreError,
}

impl LogFileError {
    /// An error of the store in this file or at this address.
    pub fn new(path: &Path, error: StoreError) -> Self {
        Self { path: shown(path), error }
    }

    /// The error of the store.
    pub fn store_error(&self) -> &StoreError {
        &self.error
    }
}

/// Whether the message of an error names its file.
pub fn names_its_file(error: &StoreError) -> bool {
    matches!(
        error,
        StoreError::Io { .. }
            | StoreError::Locked { .. }
            | StoreError::Foreign { .. }
            | StoreError::Newer { .. }
            | StoreError::Empty { .. }
    )
}

/// The message names the file once.
impl fmt::Display for LogFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if names_its_file(&self.error) {
            self.error.fmt(f)
        } else {
            write!(f, "{}: {}", self.path.display(), self.error)
        }
    }
}

impl Error for LogFileError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_runtime_waits_for_signals_as_the_first_does() {
        for runtime in ["first", "second"] {
            let waited = block_on(async {
                Ok::<_, ServeError>(timeout(Duration::from_millis(50), interrupted()).await.is_err())
            });
            assert!(waited.expect("a runtime"), "no signal came in the {runtime} runtime");
        }
    }
}
