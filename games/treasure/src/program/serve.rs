//! `holdfast treasure serve`: serves the treasure game on its own port. `holdfast host --treasure` opens the same port beside others.

use std::{net::SocketAddr, path::PathBuf};

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

use super::any_seed;
use crate::{
    Dummy, TreasureGateway, TreasureOptions,
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
    /// What an answered request survives: full a power cut, normal a crash of the process, none nothing: a crash loses the last
    /// milliseconds.
    #[arg(long, value_enum, default_value = "full")]
    durability: Durability,
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
        let address = port(&mut serving, arguments.listen, !arguments.no_polling_delay, &logger).await?;
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

/// Opens the port of the treasure game on a host, starts dummies for games that ask for one, and returns the port's address.
pub(super) async fn port(
    serving: &mut Serving,
    listen: SocketAddr,
    polling_delay: bool,
    logger: &Logger,
) -> Result<SocketAddr, Failure> {
    let (called, calls) = mpsc::unbounded_channel();
    let dummy = Box::new(move |dummy| {
        let _the_host_ends = called.send(dummy);
    });
    let options = TreasureOptions { dummy, polling_delay };
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
}

impl HostOptions for TreasurePort {
    fn augment(&self, command: clap::Command) -> clap::Command {
        PortArguments::augment_args(command)
    }

    fn open<'s>(&'s self, matches: &'s ArgMatches, serving: &'s mut Serving, logger: &'s Logger) -> Opening<'s> {
        Box::pin(async move {
            let arguments = PortArguments::from_arg_matches(matches)?;
            if let Some(listen) = arguments.treasure {
                let address = port(serving, listen, true, logger).await?;
                let scheme = if serving.tls().is_some() { "https" } else { "http" };
                output::announce(&format!("treasure on {scheme}://{address}"));
            }
            Ok(())
        })
    }
}
