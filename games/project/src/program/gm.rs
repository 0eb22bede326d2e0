//! `holdfast project gm`: the Game Master.

use std::{net::SocketAddr, path::PathBuf, sync::Arc, time::Duration};

use cli::{
    Program, logging, output,
    serving::{Durability, HttpPort, Serving, bind_http, block_on, open_host, open_log, stopped},
};
use project_rules::{EndReason, Setup};
use server::{Host, Options};
use slog::Logger;
use tokio::sync::watch;

use super::{address, announce_trace, hash, open_trace};
use crate::{Finished, GameMaster, Guid, MasterOptions, read_configuration};

/// How long pages may take to read how a game ended.
const LAST_LOOK: Duration = Duration::from_secs(2);

/// Owns the truth of one game, and answers its players over a Communication Server.
///
/// Exit code 0 after a game, 1 after a failure or when the server cannot be reached in the attempts of the configuration.
/// Killed at any time, it goes on when it is started again with the same --log.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Where the Communication Server listens, instead of what the configuration says. The port is 8000 if there is none.
    #[arg(long, value_name = "ADDR", value_parser = address)]
    connect: Option<SocketAddr>,
    #[command(flatten)]
    game: Game,
}

/// What a Game Master needs to know.
#[derive(Debug, clap::Args)]
pub(super) struct Game {
    /// The configuration of the game, in XML.
    #[arg(long, value_name = "FILE")]
    config: PathBuf,
    /// The file that keeps the game; an unfinished one of the same configuration goes on. Without one it is in memory only.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Where to show the game in a browser, with everything that players must not know; or off. Anything but loopback is
    /// open to others, players too. [default: 127.0.0.1:7780, if nobody else has it]
    #[arg(long, value_name = "ADDR|off")]
    http: Option<HttpPort>,
    /// By which the server knows this Game Master again. Without one it is made from the game, and the same after a restart.
    #[arg(long, value_name = "UUID", value_parser = hash)]
    hash: Option<Guid>,
    /// What chance decides; without one it is drawn.
    #[arg(long, allow_negative_numbers = true, value_name = "N")]
    seed: Option<i64>,
    /// Text file for the Game Master's trace of messages and errors, or off. At 10 MiB it is renamed to FILE.1 and a new
    /// one begins.
    #[arg(long, alias = "log-file", default_value = "gm.txt", value_name = "FILE")]
    pub(super) trace_file: PathBuf,
    #[command(flatten)]
    logging: logging::Logging,
}

pub(super) fn run(program: &Program, arguments: &Arguments) -> Result<(), String> {
    let setup = arguments.game.setup()?;
    let configured = setup.server().map(SocketAddr::V4);
    let server = arguments.connect.or(configured).ok_or("the configuration has no server")?;
    let (logger, _written_at_the_end) = arguments.game.logger();
    block_on(async {
        let host = arguments.game.host(program, &logger).await?;
        let options = arguments.game.options(&host, server)?;
        announce_trace([&*arguments.game.trace_file]);
        if let Some(finished) = GameMaster::tell_late(&host, &setup, options.clone()).await? {
            host.stop().await.map_err(|error| error.to_string())?;
            return verdict(Ok(finished));
        }
        let opened = arguments.game.open(host, &setup, options, &logger).await?;
        let (stop, stopping) = watch::channel(false);
        let finished = until_stopped(opened.master.run(stopping), &stop, &logger).await?;
        opened.shown.end(&finished).await?;
        verdict(finished)
    })
}

/// A Game Master that is ready to be run, and the host that it plays in.
pub(super) struct Opened {
    pub(super) master: GameMaster,
    pub(super) shown: Shown,
}

/// The host of a game, and whether somebody may be looking.
pub(super) struct Shown {
    serving: Serving,
    has_page: bool,
}

impl Shown {
    /// Ends the host. Whoever looks at a game that is over sees its end first.
    pub(super) async fn end(self, finished: &Result<Finished, String>) -> Result<(), String> {
        if self.has_page && matches!(finished, Ok(Finished::Over(_))) {
            tokio::time::sleep(LAST_LOOK).await;
        }
        Ok(self.serving.end().await?)
    }
}

impl Game {
    pub(super) fn setup(&self) -> Result<Setup, String> {
        let file = self.config.display();
        let bytes = std::fs::read(&self.config).map_err(|error| format!("cannot read {file}: {error}"))?;
        read_configuration(&bytes).map_err(|problems| {
            let lines: Vec<String> = problems.iter().map(|problem| format!("{file}: {problem}")).collect();
            lines.join("\n")
        })
    }

    pub(super) fn logger(&self) -> (Logger, slog_async::AsyncGuard) {
        logging::logger(self.logging)
    }

    /// Opens the log.
    pub(super) async fn host(&self, program: &Program, logger: &Logger) -> Result<Arc<Host>, String> {
        let opened = open_host(Options {
            one_game: true,
            // The operator of a Game Master may see what it knows.
            shows_all: true,
            ..Options::new(program.hosted(), open_log(self.log.as_deref(), Durability::Full)?, logger.clone())
        })
        .await;
        Ok(opened?)
    }

    pub(super) fn options(&self, host: &Host, server: SocketAddr) -> Result<MasterOptions, String> {
        let trace = open_trace(host.world().clone(), &self.trace_file)?;
        Ok(MasterOptions { server, hash: self.hash, seed: self.seed, trace })
    }

    /// Finds or makes the game, and shows it.
    pub(super) async fn open(
        &self,
        host: Arc<Host>,
        setup: &Setup,
        options: MasterOptions,
        logger: &Logger,
    ) -> Result<Opened, String> {
        let http = bind_http(self.http, logger).await?;
        let server = options.server;
        let master = GameMaster::open(&host, setup, options).await?;
        let mut serving = Serving::new(host);
        if self.log.is_none() {
            output::announce("the game is kept in memory only; --log FILE keeps it over a crash");
        }
        let has_page = http.is_some();
        if let Some(http) = http {
            output::announce(&format!("view on http://{}/games/{}", serving.pages(http)?, master.name()));
        }
        output::announce(&format!("Game Master of {} at {server}", master.name()));
        Ok(Opened { master, shown: Shown { serving, has_page } })
    }
}

/// Runs until it ends by itself, or somebody stops it.
pub(super) async fn until_stopped<T>(
    work: impl Future<Output = T>,
    stop: &watch::Sender<bool>,
    logger: &Logger,
) -> Result<T, String> {
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

pub(super) fn verdict(finished: Result<Finished, String>) -> Result<(), String> {
    match finished? {
        Finished::Stopped => Ok(()),
        Finished::Over(outcome) if outcome.reason == EndReason::Failure => Err(outcome.to_string()),
        Finished::Over(outcome) => {
            output::announce(&outcome.to_string());
            Ok(())
        }
    }
}
