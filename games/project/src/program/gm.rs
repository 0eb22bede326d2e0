//! `holdfast project gm`: the Game Master.

use std::{
    net::SocketAddr,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use cli::{
    Failure, Program,
    address::connect_address_or_port,
    logging, output,
    serving::{Durability, HttpPort, ServeError, Serving, bind_http, block_on, open_host, open_log, stopped},
    with_program_name,
};
use engine::Rulebook;
use project_rules::{EndReason, Game as Rules, Setup};
use server::{Host, Options};
use slog::Logger;
use tokio::sync::watch;

use super::{
    PORT, announce_trace, config,
    error::{ProgramError, explain_master},
    open_trace, parse_hash,
};
use crate::{Finished, GameMaster, Guid, MasterError, MasterOptions, TraceError};

/// How long open pages can still load the end of a game.
const LAST_LOOK: Duration = Duration::from_secs(2);

/// Runs the Game Master of one game, which answers its players over a Communication Server.
///
/// Exit code 0 after a game, 1 after a failure, or if the server cannot be reached in the attempts of the configuration.
/// The process can be killed at any time: started again with the same --log, it continues the game.
#[derive(Debug, clap::Args)]
#[command(after_help = config::help())]
pub(crate) struct Arguments {
    /// Address of the Communication Server, such as localhost:8000, instead of the address in the configuration.
    #[arg(long, value_name = "ADDR", value_parser = connect_address_or_port(PORT))]
    connect: Option<SocketAddr>,
    #[command(flatten)]
    game: Game,
}

/// Options of a Game Master.
#[derive(Debug, clap::Args)]
pub(super) struct Game {
    /// Configuration of the game: the name of a built-in one, or a file in XML.
    #[arg(long, value_name = "NAME|FILE")]
    config: String,
    /// Keep the page after the end of the game, until Ctrl-C.
    #[arg(long)]
    pub(super) stay: bool,
    /// File that keeps the game. An unfinished game of the same configuration continues. Without it, the game is only in
    /// memory.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Address for the page of the game, or off. The page shows everything, also what players must not know. Other machines
    /// can open it if the address is not a loopback address. [default: 127.0.0.1:7780, if that is free]
    #[arg(long, value_name = "ADDR|off")]
    pub(super) http: Option<HttpPort>,
    /// Hash by which the server recognizes this Game Master. Without it, the hash is computed from the game, and is the same
    /// after a restart.
    #[arg(long, value_name = "UUID", value_parser = parse_hash)]
    hash: Option<Guid>,
    /// Seed of the game. Without it, the seed is random.
    #[arg(long, allow_negative_numbers = true, value_name = "N")]
    seed: Option<i64>,
    /// Text file for the Game Master's trace of messages and errors, or off to write none. At 10 MiB it is renamed
    /// to FILE.1 and a new one begins.
    #[arg(long, alias = "log-file", default_value = "gm.txt", value_name = "FILE")]
    pub(super) trace_file: PathBuf,
    #[command(flatten)]
    logging: logging::Logging,
}

pub(super) fn run(program: &Program, arguments: &Arguments) -> Result<(), Failure> {
    let setup = arguments.game.setup()?;
    let configured = setup.server().map(SocketAddr::V4);
    let server = arguments.connect.or(configured).ok_or(ProgramError::NoServer)?;
    let (logger, _written_at_the_end) = arguments.game.logger();
    block_on(async {
        let host = open(program, arguments.game.log(), &logger).await?;
        let options = arguments.game.options(&host, server)?;
        announce_trace([&*arguments.game.trace_file]);
        if let Some(finished) = GameMaster::tell_late(&host, &setup, options.clone()).await? {
            host.stop().await?;
            return verdict(Ok(finished));
        }
        let shown = Shown::new(host, arguments.game.http, arguments.game.log(), &logger).await?;
        let master = shown.open(&setup, options).await?;
        announce_master(&master, server);
        let (stop, stopping) = watch::channel(false);
        let finished = until_stopped(master.run(stopping), &stop, &logger).await?;
        let end = End::of(&finished);
        let verdict = verdict(finished);
        shown.end(end, arguments.game.log(), arguments.game.stay, &logger).await?;
        verdict
    })
}

/// Whether a Game Master ended with its game. After a stopped one, nobody waits for its page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Over,
    Interrupted,
}

