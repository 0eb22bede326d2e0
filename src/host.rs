//! `holdfast host`: serves any number of games.

use std::{
    error::Error,
    fmt,
    net::SocketAddr,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
};

use clap::{ArgMatches, Args, FromArgMatches};
use cli::{
    BotServer, Command, Failure, HostOptions, Program,
    address::listen_address,
    cluster_port::ClusterPortOptions,
    logging, output, program_name,
    serving::{
        Administration, Durability, HttpPort, LogFileError, ServeError, Serving, announce, bind_http, block_on,
        open_beside, open_host, open_log, stopped,
    },
    tls::{HostTlsError, HostTlsOptions},
};
use server::{
    ClusterOptions, Host, HostedGame, Limits, Options, ServerTls, WebSources,
    cluster::{Addresses, SharedStore, open_shared},
    log::{EventLog, shown},
};

use slog::{Logger, info, warn};
use tokio::signal::unix::{SignalKind, signal};

use crate::{cluster::ClusterError, config, host_limits::HostLimits, host_people::HostPeople, keep::KeepOptions};

/// Hosts any number of games: clients create, list, join, watch and resume them.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Read options from this file (TOML). Its keys are the names of the options. The command line and the environment come first.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Print the configuration that the host would have, as TOML, and end. Secrets are left out.
    #[arg(long)]
    print_config: bool,
    /// Listen for clients of games on this address: HOST:PORT, or a port of this machine. Other machines reach any address but
    /// loopback, without encryption unless there is a certificate (--tls-cert).
    #[arg(long, default_value = "127.0.0.1:7700", value_name = "ADDR", value_parser = listen_address)]
    listen: SocketAddr,
    /// Serve HTTP on this address: the pages of the games, /metrics and /health; or off. Other machines reach any address but loopback,
    /// and need no password to watch. [default: 127.0.0.1:7780, if it is free]
    #[arg(long, value_name = "ADDR|off")]
    http: Option<HttpPort>,
    /// Serve pages and drawings of games from this folder, which has a folder for each rulebook: DIR/RULEBOOK/draw.js draws its games.
    /// A program with one game also takes DIR/draw.js. The files are read for every request, so a reload shows a change.
    #[arg(long, value_name = "DIR")]
    web: Option<PathBuf>,
    /// The store that keeps all games: a file, or the address of a PostgreSQL database. Without it they are in memory only. An address is
    /// postgres://USER@HOST/DATABASE; the password comes from PGPASSWORD, or from the file that PGPASSFILE names.
    #[arg(long, visible_alias = "log", value_name = "FILE|ADDRESS")]
    store: Option<PathBuf>,
    /// Be one of several hosts that share the database of --store, with this name. A later process with the same name replaces this one.
    #[arg(long, value_name = "NAME", requires = "store", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    cluster_name: Option<String>,
    #[command(flatten)]
    cluster_port: ClusterPortOptions,
    #[command(flatten)]
    tls: HostTlsOptions,
    /// When a game's events may be sent to clients. A database always has full durability.
    #[arg(long, value_enum, default_value = "full")]
    durability: Durability,
    /// The most open connections.
    #[arg(long, default_value_t = Limits::default().connections, value_name = "N")]
    connections: usize,
    /// The most open connections from one address. Behind a proxy, all clients have the same one.
    #[arg(long, default_value_t = Limits::default().connections_per_address, value_name = "N")]
    connections_per_address: usize,
    /// The most messages per second from one connection.
    #[arg(long, default_value_t = Limits::default().messages_per_second, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..))]
    messages_per_second: u32,
    #[command(flatten)]
    administration: Administration,
    #[command(flatten)]
    logging: logging::Logging,
    #[command(flatten)]
    limits: HostLimits,
    #[command(flatten)]
    people: HostPeople,
    #[command(flatten)]
    keep: KeepOptions,
}

impl Arguments {
    fn limits(&self) -> Limits {
        Limits {
            connections: self.connections,
            connections_per_address: self.connections_per_address,
            messages_per_second: self.messages_per_second,
            ..self.limits.limits(self.is_local())
        }
    }

