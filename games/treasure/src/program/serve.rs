//! `holdfast treasure serve`: the treasure game at its own port; and the same port beside others of a host.

use std::{net::SocketAddr, path::PathBuf};

use clap::{ArgMatches, Args, FromArgMatches};
use cli::{
    HostOptions, Opening, Program, logging, output,
    serving::{
        Administration, Durability, HttpPort, Serving, bind_http, block_on, open_host, open_log, reached, stopped,
    },
};
use server::Options;
use slog::{Logger, o, warn};
use tokio::sync::mpsc;

use super::any_seed;
use crate::{
    Dummy, TreasureGateway, TreasureOptions,
    players::{dummy, http::BaseUrl},
};

/// Hosts the treasure game: XML over HTTP as in 2022 and 2017, for clients that speak either.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Where clients of both years connect. Anything but loopback is reached by others, without encryption: put a proxy with
    /// TLS before it.
    #[arg(long, default_value = "127.0.0.1:18235", value_name = "ADDR")]
    listen: SocketAddr,
    /// Where to answer with the pages: games to create, to watch and to look back at; or off. Anything but loopback is open to
    /// others, who need no password to look. [default: 127.0.0.1:7780, if nobody else has it]
    #[arg(long, value_name = "ADDR|off")]
    http: Option<HttpPort>,
    /// The file that keeps all games. Without one they are in memory only.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// When an answer may leave: full survives a power cut, normal a crash of the process, none waits for nothing, and a crash
    /// takes the last milliseconds.
    #[arg(long, value_enum, default_value = "full")]
    durability: Durability,
    /// Answers status requests at once, however soon they come after the last: to measure with, not to play with.
    #[arg(long)]
    no_polling_delay: bool,
    #[command(flatten)]
    administration: Administration,
    #[command(flatten)]
    logging: logging::Logging,
}

pub(super) fn run(program: &Program, arguments: &Arguments) -> Result<(), String> {
    let (logger, _written_at_the_end) = logging::logger(arguments.logging);
    block_on(async {
        let http = bind_http(arguments.http, &logger).await?;
        let host = open_host(Options {
            admin_token: arguments.administration.admin_token.clone(),
            ..Options::new(program.hosted(), open_log(arguments.log.as_deref(), arguments.durability)?, logger.clone())
        })
        .await?;
        let mut serving = Serving::new(host);
        let address = port(&mut serving, arguments.listen, !arguments.no_polling_delay, &logger).await?;
        if let Some(http) = http {
            let pages = serving.pages(http)?;
            output::announce(&format!("http on http://{pages}"));
            output::announce(&format!("Open http://{}/treasure in a browser", reached(pages)));
        }
        if arguments.log.is_none() {
            output::announce("games are kept in memory only; --log FILE keeps them over a crash");
        }
        output::announce(&format!("treasure on http://{address}"));
        stopped(&logger).await?;
        Ok(serving.end().await?)
    })
}

/// Opens the port of the treasure game on a host, and brings dummies to games that ask for one; gives where it is.
async fn port(
    serving: &mut Serving,
    listen: SocketAddr,
    polling_delay: bool,
    logger: &Logger,
) -> Result<SocketAddr, String> {
    let (called, calls) = mpsc::unbounded_channel();
    let dummy = Box::new(move |dummy| {
        let _the_host_ends = called.send(dummy);
    });
    let options = TreasureOptions { dummy, polling_delay };
    let gateway = TreasureGateway::bind(listen, &serving.host, options).await?;
    let address = gateway.local_addr().map_err(|error| error.to_string())?;
    tokio::spawn(bring_dummies(calls, reached(address), logger.clone()));
    serving.answer(|stopping| gateway.serve(stopping));
    Ok(address)
}

/// A dummy is a client like any other, in this process.
async fn bring_dummies(mut calls: mpsc::UnboundedReceiver<Dummy>, address: SocketAddr, logger: Logger) {
    while let Some(Dummy { game, player }) = calls.recv().await {
        let logger = logger.new(o!("game" => game.clone()));
        let Ok(base) = format!("http://{address}").parse::<BaseUrl>() else { continue };
        tokio::spawn(async move {
            if let Err(failure) = dummy::play(base, &game, player, any_seed()).await {
                warn!(logger, "a dummy gave up"; "why" => %failure);
            }
        });
    }
}

/// The option of `holdfast host` that opens the port.
pub(super) struct TreasurePort;

/// Where the treasure game is played beside others.
#[derive(Debug, clap::Args)]
// Without a group of its own: that would have the name of the group that it is put into.
#[group(skip)]
struct PortArguments {
    /// Where the treasure game is played over HTTP and XML; without it, it is not.
    #[arg(long, value_name = "ADDR")]
    treasure: Option<SocketAddr>,
}

impl HostOptions for TreasurePort {
    fn augment(&self, command: clap::Command) -> clap::Command {
        PortArguments::augment_args(command)
    }

    fn open<'s>(&'s self, matches: &'s ArgMatches, serving: &'s mut Serving, logger: &'s Logger) -> Opening<'s> {
        Box::pin(async move {
            let arguments = PortArguments::from_arg_matches(matches).map_err(|error| error.to_string())?;
            if let Some(listen) = arguments.treasure {
                let address = port(serving, listen, true, logger).await?;
                output::announce(&format!("treasure on http://{address}"));
            }
            Ok(())
        })
    }
}
