//! `holdfast host`: any number of games.

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    path::PathBuf,
    str::FromStr,
    sync::Arc,
    time::Duration,
};

use server::{
    Gateway, Host, Http, Limits, OpenConnections, Options, RULEBOOKS,
    log::{EventLog, MemoryLog, SqliteLog},
};
use slog::{Logger, info, warn};
use tokio::{
    signal::unix::{SignalKind, signal},
    sync::watch,
    task::JoinHandle,
    time::timeout,
};

use crate::{logging, opponents, output, treasure};

/// Serves any number of games: clients create, list, join, watch and resume them.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Where to listen. Anything but loopback is reached by others, without encryption: put a proxy with TLS before it.
    #[arg(long, default_value = "127.0.0.1:7700", value_name = "ADDR")]
    listen: SocketAddr,
    /// Where to answer HTTP: the page of the games, /metrics and /health; or off. Anything but loopback is open to others,
    /// who need no password to look. [default: 127.0.0.1:7780, if nobody else has it]
    #[arg(long, value_name = "ADDR|off")]
    http: Option<HttpPort>,
    /// Where the treasure game is played over HTTP and XML; without it, it is not.
    #[arg(long, value_name = "ADDR")]
    treasure: Option<SocketAddr>,
    /// The file that keeps all games. Without one they are in memory only.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// When a game's events may leave: full survives a power cut, normal a crash of the process, none waits for nothing, and
    /// a crash takes the last milliseconds.
    #[arg(long, value_enum, default_value = "full")]
    durability: Durability,
    /// How many connections may be open.
    #[arg(long, default_value_t = Limits::default().connections, value_name = "N")]
    connections: usize,
    /// How many of them from one address. Behind a proxy everybody comes from the same one.
    #[arg(long, default_value_t = Limits::default().connections_per_address, value_name = "N")]
    connections_per_address: usize,
    /// How many messages a second one connection may send.
    #[arg(long, default_value_t = Limits::default().messages_per_second, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..))]
    messages_per_second: u32,
    #[command(flatten)]
    opponents: opponents::Arguments,
    #[command(flatten)]
    administration: Administration,
    #[command(flatten)]
    logging: logging::Logging,
}

impl Arguments {
    fn limits(&self) -> Limits {
        Limits {
            connections: self.connections,
            connections_per_address: self.connections_per_address,
            messages_per_second: self.messages_per_second,
            ..Limits::default()
        }
    }
}

/// Who may do more over HTTP than look.
#[derive(Debug, clap::Args)]
pub(crate) struct Administration {
    /// What whoever creates and forks games over HTTP has to know. Without one, only loopback may.
    #[arg(long, value_name = "TOKEN", env = "HOLDFAST_ADMIN_TOKEN", hide_env_values = true,
          value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub(crate) admin_token: Option<String>,
}

/// Where HTTP is answered when nothing else is said.
pub(crate) const HTTP: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 7780);

/// Where HTTP is answered, as the command line says it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum HttpPort {
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
pub(crate) enum Durability {
    Full,
    Normal,
    None,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), String> {
    let (logger, _written_at_the_end) = logging::logger(arguments.logging);
    block_on(async {
        let http = bind_http(arguments.http, &logger).await?;
        let log = open_log(arguments.log.as_deref(), arguments.durability)?;
        let cast = arguments.opponents.cast()?;
        let (opponents, calls) = cast.opponents();
        let host = Host::open(Options {
            rulebooks: RULEBOOKS,
            log,
            opponents,
            logger: logger.clone(),
            limits: arguments.limits(),
            one_game: false,
            admin_token: arguments.administration.admin_token.clone(),
            shows_all: false,
        })?;
        let mut serving = Serving::new(host);
        let games = serving.games(arguments.listen).await?;
        tokio::spawn(calls.answer(cast, reached(games), logger.clone()));
        if let Some(http) = http {
            output::announce(&format!("http on http://{}", serving.pages(http)?));
        }
        if let Some(listen) = arguments.treasure {
            let address = treasure::serve::port(&mut serving, listen, true, &logger).await?;
            output::announce(&format!("treasure on http://{address}"));
        }
        announce(games, arguments.log.is_none());
        stopped(&logger).await?;
        serving.end().await
    })
}

