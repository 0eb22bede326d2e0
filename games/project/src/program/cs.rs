//! `holdfast project cs`: the Communication Server.

use std::{net::SocketAddr, path::PathBuf, sync::Arc, time::Duration};

use cli::{logging, output, serving::block_on};
use server::RealWorld;
use tokio::{net::TcpListener, sync::watch};

use super::{address, announce_trace, gm::until_stopped, hash, open_trace};
use crate::{
    Guid,
    communication::{Ended, Options, serve},
};

/// Passes messages between a Game Master and players, and ends when the game is over.
///
/// Exit code 0 after a game, 1 when the Game Master was lost for good.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Where to listen. Anything but loopback is reached by others, without encryption.
    #[arg(long, default_value = "127.0.0.1:8000", value_name = "ADDR", value_parser = address)]
    listen: SocketAddr,
    /// Takes only the Game Master with this hash.
    #[arg(long, value_name = "UUID", value_parser = hash)]
    gm_hash: Option<Guid>,
    #[command(flatten)]
    patience: Patience,
    /// Text file for a trace of messages and errors, or off. At 10 MiB it is renamed to FILE.1 and a new one begins.
    #[arg(long, alias = "log-file", default_value = "cs.txt", value_name = "FILE")]
    trace_file: PathBuf,
    #[command(flatten)]
    logging: logging::Logging,
}

/// How long somebody is waited for.
#[derive(Clone, Copy, Debug, clap::Args)]
struct Patience {
    /// How many intervals a lost Game Master is waited for.
    #[arg(long, default_value_t = 5, value_name = "N")]
    attempts: u32,
    /// Each so many seconds long.
    #[arg(long, default_value_t = 20, value_name = "SECONDS")]
    interval: u32,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), String> {
    let (logger, _written_at_the_end) = logging::logger(arguments.logging);
    let Patience { attempts, interval } = arguments.patience;
    let options = Options {
        gm_hash: arguments.gm_hash,
        attempts,
        interval: Duration::from_secs(interval.into()),
        ..Options::default()
    };
    block_on(async {
        let listener = bind(arguments.listen).await?;
        let trace = open_trace(Arc::new(RealWorld), &arguments.trace_file)?;
        announce_trace([&*arguments.trace_file]);
        output::announce(&format!("listening on {}", listener.local_addr().map_err(|error| error.to_string())?));
        let (stop, stopping) = watch::channel(false);
        verdict(until_stopped(serve(listener, options, trace, stopping), &stop, &logger).await?)
    })
}

pub(super) async fn bind(listen: SocketAddr) -> Result<TcpListener, String> {
    TcpListener::bind(listen).await.map_err(|error| format!("cannot listen on {listen}: {error}"))
}

pub(super) fn verdict(ended: Ended) -> Result<(), String> {
    match ended {
        Ended::Over | Ended::Stopped => Ok(()),
        Ended::MasterLost => Err("the Game Master was lost and did not come back".into()),
    }
}
