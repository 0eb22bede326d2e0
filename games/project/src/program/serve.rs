//! `holdfast project serve`: Communication Server and Game Master in one process.

use std::{net::SocketAddr, path::PathBuf, time::Duration};

use cli::{
    Failure, Program,
    address::{listen_address_or_port, reachable},
    output,
    serving::block_on,
};
use project_rules::Setup;
use tokio::{
    net::TcpListener,
    sync::{mpsc, watch},
    task::JoinError,
};

use super::{
    PORT, announce_trace, config, cs,
    error::ProgramError,
    gm::{self, End, Shown, announce_master, until_stopped},
    open_trace,
};
use crate::{
    Finished, GameMaster, MasterError, TraceFile,
    communication::{self, Ended, Listeners, Options},
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
    /// Number of games, one after the other. Players connect again for each game.
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    #[command(flatten)]
    game: gm::Game,
}

pub(super) fn run(program: &Program, arguments: &Arguments) -> Result<(), Failure> {
    let setup = arguments.game.setup()?;
    let configured = setup.server().map(SocketAddr::V4);
    let listen = arguments.listen.or(configured).ok_or(ProgramError::NoServer)?;
    let (logger, _written_at_the_end) = arguments.game.logger();
    block_on(async {
        // Open the port first, because a game cannot be played without it. Between two games, players wait in its queue.
        let port = cs::bind(listen).await?.into_std()?;
        let server = port.local_addr()?;
        let host = gm::open(program, arguments.game.log(), &logger).await?;
        let mut options = arguments.game.options(&host, reachable(server))?;
        let trace = open_trace(host.world().clone(), &arguments.cs_trace_file)?;
        announce_trace([&*arguments.game.trace_file, &*arguments.cs_trace_file]);
        let shown = Shown::new(host, arguments.game.http, arguments.game.log(), &logger).await?;
        let (stop, _) = watch::channel(false);
        let mut end = End::Over;
        let mut verdict = Ok(());
        for game in 1..=arguments.games {
            let master = shown.open(&setup, options.clone()).await?;
            announce_master(&master, options.server);
            let listener = TcpListener::from_std(port.try_clone()?)?;
            output::announce(&format!("listening on {server}"));
            let work = referee(master, &setup, listener, trace.clone(), &stop);
            let (finished, passed) = until_stopped(work, &stop, &logger).await??;
            end = End::of(&finished);
            verdict = gm::verdict(finished).and_then(|()| Ok(cs::verdict(passed)?));
            if end == End::Interrupted || verdict.is_err() || game == arguments.games {
                break;
            }
            options.seed = options.seed.map(|seed| seed.wrapping_add(1));
        }
        shown.end(end, arguments.game.log(), arguments.game.stay, &logger).await?;
        verdict
    })
}

/// Runs a Communication Server and the Game Master of one game until it is over, or until `stop` is true.
pub(super) async fn referee(
    mut master: GameMaster,
    setup: &Setup,
    listener: TcpListener,
    trace: TraceFile,
    stop: &watch::Sender<bool>,
) -> Result<(Result<Finished, MasterError>, Ended), JoinError> {
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
    let stopping = stop.subscribe();
    let listeners = Listeners::with_local(listener, local);
    let passing = tokio::spawn(communication::serve(listeners, options, trace, stopping.clone()));
    let finished = master.run(stopping).await;
    if finished.is_err() {
        // Otherwise the server would wait for a Game Master that never connects.
        stop.send_replace(true);
    }
    Ok((finished, passing.await?))
}
