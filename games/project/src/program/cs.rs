//! `holdfast project cs`: the Communication Server.

use std::{net::SocketAddr, path::PathBuf, sync::Arc, time::Duration};

use cli::{
    Failure,
    address::listen_address_or_port,
    duration, logging, output,
    serving::{await_signals, block_on},
};
use server::RealWorld;
use tokio::{net::TcpListener, sync::watch};

use super::{PORT, announce_trace, error::ProgramError, gm::until_stopped, open_trace, parse_hash};
use crate::{
    Guid,
    communication::{Ended, Options, serve},
};

/// Runs the Communication Server, which forwards messages between a Game Master and players until the game is over.
///
/// Exit code 0 after a game, 1 if the Game Master was lost for good.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Address to listen on, such as localhost:8000 or 8000. Other machines can connect, without encryption, if it is not a
    /// loopback address.
    #[arg(long, default_value = "127.0.0.1:8000", value_name = "ADDR", value_parser = listen_address_or_port(PORT))]
    listen: SocketAddr,
    /// Accept only the Game Master with this hash.
    #[arg(long, value_name = "UUID", value_parser = parse_hash)]
    gm_hash: Option<Guid>,
    #[command(flatten)]
    patience: Patience,
    /// Text file for a trace of messages and errors, or off to write none. At 10 MiB it is renamed to FILE.1 and a new one begins.
    #[arg(long, alias = "log-file", default_value = "cs.txt", value_name = "FILE")]
    trace_file: PathBuf,
    #[command(flatten)]
    logging: logging::Logging,
}

/// How long the server waits for a lost Game Master.
#[derive(Clone, Copy, Debug, clap::Args)]
struct Patience {
    /// Number of intervals to wait for a lost Game Master.
    #[arg(long, default_value_t = 5, value_name = "N")]
    attempts: u32,
    /// Length of an interval, such as 20s or 500ms; a plain number is seconds.
    #[arg(long, default_value = "20s", value_name = "TIME", value_parser = duration::in_seconds)]
    interval: Duration,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (logger, _written_at_the_end) = logging::logger(arguments.logging);
    let Patience { attempts, interval } = arguments.patience;
    let options = Options { gm_hash: arguments.gm_hash, attempts, interval, ..Options::default() };
    block_on(async {
        let listener = bind(arguments.listen).await?;
        await_signals()?;
        let trace = open_trace(Arc::new(RealWorld), &arguments.trace_file)?;
        announce_trace([&*arguments.trace_file]);
        output::announce(&format!("listening on {}", listener.local_addr()?));
        let (stop, stopping) = watch::channel(false);
        Ok(verdict(until_stopped(serve(listener, options, trace, stopping), &stop, &logger).await?)?)
    })
}

pub(super) async fn bind(listen: SocketAddr) -> Result<TcpListener, ProgramError> {
    TcpListener::bind(listen).await.map_err(|cause| ProgramError::Listen { address: listen, cause })
}

pub(super) fn verdict(ended: Ended) -> Result<(), ProgramError> {
    match ended {
        Ended::Over | Ended::Stopped => Ok(()),
        Ended::MasterLost => Err(ProgramError::MasterLost),
    }
}
