//! `holdfast project gm`: the Game Master.

use std::{net::SocketAddr, path::PathBuf, sync::Arc};

use project::{EndReason, Setup};
use server::{
    Host, Limits, Options, RULEBOOKS,
    project::{Finished, GameMaster, Guid, MasterOptions, read_configuration},
};
use slog::Logger;
use tokio::sync::watch;

use super::{address, hash, journal};
use crate::{
    host::{Durability, HttpPort, Serving, bind_http, block_on, open_log, stopped},
    logging, output,
};

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
    /// Where to write what happens; or off. At 10 MiB it begins anew, and the one before is kept as FILE.1.
    #[arg(long, default_value = "gm.txt", value_name = "FILE")]
    log_file: PathBuf,
    #[command(flatten)]
    logging: logging::Logging,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), String> {
    let setup = arguments.game.setup()?;
    let configured = setup.server().map(SocketAddr::V4);
    let server = arguments.connect.or(configured).ok_or("the configuration has no server")?;
    let (logger, _written_at_the_end) = arguments.game.logger();
    block_on(async {
        let opened = arguments.game.open(&setup, server, &logger).await?;
        let (stop, stopping) = watch::channel(false);
        let finished = until_stopped(opened.master.run(stopping), &stop, &logger).await?;
        opened.serving.end().await?;
        verdict(finished)
    })
}

/// A Game Master that is ready to be run, and the host that it plays in.
pub(super) struct Opened {
    pub(super) master: GameMaster,
    pub(super) serving: Serving,
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

    /// Opens the log and the page, and finds or makes the game.
    pub(super) async fn open(&self, setup: &Setup, server: SocketAddr, logger: &Logger) -> Result<Opened, String> {
        let http = bind_http(self.http, logger).await?;
        let host = Host::open(Options {
            rulebooks: RULEBOOKS,
            log: open_log(self.log.as_deref(), Durability::Full)?,
            logger: logger.clone(),
            limits: Limits::default(),
            one_game: true,
            admin_token: None,
            // Whoever runs a Game Master may see what it knows.
            shows_all: true,
            opponents: Arc::default(),
        })?;
        let journal = journal(&self.log_file)?;
        let options = MasterOptions { server, hash: self.hash, seed: self.seed, journal };
        let master = GameMaster::open(&host, setup, options).await?;
        let mut serving = Serving::new(host);
        if self.log.is_none() {
            output::announce("the game is kept in memory only; --log FILE keeps it over a crash");
        }
        if let Some(http) = http {
            output::announce(&format!("view on http://{}/games/{}", serving.pages(http)?, master.name()));
        }
        output::announce(&format!("Game Master of {} at {server}", master.name()));
        Ok(Opened { master, serving })
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
