//! A host that serves: its log, its ports, and its end.

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    str::FromStr,
    sync::Arc,
    time::Duration,
};

use server::{
    Gateway, Host, Http, OpenConnections, Options,
    log::{EventLog, MemoryLog, SqliteLog},
};
use slog::{Logger, info, warn};
use tokio::{
    signal::unix::{SignalKind, signal},
    sync::watch,
    task::JoinHandle,
    time::timeout,
};

use crate::output;

/// Who may do more over HTTP than look.
#[derive(Debug, clap::Args)]
pub struct Administration {
    /// What whoever creates and forks games over HTTP has to know. Without one, only loopback may.
    #[arg(long, value_name = "TOKEN", env = "HOLDFAST_ADMIN_TOKEN", hide_env_values = true,
          value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub admin_token: Option<String>,
}

/// Where HTTP is answered when nothing else is said.
pub const HTTP: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 7780);

/// Where HTTP is answered, as the command line says it.
#[derive(Clone, Copy, Debug)]
pub enum HttpPort {
    On(SocketAddr),
    Off,
}

impl FromStr for HttpPort {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        if word == "off" {
            return Ok(Self::Off);
        }
        word.parse().map(Self::On).map_err(|_| "neither off nor an address like 127.0.0.1:7780".into())
    }
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum Durability {
    Full,
    Normal,
    None,
}

/// Runs to the end, and then waits only for a moment for what still thinks on a thread.
pub fn block_on<T>(work: impl Future<Output = Result<T, String>>) -> Result<T, String> {
    let runtime = runtime()?;
    let done = runtime.block_on(work);
    runtime.shutdown_timeout(FAREWELL);
    done
}

pub fn runtime() -> Result<tokio::runtime::Runtime, String> {
    let built = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    built.map_err(|error| format!("cannot start: {error}"))
}

pub fn open_log(file: Option<&std::path::Path>, durability: Durability) -> Result<Arc<dyn EventLog>, String> {
    let Some(file) = file else { return Ok(Arc::new(MemoryLog::new())) };
    let durability = match durability {
        Durability::Full => server::log::Durability::Full,
        Durability::Normal => server::log::Durability::Normal,
        Durability::None => server::log::Durability::None,
    };
    let options = server::log::Options { durability, ..Default::default() };
    let log = SqliteLog::open(file, options).map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(Arc::new(log))
}

/// Opens a host, with every unfinished game of its log.
///
/// # Errors
///
/// Where the log cannot be read, in words for the operator.
pub async fn open_host(options: Options) -> Result<Arc<Host>, String> {
    Host::open(options).await.map_err(|error| error.to_string())
}

pub async fn bind(address: SocketAddr, host: &Host) -> Result<Gateway, String> {
    Gateway::bind(address, host).await.map_err(|error| format!("cannot listen on {address}: {error}"))
}

/// The HTTP port that was asked for. The one that nobody asked for is not worth an error: others may have it already.
pub async fn bind_http(asked: Option<HttpPort>, logger: &Logger) -> Result<Option<Http>, String> {
    match asked {
        Some(HttpPort::Off) => Ok(None),
        Some(HttpPort::On(address)) => {
            let bound = Http::bind(address).await;
            bound.map(Some).map_err(|error| format!("cannot listen for HTTP on {address}: {error}"))
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

/// A host that serves: the port of its games, and ports for HTTP.
#[expect(missing_debug_implementations, reason = "a host has nothing to show")]
pub struct Serving {
    pub host: Arc<Host>,
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
    pub fn new(host: Arc<Host>) -> Self {
        Self { host, games: None, ports: Vec::new() }
    }

    /// Takes clients of games; gives where.
    pub async fn games(&mut self, listen: SocketAddr) -> Result<SocketAddr, String> {
        let gateway = bind(listen, &self.host).await?;
        let address = gateway.local_addr().map_err(|error| error.to_string())?;
        let (stop, stopping) = watch::channel(false);
        self.games = Some(ServingGames { stop, gateway: tokio::spawn(gateway.serve(self.host.clone(), stopping)) });
        Ok(address)
    }

    /// Answers with pages; gives where.
    pub fn pages(&mut self, http: Http) -> Result<SocketAddr, String> {
        let address = http.local_addr().map_err(|error| error.to_string())?;
        let host = self.host.clone();
        self.answer(|stopping| http.serve(host, stopping));
        Ok(address)
    }

    /// Answers on another port until the host ends.
    pub fn answer<F: Future<Output = ()> + Send + 'static>(&mut self, serve: impl FnOnce(watch::Receiver<bool>) -> F) {
        let (stop, stopping) = watch::channel(false);
        self.ports.push(Port { stop, serving: tokio::spawn(serve(stopping)) });
    }

    pub async fn end(self) -> Result<(), String> {
        let ended = match self.games {
            Some(ServingGames { stop, gateway }) => {
                stop.send_replace(true);
                end(&self.host, gateway).await
            }
            None => self.host.stop().await.map_err(|error| error.to_string()),
        };
        // Last: until here they say that the host stops.
        for port in self.ports {
            port.stop.send_replace(true);
            let _some_never_read = timeout(FAREWELL, port.serving).await;
        }
        ended
    }
}

/// How to reach who listens there: an address that means all of this machine is none to connect to.
pub fn reached(listening: SocketAddr) -> SocketAddr {
    let ip = match listening.ip() {
        ip if !ip.is_unspecified() => ip,
        IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
    };
    SocketAddr::new(ip, listening.port())
}

/// Tells where clients connect, for people and for programs that start a server.
pub fn announce(games: SocketAddr, in_memory: bool) {
    if in_memory {
        output::announce("games are kept in memory only; --log FILE keeps them over a crash");
    }
    output::announce(&format!("listening on {games}"));
}

/// How long the last words may take to reach everybody.
const FAREWELL: Duration = Duration::from_secs(3);

/// Ends a host whose gateway takes no more connections: rooms tell what is durable, and everybody hears it.
pub async fn end(host: &Host, serving: JoinHandle<OpenConnections>) -> Result<(), String> {
    let open = serving.await.map_err(|error| error.to_string())?;
    let stopped = host.stop().await.map_err(|error| error.to_string());
    open.ended(FAREWELL).await;
    stopped
}

/// Waits for SIGTERM or Ctrl-C, and says so in the log.
pub async fn stopped(logger: &Logger) -> Result<(), String> {
    interrupted().await?;
    info!(logger, "stopping");
    Ok(())
}

/// Waits for SIGTERM or Ctrl-C.
pub async fn interrupted() -> Result<(), String> {
    let mut terminate = signal(SignalKind::terminate()).map_err(|error| error.to_string())?;
    tokio::select! {
        _ = terminate.recv() => Ok(()),
        interrupted = tokio::signal::ctrl_c() => interrupted.map_err(|error| error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::reached;

    #[test]
    fn addresses_to_connect_to() {
        for (listening, expected) in [
            ("127.0.0.1:80", "127.0.0.1:80"),
            ("0.0.0.0:80", "127.0.0.1:80"),
            ("[::]:80", "[::1]:80"),
            ("192.0.2.7:80", "192.0.2.7:80"),
        ] {
            assert_eq!(reached(listening.parse().expect("an address")).to_string(), expected);
        }
    }
}
