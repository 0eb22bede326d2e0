//! `holdfast treasure serve`: serves the treasure game on its own port. `holdfast host --treasure` opens the same port beside others.

use std::{error::Error, fmt, fs, io, net::SocketAddr, path::PathBuf};

use clap::{ArgMatches, Args, FromArgMatches};
use cli::{
    Failure, HostOptions, Opening, Program,
    address::{listen_address, reachable},
    logging, output,
    serving::{Administration, Durability, HttpPort, Serving, bind_http, block_on, open_host, open_log, stopped},
};
use commlib::ClientTls;
use server::{AddressLimits, Limits, Options};
use slog::{Logger, o, warn};
use tokio::sync::mpsc;
use treasure_rules::{Profile, SetupError};

use super::any_seed;
use crate::{
    Dummy, ServedProfile, TreasureGateway, TreasureOptions,
    players::{dummy, http::BaseUrl},
};

/// Serves the treasure game: XML over HTTP, in the protocols of 2022 and 2017 on one port.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Listen for clients of both protocols on this address: HOST:PORT, or a port of this machine. Other machines reach any address
    /// but loopback, without encryption: put a proxy with TLS in front of it.
    #[arg(long, default_value = "127.0.0.1:18235", value_name = "ADDR", value_parser = listen_address)]
    listen: SocketAddr,
    /// Serve the web pages on this address, or off. The pages create games and show running and finished ones. Other machines reach
    /// any address but loopback, and watch without a password. [default: 127.0.0.1:7780, if it is free]
    #[arg(long, value_name = "ADDR|off")]
    http: Option<HttpPort>,
    /// Keep all games in this file. Without it, games are only in memory.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// The rules of new games: 2022, 2017, 2025s, 2025w, or a file with a JSON object of numbers that change one of them, or with a
    /// scenario. A profile is for the games of its protocol; those of the other keep their own.
    #[arg(long, value_name = "NAME|FILE", value_parser = served_profile)]
    profile: Option<ServedProfile>,
    /// What an answered request survives: full a power cut, normal a crash of the process, none nothing: a crash loses the last
    /// milliseconds.
    #[arg(long, value_enum, default_value = "full")]
    durability: Durability,
    /// The seed of all new games, for scripts and tests: who knows it knows where the treasures are.
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    seed: Option<i64>,
    /// Send the nodes of a map in another order in each state. Finds clients that rely on an order.
    #[arg(long)]
    shuffle_nodes: bool,
    /// Answer every status request at once, also one that comes too soon. For benchmarks, not for games.
    #[arg(long)]
    no_polling_delay: bool,
    #[command(flatten)]
    administration: Administration,
    #[command(flatten)]
    logging: logging::Logging,
}

pub(super) fn run(program: &Program, arguments: &Arguments) -> Result<(), Failure> {
    let (logger, _written_at_the_end) = logging::logger(arguments.logging);
    block_on(async {
        let http = bind_http(arguments.http, &logger).await?;
        let host = open_host(Options {
            admin_token: arguments.administration.token()?,
            host_names: arguments.administration.host_names.clone(),
            allowed_origins: arguments.administration.allowed_origins.clone(),
            // All students of a course may play from one address, with programs that create games quickly.
            limits: Limits { per_address: AddressLimits::none(), ..Limits::default() },
            ..Options::new(program.hosted(), open_log(arguments.log.as_deref(), arguments.durability)?, logger.clone())
        })
        .await?;
        let mut serving = Serving::new(host);
        let rules = PortRules {
            polling_delay: !arguments.no_polling_delay,
            shuffle_nodes: arguments.shuffle_nodes,
            profile: arguments.profile.clone().unwrap_or_default().with_seed(arguments.seed),
        };
        let address = port(&mut serving, arguments.listen, rules, &logger).await?;
        if let Some(http) = http {
            let pages = serving.pages(http)?;
            output::announce(&format!("http on http://{pages}"));
            output::announce(&format!("Open http://{}/treasure in a browser", reachable(pages)));
        }
        if arguments.log.is_none() {
            output::announce("games are kept in memory only; --log FILE keeps them over a crash");
        }
        output::announce(&format!("treasure on http://{address}"));
        stopped(&logger).await?;
        Ok(serving.end().await?)
    })
}

/// How a port of the treasure game answers.
pub(super) struct PortRules {
    pub(super) polling_delay: bool,
    pub(super) shuffle_nodes: bool,
    pub(super) profile: ServedProfile,
}

impl Default for PortRules {
    fn default() -> Self {
        Self { polling_delay: true, shuffle_nodes: false, profile: ServedProfile::default() }
    }
}