impl End {
    pub(super) fn of(finished: &Result<Finished, MasterError>) -> Self {
        match finished {
            Ok(Finished::Over(_)) => Self::Over,
            Ok(Finished::Stopped) | Err(_) => Self::Interrupted,
        }
    }
}

/// The host of games, and the address of its pages.
pub(super) struct Shown {
    serving: Serving,
    pub(super) pages: Option<SocketAddr>,
}

impl Shown {
    /// Serves the pages of a host.
    pub(super) async fn new(
        host: Arc<Host>,
        http: Option<HttpPort>,
        log: Option<&Path>,
        logger: &Logger,
    ) -> Result<Self, ServeError> {
        let http = bind_http(http, logger).await?;
        let mut serving = Serving::new(host);
        if log.is_none() {
            output::announce("the game is kept in memory only; --log FILE keeps it over a crash");
        }
        let pages = http.map(|http| serving.pages(http)).transpose()?;
        Ok(Self { serving, pages })
    }

    /// Finds or creates a game, and announces its page.
    pub(super) async fn open(&self, setup: &Setup, options: MasterOptions) -> Result<GameMaster, MasterError> {
        let master = GameMaster::open(&self.serving.host, setup, options).await?;
        if let Some(pages) = self.pages {
            output::announce(&format!("view on http://{pages}/games/{}", master.name()));
        }
        Ok(master)
    }

    /// Stops the host, after people had time to look at the end of the game, and says how to see it again.
    pub(super) async fn end(self, end: End, log: Option<&Path>, stay: bool, logger: &Logger) -> Result<(), ServeError> {
        if end == End::Over {
            if let Some(log) = log {
                let command = with_program_name("holdfast host --log");
                output::announce(&format!("`{command} {}` shows the game again", log.display()));
            }
            if let (Some(pages), true) = (self.pages, stay) {
                output::announce(&format!("the page stays on http://{pages}; Ctrl-C ends it"));
                stopped(logger).await?;
            } else if self.pages.is_some() {
                tokio::time::sleep(LAST_LOOK).await;
            }
        }
        self.serving.end().await
    }
}

impl Game {
    pub(super) fn setup(&self) -> Result<Setup, ProgramError> {
        config::load(&self.config)
    }

    pub(super) fn logger(&self) -> (Logger, slog_async::AsyncGuard) {
        logging::logger(self.logging)
    }

    pub(super) fn log(&self) -> Option<&Path> {
        self.log.as_deref()
    }

    pub(super) fn options(&self, host: &Host, server: SocketAddr) -> Result<MasterOptions, TraceError> {
        let trace = open_trace(host.world().clone(), &self.trace_file)?;
        Ok(MasterOptions { server, hash: self.hash, seed: self.seed, trace })
    }
}

/// Opens a host on a log, or in memory.
pub(super) async fn open(program: &Program, log: Option<&Path>, logger: &Logger) -> Result<Arc<Host>, ServeError> {
    open_host(Options {
        one_game: true,
        // The operator of a Game Master may see the whole state.
        shows_all: vec![Rules::NAME],
        ..Options::new(program.hosted(), open_log(log, Durability::Full)?, logger.clone())
    })
    .await
}

pub(super) fn announce_master(master: &GameMaster, server: SocketAddr) {
    output::announce(&format!("Game Master of {} at {server}", master.name()));
}

/// Runs a task to its end. A signal asks the task to stop.
pub(super) async fn until_stopped<T>(
    work: impl Future<Output = T>,
    stop: &watch::Sender<bool>,
    logger: &Logger,
) -> Result<T, ServeError> {
    let mut work = std::pin::pin!(work);
    tokio::select! {
        done = &mut work => Ok(done),
        interrupted = stopped(logger) => {
            interrupted?;
            stop.send_replace(true);
            Ok(work.await)
        }
    }
}

pub(super) fn verdict(finished: Result<Finished, MasterError>) -> Result<(), Failure> {
    match finished.map_err(explain_master)? {
        Finished::Stopped => Ok(()),
        Finished::Over(outcome) if outcome.reason == EndReason::Failure => {
            Err(ProgramError::GameFailed(outcome.to_string()).into())
        }
        Finished::Over(outcome) => {
            output::announce(&outcome.to_string());
            Ok(())
        }
    }
}