    /// Whether only this machine, or a proxy on it, can reach the host.
    fn is_local(&self) -> bool {
        let http_is_local = match self.http {
            Some(HttpPort::On(http)) => http.ip().is_loopback(),
            Some(HttpPort::Off) | None => true,
        };
        self.listen.ip().is_loopback() && http_is_local && self.limits.trusted_proxies.is_empty()
    }

    /// The certificate of the ports, if they are encrypted.
    fn certificate(&self) -> Result<Option<ServerTls>, HostTlsError> {
        let http = if let Some(HttpPort::On(address)) = self.http { Some(address) } else { None };
        let listen: Vec<SocketAddr> = [self.listen].into_iter().chain(http).collect();
        self.tls.open(&listen, &self.administration.host_names)
    }
}

/// The command, with the options that games add to it.
pub(crate) fn command(program: &Program) -> Command {
    let games = options(program);
    let clap = Arguments::augment_args(clap::Command::new("host"));
    // A game's options may not change the help of the command.
    let about = clap.get_about().cloned();
    let clap = games.iter().fold(clap, |command, options| options.augment(command));
    let clap = clap.about(about.unwrap_or_default()).after_help(CONFIGURATION);
    Command::new(config::with_environment(clap), run)
}

const CONFIGURATION: &str = "\
Every option is also an environment variable (--http-x is HOLDFAST_HTTP_X) and a key of the file of --config. The command line comes
first, then the environment, then the file.";

/// The options that games add to a host.
fn options(program: &Program) -> Vec<Box<dyn HostOptions>> {
    program.games.iter().filter_map(|game| game.host_options()).collect()
}

fn run(program: &Program, matches: &ArgMatches) -> ExitCode {
    match Arguments::from_arg_matches(matches) {
        Ok(arguments) if arguments.print_config => output::streamed(|out| {
            out.write(config::print(&command(program).clap, matches));
            Ok::<_, std::convert::Infallible>(true)
        }),
        Ok(arguments) => output::verdict(serve(program, &arguments, matches)),
        Err(usage) => output::usage(&usage),
    }
}

fn serve(program: &Program, arguments: &Arguments, matches: &ArgMatches) -> Result<(), Failure> {
    let (logger, _written_at_the_end) = logging::logger(arguments.logging);
    let of_games = options(program);
    for options in &of_games {
        arguments.people.allow(options.guest_port(matches)?)?;
    }
    block_on(async {
        let tls = arguments.certificate()?;
        let http = bind_http(arguments.http, &logger).await?;
        let operators = match arguments.limits.admin_listen {
            Some(address) => bind_http(Some(HttpPort::On(address)), &logger).await?,
            None => None,
        };
        let hosted = program.hosted();
        arguments.keep.check(&hosted.iter().map(HostedGame::name).collect::<Vec<_>>())?;
        let (log, cluster) = open(arguments)?;
        let mut bots = Vec::new();
        for game in &program.games {
            bots.extend(match game.host_options() {
                Some(options) => options.bots(matches)?,
                None => game.host_bots(),
            });
        }
        let (opponents, bots) = BotServer::new(bots);
        let host = open_host(Options {
            opponents,
            host_store: open_beside(arguments.store.as_deref()).await?,
            limits: arguments.limits(),
            cluster,
            program: program_name().into(),
            web: web_sources(program, arguments.web.as_deref())?,
            admin_token: arguments.administration.token()?,
            host_names: arguments.administration.host_names.clone(),
            allowed_origins: arguments.administration.allowed_origins.clone(),
            trusted_proxies: arguments.limits.trusted_proxies.clone(),
            has_operator_port: operators.is_some(),
            accounts: arguments.people.accounts(),
            moderation: arguments.people.moderation()?,
            retention: arguments.keep.retention(),
            archive: arguments.keep.open_archive()?,
            ..Options::new(program.hosted(), log, logger.clone())
        })
        .await?;
        let mut serving = Serving::new(host).with_tls(tls);
        if let Some(tls) = serving.tls() {
            output::announce(&format!("certificate {}", tls.certificate().fingerprint));
        }
        // Without both, a terminal that closes ends the host, as any other command.
        if serving.tls().is_some() || arguments.config.is_some() {
            reload_on_hangup(serving.tls().cloned(), serving.host.clone(), logger.clone())?;
        }
        let games = serving.games(arguments.listen).await?;
        tokio::spawn(bots.run(serving.own_port(games)?, logger.clone()));
        let http = http.map(|http| serving.pages(http)).transpose()?;
        if let Some(http) = http {
            let scheme = if serving.tls().is_some() { "https" } else { "http" };
            output::announce(&format!("http on {scheme}://{http}"));
        }
        if let Some(operators) = operators {
            let operators = serving.operators(operators)?;
            output::announce(&format!("health and metrics on http://{operators}"));
        }
        for options in &of_games {
            options.open(matches, &mut serving, &logger).await?;
        }
        let links = match arguments.cluster_port.cluster_listen {
            Some(listen) => Some(serving.links(listen).await?),
            None => None,
        };
        let addresses = Addresses {
            client: Some(games.to_string()),
            http: http.map(|http| http.to_string()),
            cluster: links.map(|links| links.to_string()),
        };
        serving.host.join(addresses).await.map_err(ServeError::Host)?;
        announce(games, arguments.store.is_none());
        tokio::select! {
            came = stopped(&logger) => came?,
            replaced = serving.host.replaced() => {
                serving.end().await?;
                return Err(ServeError::Host(replaced).into());
            }
        }
        Ok(serving.end().await?)
    })
}