/// Runs to the end, and then waits only for a moment for what still thinks on a thread.
pub(crate) fn block_on<T>(work: impl Future<Output = Result<T, String>>) -> Result<T, String> {
    let runtime = runtime()?;
    let done = runtime.block_on(work);
    runtime.shutdown_timeout(FAREWELL);
    done
}

pub(crate) fn runtime() -> Result<tokio::runtime::Runtime, String> {
    let built = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    built.map_err(|error| format!("cannot start: {error}"))
}

pub(crate) fn open_log(file: Option<&std::path::Path>, durability: Durability) -> Result<Arc<dyn EventLog>, String> {
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

pub(crate) async fn bind(address: SocketAddr, host: &Host) -> Result<Gateway, String> {
    Gateway::bind(address, host).await.map_err(|error| format!("cannot listen on {address}: {error}"))
}

/// The HTTP port that was asked for. The one that nobody asked for is not worth an error: others may have it already.
pub(crate) async fn bind_http(asked: Option<HttpPort>, logger: &Logger) -> Result<Option<Http>, String> {
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
pub(crate) struct Serving {
    pub(crate) host: Arc<Host>,
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
    pub(crate) fn new(host: Arc<Host>) -> Self {
        Self { host, games: None, ports: Vec::new() }
    }

    /// Takes clients of games; gives where.
    pub(crate) async fn games(&mut self, listen: SocketAddr) -> Result<SocketAddr, String> {
        let gateway = bind(listen, &self.host).await?;
        let address = gateway.local_addr().map_err(|error| error.to_string())?;
        let (stop, stopping) = watch::channel(false);
        self.games = Some(ServingGames { stop, gateway: tokio::spawn(gateway.serve(self.host.clone(), stopping)) });
        Ok(address)
    }

    /// Answers with pages; gives where.
    pub(crate) fn pages(&mut self, http: Http) -> Result<SocketAddr, String> {
        let address = http.local_addr().map_err(|error| error.to_string())?;
        let host = self.host.clone();
        self.answer(|stopping| http.serve(host, stopping));
        Ok(address)
    }

    /// Answers on another port until the host ends.
    pub(crate) fn answer<F: Future<Output = ()> + Send + 'static>(
        &mut self,
        serve: impl FnOnce(watch::Receiver<bool>) -> F,
    ) {
        let (stop, stopping) = watch::channel(false);
        self.ports.push(Port { stop, serving: tokio::spawn(serve(stopping)) });
    }

    pub(crate) async fn end(self) -> Result<(), String> {
        let ended = match self.games {
            Some(ServingGames { stop, gateway }) => {
                stop.send_replace(true);
                end(&self.host, gateway).await
            }
            None => self.host.stop().await,
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
pub(crate) fn reached(listening: SocketAddr) -> SocketAddr {
    let ip = match listening.ip() {
        ip if !ip.is_unspecified() => ip,
        IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
    };
    SocketAddr::new(ip, listening.port())
}

/// Tells where clients connect, for people and for programs that start a server.
pub(crate) fn announce(games: SocketAddr, in_memory: bool) {
    if in_memory {
        output::announce("games are kept in memory only; --log FILE keeps them over a crash");
    }
    output::announce(&format!("listening on {games}"));
}

/// How long the last words may take to reach everybody.
const FAREWELL: Duration = Duration::from_secs(3);

/// Ends a host whose gateway takes no more connections: rooms tell what is durable, and everybody hears it.
pub(crate) async fn end(host: &Host, serving: JoinHandle<OpenConnections>) -> Result<(), String> {
    let open = serving.await.map_err(|error| error.to_string())?;
    let stopped = host.stop().await;
    open.ended(FAREWELL).await;
    stopped
}

/// Waits for SIGTERM or Ctrl-C, and says so in the log.
pub(crate) async fn stopped(logger: &Logger) -> Result<(), String> {
    interrupted().await?;
    info!(logger, "stopping");
    Ok(())
}

/// Waits for SIGTERM or Ctrl-C.
pub(crate) async fn interrupted() -> Result<(), String> {
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
