//! `holdfast project serve`: Communication Server and Game Master in one process.

use std::{net::SocketAddr, path::PathBuf, time::Duration};

use cli::{
    Program, output,
    serving::{block_on, reached},
};
use tokio::sync::{mpsc, watch};

use super::{
    address, announce_trace, cs,
    gm::{self, Opened, until_stopped},
    open_trace,
};
use crate::{
    communication::{self, Listeners, Options},
    local,
};

/// So much of what players tell each other may wait to be shown; what is more is not.
const MOST_COPIES: usize = 64;

/// Communication Server and Game Master in one process; players connect as to any server.
///
/// Exit code 0 after a game, 1 after a failure.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Where players connect, instead of the ServerAddress of the configuration.
    #[arg(long, value_name = "ADDR", value_parser = address)]
    listen: Option<SocketAddr>,
    /// Text file for the Communication Server's trace, or off.
    #[arg(long, alias = "cs-log-file", default_value = "cs.txt", value_name = "FILE")]
    cs_trace_file: PathBuf,
    #[command(flatten)]
    game: gm::Game,
}

pub(super) fn run(program: &Program, arguments: &Arguments) -> Result<(), String> {
    let setup = arguments.game.setup()?;
    let configured = setup.server().map(SocketAddr::V4);
    let listen = arguments.listen.or(configured).ok_or("the configuration has no server")?;
    let (logger, _written_at_the_end) = arguments.game.logger();
    block_on(async {
        // First the port: without it there is no game.
        let listener = cs::bind(listen).await?;
        let server = listener.local_addr().map_err(|error| error.to_string())?;
        let host = arguments.game.host(program, &logger).await?;
        let options = arguments.game.options(&host, reached(server))?;
        let passed = open_trace(host.world().clone(), &arguments.cs_trace_file)?;
        announce_trace([&*arguments.game.trace_file, &*arguments.cs_trace_file]);
        let Opened { mut master, shown } = arguments.game.open(host, &setup, options, &logger).await?;
        let (copies, copied) = mpsc::channel(MOST_COPIES);
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
                // It may never have come to the server, which would wait for it.
                stop.send_replace(true);
            }
            (finished, passing.await)
        };
        let (finished, passed) = until_stopped(work, &stop, &logger).await?;
        shown.end(&finished).await?;
        gm::verdict(finished)?;
        cs::verdict(passed.map_err(|error| error.to_string())?)
    })
}
