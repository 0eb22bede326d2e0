//! `holdfast host`: any number of games.

use std::{net::SocketAddr, path::PathBuf, sync::Arc, time::Duration};

use server::{
    Gateway, Host, Http, Limits, OpenConnections, Options, RULEBOOKS,
    log::{EventLog, MemoryLog, SqliteLog},
};
use slog::{Logger, info};
use tokio::{
    signal::unix::{SignalKind, signal},
    sync::watch,
    task::JoinHandle,
    time::timeout,
};

use crate::{logging, output};

/// Serves any number of games: clients create, list, join, watch and resume them.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Where to listen. Anything but loopback is reached by others, without encryption: put a proxy with TLS before it.
    #[arg(long, default_value = "127.0.0.1:7700", value_name = "ADDR")]
    listen: SocketAddr,
    /// Where to answer HTTP: /metrics and /health. Anything but loopback is open to others, who need no password.
    #[arg(long, value_name = "ADDR")]
    http: Option<SocketAddr>,
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

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(crate) enum Durability {
    Full,
    Normal,
    None,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), String> {
    let (logger, _written_at_the_end) = logging::logger(arguments.logging);
    runtime()?.block_on(async {
        let http = bind_http(arguments.http).await?;
        let log = open_log(arguments.log.as_deref(), arguments.durability)?;
        let limits = arguments.limits();
        let options =
            Options { rulebooks: RULEBOOKS, log, logger: logger.clone(), limits, one_game: false, admin_token: None };
        let host = Host::open(options)?;
        let gateway = bind(arguments.listen, &host).await?;
        let http = http.map(|http| serve_http(http, &host)).transpose()?;
        announce(&gateway, arguments.log.is_none())?;
        let (stop, stopping) = watch::channel(false);
        let serving = tokio::spawn(gateway.serve(host.clone(), stopping));
        stopped(&logger).await?;
        stop.send_replace(true);
        let ended = end(&host, serving).await;
        // Last: until here it says that the host stops.
        if let Some(http) = http {
            http.end().await;
        }
        ended
    })
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

async fn bind_http(address: Option<SocketAddr>) -> Result<Option<Http>, String> {
    let Some(address) = address else { return Ok(None) };
    let bound = Http::bind(address).await;
    bound.map(Some).map_err(|error| format!("cannot listen for HTTP on {address}: {error}"))
}

/// The HTTP port while it answers.
struct ServingHttp {
    stop: watch::Sender<bool>,
    serving: JoinHandle<()>,
}

/// Answers HTTP and tells where.
fn serve_http(http: Http, host: &Arc<Host>) -> Result<ServingHttp, String> {
    let address = http.local_addr().map_err(|error| error.to_string())?;
    let (stop, stopping) = watch::channel(false);
    let serving = tokio::spawn(http.serve(host.clone(), stopping));
    output::announce(&format!("http on http://{address}"));
    Ok(ServingHttp { stop, serving })
}

impl ServingHttp {
    async fn end(self) {
        self.stop.send_replace(true);
        let _some_never_read = timeout(FAREWELL, self.serving).await;
    }
}

/// Tells where clients connect, for people and for programs that start a server.
pub(crate) fn announce(gateway: &Gateway, in_memory: bool) -> Result<(), String> {
    let address = gateway.local_addr().map_err(|error| error.to_string())?;
    if in_memory {
        output::announce("games are kept in memory only; --log FILE keeps them over a crash");
    }
    output::announce(&format!("listening on {address}"));
    Ok(())
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

/// Waits for SIGTERM or Ctrl-C.
pub(crate) async fn stopped(logger: &Logger) -> Result<(), String> {
    let mut terminate = signal(SignalKind::terminate()).map_err(|error| error.to_string())?;
    tokio::select! {
        _ = terminate.recv() => {}
        interrupted = tokio::signal::ctrl_c() => interrupted.map_err(|error| error.to_string())?,
    }
    info!(logger, "stopping");
    Ok(())
}