/// The reasons why an option is not a profile.
#[derive(Debug)]
enum NoProfile {
    /// No profile has this name, and there is no such file.
    Unreadable { path: String, names: String, cause: io::Error },
    /// The profile is wrong.
    Wrong(SetupError),
}

impl fmt::Display for NoProfile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable { path, names, cause } => {
                write!(f, "{path} is neither a profile ({names}) nor a file that can be read: {cause}")
            }
            Self::Wrong(error) => error.fmt(f),
        }
    }
}

impl Error for NoProfile {}

/// Reads the name of a profile, or a file with one.
fn served_profile(text: &str) -> Result<ServedProfile, NoProfile> {
    if Profile::named(text).is_some() {
        return ServedProfile::named(text).map_err(NoProfile::Wrong);
    }
    let names = || Profile::NAMED.map(|profile| &*profile.name).join(", ");
    let read = fs::read_to_string(text);
    let json = read.map_err(|cause| NoProfile::Unreadable { path: text.to_owned(), names: names(), cause })?;
    ServedProfile::of_scenario(&json).or_else(|_| ServedProfile::changed(&json)).map_err(NoProfile::Wrong)
}

/// Opens the port of the treasure game on a host, starts dummies for games that ask for one, and returns the port's address.
pub(super) async fn port(
    serving: &mut Serving,
    listen: SocketAddr,
    rules: PortRules,
    logger: &Logger,
) -> Result<SocketAddr, Failure> {
    let (called, calls) = mpsc::unbounded_channel();
    let dummy = Box::new(move |dummy| {
        let _the_host_ends = called.send(dummy);
    });
    let PortRules { polling_delay, shuffle_nodes, profile } = rules;
    let options = TreasureOptions { dummy, polling_delay, profile, shuffle_nodes };
    let gateway = TreasureGateway::bind(listen, &serving.host, options).await?.with_tls(serving.tls().cloned());
    let address = gateway.local_addr()?;
    let tls = serving.own_port(address)?.tls;
    tokio::spawn(run_dummies(calls, reachable(address), tls, logger.clone()));
    serving.answer(|stopping| gateway.serve(stopping));
    Ok(address)
}

/// Runs each dummy as a client in this process.
async fn run_dummies(
    mut calls: mpsc::UnboundedReceiver<Dummy>,
    address: SocketAddr,
    tls: Option<ClientTls>,
    logger: Logger,
) {
    while let Some(Dummy { game, player }) = calls.recv().await {
        let logger = logger.new(o!("game" => game.clone()));
        let Ok(base) = format!("http://{address}").parse::<BaseUrl>() else { continue };
        let base = base.with_tls(tls.clone());
        tokio::spawn(async move {
            if let Err(failure) = dummy::play(base, &game, player, any_seed()).await {
                warn!(logger, "a dummy gave up"; "why" => %failure);
            }
        });
    }
}

/// The option of `holdfast host` that opens the port.
pub(super) struct TreasurePort;

/// The port of the treasure game on a host of all games.
#[derive(Debug, clap::Args)]
// No group: its name would be the same as that of the enclosing group.
#[group(skip)]
struct PortArguments {
    /// Also serve the treasure game, XML over HTTP, on this address: HOST:PORT, or a port of this machine.
    #[arg(long, value_name = "ADDR", value_parser = listen_address)]
    treasure: Option<SocketAddr>,
    /// The rules of new games on the treasure port: 2022, 2017, 2025s, 2025w, or a file with a JSON object of numbers.
    #[arg(long, value_name = "NAME|FILE", value_parser = served_profile, requires = "treasure")]
    treasure_profile: Option<ServedProfile>,
}

impl HostOptions for TreasurePort {
    fn augment(&self, command: clap::Command) -> clap::Command {
        PortArguments::augment_args(command)
    }

    fn guest_port(&self, matches: &ArgMatches) -> Result<Option<&'static str>, Failure> {
        Ok(PortArguments::from_arg_matches(matches)?.treasure.map(|_| "--treasure"))
    }

    fn open<'s>(&'s self, matches: &'s ArgMatches, serving: &'s mut Serving, logger: &'s Logger) -> Opening<'s> {
        Box::pin(async move {
            let arguments = PortArguments::from_arg_matches(matches)?;
            if let Some(listen) = arguments.treasure {
                let profile = arguments.treasure_profile.unwrap_or_default();
                let address = port(serving, listen, PortRules { profile, ..PortRules::default() }, logger).await?;
                let scheme = if serving.tls().is_some() { "https" } else { "http" };
                output::announce(&format!("treasure on {scheme}://{address}"));
            }
            Ok(())
        })
    }
}