/// Reads the certificate again whenever SIGHUP comes. If that fails, the old one stays in use.
fn reload_on_hangup(tls: Option<ServerTls>, host: Arc<Host>, logger: Logger) -> Result<(), ServeError> {
    let mut hangups = signal(SignalKind::hangup()).map_err(ServeError::Signal)?;
    tokio::spawn(async move {
        while hangups.recv().await.is_some() {
            let Some(tls) = &tls else {
                info!(logger, "there is no certificate to read again");
                continue;
            };
            match tls.reload() {
                Ok(certificate) => {
                    host.uses_certificate(certificate);
                    info!(logger, "the certificate was read again"; "fingerprint" => %certificate.fingerprint);
                }
                Err(error) => warn!(logger, "the old certificate stays in use"; "cause" => %error),
            }
        }
    });
    Ok(())
}

/// The folder of pages does not exist.
#[derive(Debug)]
struct NoWebFolder {
    folder: PathBuf,
}

impl fmt::Display for NoWebFolder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "--web: there is no folder {}", self.folder.display())
    }
}

impl Error for NoWebFolder {}

/// The files of pages that belong to the program or were asked for.
fn web_sources(program: &Program, folder: Option<&Path>) -> Result<WebSources, NoWebFolder> {
    let mut web = program.web.clone();
    if let Some(folder) = folder {
        if !folder.is_dir() {
            return Err(NoWebFolder { folder: folder.into() });
        }
        web.folder = Some(folder.into());
    }
    Ok(web)
}

/// Opens the store, and the table of hosts if several share it.
fn open(arguments: &Arguments) -> Result<(Arc<dyn EventLog>, Option<ClusterOptions>), Failure> {
    let (Some(store), Some(name)) = (&arguments.store, &arguments.cluster_name) else {
        return Ok((open_log(arguments.store.as_deref(), arguments.durability)?, None));
    };
    let tls = arguments.cluster_port.tls().map_err(ClusterError::Certificates)?;
    let shared = open_shared(store).map_err(|error| ServeError::Log(LogFileError::new(&shown(store), error)))?;
    let SharedStore { log, membership } = shared.ok_or_else(|| ClusterError::NotShared { store: shown(store) })?;
    let (name, version) = (name.clone(), env!("HOLDFAST_VERSION").into());
    let secret = arguments.cluster_port.cluster_secret_file.clone();
    Ok((log, Some(ClusterOptions { membership, name, version, secret, tls })))
}
