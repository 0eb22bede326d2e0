//! `holdfast treasure serve`: the treasure game at its own port; and the same port beside others of a host.

use std::{net::SocketAddr, path::PathBuf, sync::Arc};

use clients::treasure::{dummy, http::BaseUrl};
use server::{Dummy, Host, Limits, Options, RULEBOOKS, TreasureGateway, TreasureOptions};
use slog::{Logger, o, warn};
use tokio::sync::mpsc;

use super::any_seed;
use crate::{
    host::{Administration, Durability, HttpPort, Serving, bind_http, block_on, open_log, reached, stopped},
    logging, output,
};

/// Hosts the treasure game: XML over HTTP as in 2022 and 2017, for clients that speak either.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
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

pub(super) fn run(arguments: &Arguments) -> Result<(), String> {
    let (logger, _written_at_the_end) = logging::logger(arguments.logging);
    block_on(async {
        let http = bind_http(arguments.http, &logger).await?;
        let host = Host::open(Options {
            rulebooks: RULEBOOKS,
            log: open_log(arguments.log.as_deref(), arguments.durability)?,
            opponents: Arc::default(),
            logger: logger.clone(),
            limits: Limits::default(),
            one_game: false,
            shows_all: false,
            admin_token: arguments.administration.admin_token.clone(),
        })?;
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
        serving.end().await
    })
}

/// Opens the port of the treasure game on a host, and brings dummies to games that ask for one; gives where it is.
pub(crate) async fn port(
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
