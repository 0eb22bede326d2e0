//! `holdfast project serve`: Communication Server and Game Master in one process.

use std::{net::SocketAddr, path::PathBuf, time::Duration};

use cli::{
    Failure, Program,
    address::{listen_address_or_port, reachable},
    output,
    serving::block_on,
};
use tokio::sync::{mpsc, watch};

use super::{
    PORT, announce_trace, config, cs,
    error::ProgramError,
    gm::{self, Opened, until_stopped},
    open_trace,
};
use crate::{
    communication::{self, Listeners, Options},
    local,
};

/// How many messages between players may wait to be shown on the page. Further messages are not shown.
const MAX_COPIES: usize = 64;

/// Runs a Communication Server and a Game Master in one process. Players connect as to any server.
///
/// Exit code 0 after a game, 1 after a failure.
#[derive(Debug, clap::Args)]
#[command(after_help = config::help())]
pub(crate) struct Arguments {
    /// Address to listen on for players, such as localhost:8000 or 8000, instead of the address in the configuration.
    #[arg(long, value_name = "ADDR", value_parser = listen_address_or_port(PORT))]
    listen: Option<SocketAddr>,
    /// Text file for the Communication Server's trace, or off to write none.
    #[arg(long, alias = "cs-log-file", default_value = "cs.txt", value_name = "FILE")]
    cs_trace_file: PathBuf,
    #[command(flatten)]
    game: gm::Game,
}

pub(super) fn run(program: &Program, arguments: &Arguments) -> Result<(), Failure> {
    let setup = arguments.game.setup()?;
    let configured = setup.server().map(SocketAddr::V4);
    let listen = arguments.listen.or(configured).ok_or(ProgramError::NoServer)?;
    let (logger, _written_at_the_end) = arguments.game.logger();
    block_on(async {
        // Open the port first, because a game cannot be played without it.
        let listener = cs::bind(listen).await?;
        let server = listener.local_addr()?;
        let host = arguments.game.host(program, &logger).await?;
        let options = arguments.game.options(&host, reachable(server))?;
        let passed = open_trace(host.world().clone(), &arguments.cs_trace_file)?;
        announce_trace([&*arguments.game.trace_file, &*arguments.cs_trace_file]);
        let Opened { mut master, shown } = arguments.game.open(host, &setup, options, &logger).await?;
        let (copies, copied) = mpsc::channel(MAX_COPIES);
        let options = Options {
            gm_hash: Some(master.hash()),
            attempts: setup.reconnection_attempts,
            interval: Duration::from_secs(setup.reconnection_interval.into()),
            copies: Some(copies),
            ..Options::default()
        };
        master.overhear(copied);
        let (connector, local) = local();
        master.connect_locally(connector);
        let (stop, stopping) = watch::channel(false);
        let listeners = Listeners::with_local(listener, local);
        let passing = communication::serve(listeners, options, passed, stopping.clone());
        output::announce(&format!("listening on {server}"));
        let work = async {
            let passing = tokio::spawn(passing);
            let finished = master.run(stopping).await;
            if finished.is_err() {
                // Otherwise the server would wait for a Game Master that never connects.
                stop.send_replace(true);
            }
            (finished, passing.await)
        };
        let (finished, passed) = until_stopped(work, &stop, &logger).await?;
        shown.end(&finished).await?;
        gm::verdict(finished)?;
        Ok(cs::verdict(passed?)?)
    })
}
