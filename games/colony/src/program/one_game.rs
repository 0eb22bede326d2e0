//! The server for one game: the process ends when the game ends.

use std::{net::SocketAddr, path::PathBuf, time::Duration};

use colony_rules::EditionChoice;
use commlib::Create;
use server::{Limits, Options, RoomEnd};
use tokio::sync::watch;

use super::error::CommandError;
use cli::{
    Failure, Program,
    address::listen_address,
    duration, logging,
    serving::{Durability, announce, bind, end as end_host, open_host, open_log, runtime, stopped},
};

/// The name of the game. Clients may leave it out.
const NAME: &str = "game";

/// The time that a server may wait for a command.
const SHORTEST_TIMEOUT: Duration = Duration::from_millis(1);
const LONGEST_TIMEOUT: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// Serves exactly one game and ends with it. The exit code is 0 after a game or an aborted registration.
#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("where").args(["port", "listen"]).required(true))]
pub(crate) struct OneGame {
    /// The scenario: a file, or the name of a built-in one.
    #[arg(long, value_name = "FILE")]
    config: String,
    /// The port to listen on, on loopback; 0 takes any free port.
    #[arg(long)]
    port: Option<u16>,
    /// The address to listen on, such as 0.0.0.0:7701, instead of a port on loopback. The server has no limits for strangers, so use
    /// it in networks that you trust.
    #[arg(long, value_name = "ADDR", value_parser = listen_address)]
    listen: Option<SocketAddr>,
    /// The seed of the game.
    #[arg(long, allow_negative_numbers = true)]
    seed: i64,
    /// The time that the server waits for a command, such as 30s; a number without a unit is seconds. With 0 the game would end before a
    /// player could register, so it is refused.
    #[arg(long, value_name = "TIME", value_parser = duration::within(duration::in_seconds, SHORTEST_TIMEOUT..=LONGEST_TIMEOUT))]
    timeout: Duration,
    /// The edition: group, equipment, fate, or auto for the one that the scenario seems to be written for.
    #[arg(long, default_value = "auto")]
    edition: EditionChoice,
    /// The file that keeps the game. An unfinished game of the same scenario and seed in it is continued.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    #[command(flatten)]
    logging: logging::Logging,
}

pub(crate) fn run(program: &Program, arguments: &OneGame) -> Result<(), Failure> {
    let (label, scenario) = crate::load(&arguments.config)?;
    let problems = crate::check(&scenario);
    if !problems.is_empty() {
        return Err(CommandError::Scenario { label, problems }.into());
    }
    let create = Create {
        rulebook: None,
        scenario,
        edition: arguments.edition.0.map(|edition| edition.name().into()),
        seed: Some(arguments.seed),
        timeout: Some(arguments.timeout.as_millis() as u64),
    };
    let (logger, _written_at_the_end) = logging::logger(arguments.logging);
    runtime()?.block_on(async {
        let log = open_log(arguments.log.as_deref(), Durability::Full)?;
        // Scripts play as fast as they can, and they cannot slow down any other game.
        let limits = Limits { messages_per_second: 50_000, ..Limits::default() };
        let options = Options { limits, one_game: true, ..Options::new(program.hosted(), log, logger.clone()) };
        let host = open_host(options).await?;
        match host.list().as_slice() {
            [] => {
                let created = host.create(&create, Some(NAME)).await;
                created.map_err(|refused| CommandError::NotCreated { label, message: refused.message })?;
            }
            [_] => host.same_game(&create).await?,
            _ => return Err(CommandError::SeveralGames.into()),
        }
        let loopback = || SocketAddr::from(([127, 0, 0, 1], arguments.port.unwrap_or_default()));
        let gateway = bind(arguments.listen.unwrap_or_else(loopback), &host).await?;
        let address = gateway.local_addr()?;
        announce(address, arguments.log.is_none());
        let (stop, stopping) = watch::channel(false);
        let serving = tokio::spawn(gateway.serve(host.clone(), stopping));
        let end = tokio::select! {
            end = host.game_end() => end,
            stopped = stopped(&logger) => stopped.map(|()| RoomEnd::Stopped)?,
        };
        stop.send_replace(true);
        end_host(&host, serving).await?;
        match end {
            RoomEnd::Over { .. } | RoomEnd::Stopped => Ok(()),
            RoomEnd::StoreFailed { cause, .. } | RoomEnd::NotCreated { cause, .. } => {
                Err(CommandError::NotStored { cause }.into())
            }
            RoomEnd::Broken => Err(CommandError::Broken.into()),
        }
    })
}
